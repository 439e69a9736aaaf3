import Properties

/// A loader of literal values, as a user of the package would write one.
struct Literal: PropertyLoader {
    var name = "literal"
    var merge = MergeRule.deep
    var table: PropertyTable

    init(_ value: KeyValuePairs<String, PropertyValue>) {
        self.init("literal", value)
    }

    init(_ name: String, merge: MergeRule = .deep, _ value: KeyValuePairs<String, PropertyValue>) {
        self.name = name
        self.merge = merge
        table = PropertyTable(value.map { ($0.key, $0.value) })
    }

    func load() -> PropertyLayer {
        PropertyLayer(table, source: PropertySource(name: name), merge: merge)
    }
}

extension PropertyStore {
    /// A store with some sources applied in their order.
    convenience init(_ loaders: Literal...) throws {
        self.init()
        for loader in loaders { try apply(loader) }
    }

    /// All properties as `name=value`, sorted.
    var listing: [String] { entries.map { "\($0.name)=\($0.valueText)" } }
}

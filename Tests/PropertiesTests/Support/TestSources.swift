import Properties

/// A loader that returns the values it was created with, like a user's custom loader.
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
        PropertyLayer(table, source: PropertySource(name: name, identity: name), merge: merge)
    }
}

extension PropertyStore {
    /// Creates a store and applies the sources in order.
    convenience init(_ loaders: Literal...) throws {
        self.init()
        onWrongValue { _ in }
        for loader in loaders { try apply(loader) }
    }

    /// Creates a store and applies sources of any kind in order.
    convenience init(sources: any PropertyLoader...) throws {
        self.init()
        onWrongValue { _ in }
        for source in sources { try apply(source) }
    }

    /// All properties as `name=value`, sorted.
    var listing: [String] { entries.map { "\($0.name)=\($0.valueText)" } }

    /// The descriptions of all properties, one per line.
    var entriesText: String { entries.map(\.description).joined(separator: "\n") }
}

extension PropertyLoadError {
    /// Everything that a caller who catches the error can print, in one text.
    var everything: String {
        var text =
            "\(self)\n\(String(reflecting: self))\n\(longDescription)\n\(problem)\n\(expected ?? "")\n\(remedy ?? "")"
        dump(self, to: &text)
        for origin in [origin] + notes.map(\.origin) {
            text += "\n\(origin)\n\(origin.label ?? "")\n\(origin.source.name)"
            dump(origin, to: &text)
        }
        return notes.reduce(text) { "\($0)\n\($1.text)\n\($1)" }
    }
}

extension ConfigurationErrors {
    /// The problems with properties.
    var found: [PropertyError] { problems.compactMap { $0.error as? PropertyError } }
    /// One line for each problem.
    var lines: String { problems.map(\.description).joined(separator: "\n") }
}

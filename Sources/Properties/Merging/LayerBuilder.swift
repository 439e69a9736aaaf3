extension PropertyTable {
    /// A value with its path. A table that its source writes is a value, too, and its contents follow it.
    struct Value {
        var path: [String]
        let entry: Entry
        /// Whether it is in a table that its source writes, such as the JSON of a variable.
        let isInTable: Bool

        /// The value without the contents of a table.
        var node: PropertyNode { entry.node.isTable ? PropertyNode([:], origin: entry.node.origin) : entry.node }
    }

    /// Returns all values in the table. A table precedes its contents.
    func values(below path: [String] = [], isInTable: Bool = false) -> [Value] {
        entries.flatMap { entry in
            let path = path + [entry.key]
            guard case .table(let inner) = entry.node.value else {
                return [Value(path: path, entry: entry, isInTable: isInTable)]
            }
            let own = entry.isImplied ? [] : [Value(path: path, entry: entry, isInTable: isInTable)]
            return own + inner.values(below: path, isInTable: isInTable || !entry.isImplied)
        }
    }
}

/// Builds the table of a layer whose values get other paths.
struct LayerBuilder {
    private let builder = TableBuilder()
    private let isForeign: Bool
    /// The values by their flat names, if two variables may mean the same name.
    private var valuesByName: [PropertyKey: PropertyValue] = [:]

    init(_ layer: AppliedLayer) { isForeign = layer.given.mayBeForeign }

    var table: PropertyTable { builder.table }

    /// Inserts a value. In an environment without a prefix, two variables may mean one name if their values are the
    /// same, such as `http_proxy` and `HTTP_PROXY`.
    mutating func insert(_ node: PropertyNode, at path: [String], place: UInt32) throws(TableBuilder.Conflict) {
        if isForeign {
            let name = PropertyKey(path.joined(separator: "."))
            let other = valuesByName.updateValue(node.value, forKey: name)
            if let other, PropertyValue.isSame(other, node.value) { return }
        }
        try builder.insert(node, at: path, place: place)
    }
}

extension PropertyTable {
    /// A value with its path, or a table that its source writes, whose contents are values of their own.
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
    /// The values by their flat names, of a layer where two names may mean the same.
    private var valuesByName: [PropertyKey: PropertyValue] = [:]

    init(_ layer: AppliedLayer) { isForeign = layer.given.mayBeForeign }

    var table: PropertyTable { builder.table }

    /// Inserts a value. The variables of other programs may have one value under two names.
    mutating func insert(_ node: PropertyNode, at path: [String], place: UInt32) throws(TableBuilder.Conflict) {
        if isForeign {
            let name = PropertyKey(path.joined(separator: "."))
            let other = valuesByName.updateValue(node.value, forKey: name)
            if let other, PropertyValue.isSame(other, node.value) { return }
        }
        try builder.insert(node, at: path, place: place)
    }
}

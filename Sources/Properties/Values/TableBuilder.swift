/// Builds a table from paths and values in any order. The merge of layers adds tables to it.
package final class TableBuilder {
    /// The error that a value cannot be inserted because of an earlier one: both have the same path, or the path of one
    /// passes through the other, which is not a table.
    package struct Conflict: Error {
        /// The number of keys of the path that lead to the earlier value.
        package let depth: Int
        /// The place of the earlier value's key.
        package let origin: PropertyOrigin
    }

    var entries: [PropertyTable.Entry]
    /// The inner tables that have changed, by the index of their entry, which has an outdated table.
    var inner: [Int: TableBuilder] = [:]
    /// The indices of all keys, or nil while the table is too small to need them.
    private var positions: [PropertyKey: Int]?

    /// Creates a builder with an empty table.
    package convenience init() { self.init(PropertyTable()) }

    private init(_ table: PropertyTable) { entries = table.entries }

    /// The contents of this table.
    package var table: PropertyTable {
        var all = entries
        for (index, builder) in inner { all[index].node.value = .table(builder.table) }
        return PropertyTable(uniqueEntries: all)
    }

    /// Returns the index of the entry with a key, or nil.
    func index(of key: String) -> Int? {
        if positions == nil, entries.count > 8 { positions = PropertyTable(entries: entries).positions }
        if let positions { return positions[PropertyKey(key)] }
        return entries.firstIndex { $0.key.isSame(as: key) }
    }

    @discardableResult
    func append(_ entry: PropertyTable.Entry) -> Int {
        positions?[PropertyKey(entry.key)] = entries.count
        entries.append(entry)
        return entries.count - 1
    }

    /// Returns the builder of the inner table of an entry.
    func open(_ index: Int) -> TableBuilder {
        if let builder = inner[index] { return builder }
        let builder = TableBuilder(entries[index].node.takeTable() ?? PropertyTable())
        entries[index].node.value = [:]
        inner[index] = builder
        return builder
    }
}

// MARK: - Inserting

extension TableBuilder {
    /// Inserts a value at a path. Creates the missing tables along the path.
    ///
    /// If the new value and the value at the path are both tables, their entries are combined.
    ///
    /// - Parameters:
    ///   - node: the value.
    ///   - path: the keys that lead to the value.
    ///   - place: the place of the key in the node's source; by default the place of the value.
    /// - Returns: the builder of the table that was inserted. For any other value, that of the table around it.
    /// - Throws: a `Conflict` if another value is at the path or along it. The earlier value stays.
    @discardableResult
    package func insert(
        _ node: PropertyNode, at path: [String], place: UInt32? = nil
    ) throws(Conflict) -> TableBuilder {
        let place = place ?? node.origin.place
        var builder = self
        for (depth, key) in path.dropLast().enumerated() {
            var step = PropertyTable.Entry(
                key: key, keyPlace: place, node: PropertyNode([:], origin: PropertyOrigin(source: node.origin.source)))
            step.isImplied = true
            builder = try builder.insert(step, depth: depth + 1)
        }
        let entry = PropertyTable.Entry(key: path.last ?? "", keyPlace: place, node: node)
        return try builder.insert(entry, depth: path.count)
    }

    private func insert(_ entry: PropertyTable.Entry, depth: Int) throws(Conflict) -> TableBuilder {
        guard let index = index(of: entry.key) else {
            let index = append(entry)
            return entry.node.isTable ? open(index) : self
        }
        guard case .table(let table) = entry.node.value, entries[index].node.isTable else {
            throw Conflict(depth: depth, origin: entries[index].keyOrigin)
        }
        let builder = open(index)
        if !entry.isImplied {
            entries[index].layer = entry.layer
            if !entry.node.origin.source.isUnknown { entries[index].node.origin = entry.node.origin }
        }
        for entry in table.entries { _ = try builder.insert(entry, depth: depth + 1) }
        return builder
    }
}

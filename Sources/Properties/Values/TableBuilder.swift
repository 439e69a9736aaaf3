/// Builds a table from paths and values in any order. The merge of layers adds tables to it.
///
/// A name is beside a value if it begins with the value's name and a dot: `log.level` beside `log`. It cannot be in a
/// table, because the value is in the place of that table, so it is a key with dots in the outermost table.
package final class TableBuilder {
    /// The error that a value cannot be inserted because an earlier one has the same path.
    package struct Conflict: Error {
        /// The number of keys of the path that lead to the earlier value.
        package let depth: Int
        /// The place of the earlier value's key.
        package let origin: PropertyOrigin
    }

    private var entries: [PropertyTable.Entry]
    /// The builders below the entries, by index: of the new contents of a table, whose entry has outdated contents, or
    /// of the names beside a value.
    private var below: [Int: TableBuilder] = [:]
    /// The keys of the values that are kept apart from the names beside them.
    private var apart: Set<PropertyKey> = []
    /// The indices of all keys, or nil while the table is too small to need them.
    private var positions: [PropertyKey: Int]?

    /// Creates a builder with an empty table.
    package convenience init() { self.init(PropertyTable()) }

    /// Creates a builder with the contents of a table.
    init(_ table: PropertyTable) { entries = table.entries }

    /// The contents of this table. The names beside values are keys with dots.
    package var table: PropertyTable {
        var apart: [PropertyTable.Entry] = []
        let contents = contents(nil, &apart)
        return PropertyTable(uniqueEntries: apart.isEmpty ? contents : contents + apart)
    }

    /// Returns the entries of the table with a flat name, and adds the names beside its values to a list.
    private func contents(_ name: String?, _ apart: inout [PropertyTable.Entry]) -> [PropertyTable.Entry] {
        if below.isEmpty { return entries }
        var all = entries
        for (index, builder) in below.sorted(by: { $0.key < $1.key }) {
            let outer = name.joined(path: ".\(entries[index].key)")
            if entries[index].node.isTable {
                all[index].node.value = .table(PropertyTable(uniqueEntries: builder.contents(outer, &apart)))
            } else {
                builder.add(below: outer, to: &apart)
            }
        }
        return all
    }

    /// Adds the entries of this builder, whose names are beside a value, to a list. A table that its source does not
    /// write is replaced by its contents.
    private func add(below name: String, to apart: inout [PropertyTable.Entry]) {
        for (index, entry) in entries.enumerated() {
            let key = "\(name).\(entry.key)"
            if entry.isImplied {
                open(index).add(below: key, to: &apart)
                continue
            }
            var named = PropertyTable.Entry(key: key, keyPlace: entry.keyPlace, node: entry.node)
            named.layer = entry.layer
            // Before the names beside its contents, because the merge takes them in this order.
            let position = apart.count
            apart.append(named)
            if entry.node.isTable, let builder = below[index] {
                apart[position].node.value = .table(PropertyTable(uniqueEntries: builder.contents(key, &apart)))
            } else {
                below[index]?.add(below: key, to: &apart)
            }
        }
    }

    /// Returns the index of the entry with a key, or nil.
    private func index(of key: String) -> Int? {
        if positions == nil, entries.count > 8 { positions = PropertyTable(entries: entries).positions }
        if let positions { return positions[PropertyKey(key)] }
        return entries.firstIndex { $0.key.isSame(as: key) }
    }

    @discardableResult
    private func append(_ entry: PropertyTable.Entry) -> Int {
        positions?[PropertyKey(entry.key)] = entries.count
        entries.append(entry)
        return entries.count - 1
    }

    /// Returns the builder below an entry: of its inner table, or of the names beside its value.
    private func open(_ index: Int) -> TableBuilder {
        if let builder = below[index] { return builder }
        let table = entries[index].node.takeTable()
        if table != nil { entries[index].node.value = [:] }
        let builder = TableBuilder(table ?? PropertyTable())
        below[index] = builder
        return builder
    }
}

// MARK: - Inserting

extension TableBuilder {
    /// Inserts a value at a path. Creates the missing tables along the path.
    ///
    /// If the new value and the value at the path are both tables, their entries are combined. If the path leads through a
    /// value, or another path through the new value, the longer one is beside the value.
    ///
    /// - Parameters:
    ///   - node: the value.
    ///   - path: the keys that lead to the value.
    ///   - place: the place of the key in the node's source; by default the place of the value.
    ///   - isImplied: whether the value is a table that its source does not write.
    /// - Returns: the builder of the table that was inserted. For any other value, the builder of the table around it.
    /// - Throws: a `Conflict` if another value is at the path. The earlier value stays.
    @discardableResult
    package func insert(
        _ node: PropertyNode, at path: [String], place: UInt32? = nil, isImplied: Bool = false
    ) throws(Conflict) -> TableBuilder {
        let place = place ?? node.origin.place
        let builder = steps(path.dropLast(), place, node.origin.source)
        var entry = PropertyTable.Entry(key: path.last ?? "", keyPlace: place, node: node)
        if isImplied { entry.markImplied() }
        return try builder.insert(entry, depth: path.count)
    }

    /// Returns the builder at a path, with the missing tables along it.
    private func steps(_ path: ArraySlice<String>, _ place: UInt32, _ source: PropertySource) -> TableBuilder {
        path.reduce(self) { builder, key in
            if let index = builder.index(of: key) { return builder.open(index) }
            var step = PropertyTable.Entry(
                key: key, keyPlace: place, node: PropertyNode([:], origin: PropertyOrigin(source: source)))
            step.markImplied()
            return builder.open(builder.append(step))
        }
    }

    private func insert(_ entry: PropertyTable.Entry, depth: Int) throws(Conflict) -> TableBuilder {
        guard let index = index(of: entry.key) else {
            let index = append(entry)
            return entry.node.isTable ? open(index) : self
        }
        guard case .table(let table) = entry.node.value else {
            guard entries[index].node.isTable, entries[index].isImplied else { throw conflict(index, depth) }
            // The table exists only because of names that are beside this value.
            _ = open(index)
            entries[index] = entry
            return self
        }
        guard entries[index].node.isTable || entry.isImplied else { throw conflict(index, depth) }
        let builder = open(index)
        if !entry.isImplied {
            entries[index].layer = entry.layer
            if !entry.node.origin.source.isUnknown { entries[index].node.origin = entry.node.origin }
        }
        for entry in table.entries { _ = try builder.insert(entry, depth: depth + 1) }
        return builder
    }

    private func conflict(_ index: Int, _ depth: Int) -> Conflict {
        Conflict(depth: depth, origin: entries[index].keyOrigin)
    }
}

// MARK: - Merging

extension TableBuilder {
    /// Merges the table of a layer, which has no key twice, over this table.
    ///
    /// A key of the first level that has dots is beside a value of its layer. It is merged along its path.
    ///
    /// - Parameters:
    ///   - table: the later table.
    ///   - isDeep: whether a table is merged with an earlier table, key by key. Otherwise it replaces that.
    ///   - hasDots: whether a key of the first level may have dots.
    func merge(layer table: PropertyTable, isDeep: Bool, hasDots: Bool) {
        if !hasDots { return merge(table, isDeep: isDeep) }
        let entries = table.entries
        merge(PropertyTable(uniqueEntries: entries.filter { !$0.key.contains(byte: .dot) }), isDeep: isDeep)
        for entry in entries where entry.key.contains(byte: .dot) {
            merge(entry, at: entry.key.path[...], isDeep: isDeep)
        }
    }

    /// Keeps the value at a path apart from the names beside it: a later layer that has only one of the two does not
    /// replace the other.
    func keepApart(_ path: [String]) {
        var builder = self
        for key in path.dropLast() {
            guard let index = builder.index(of: key),
                builder.entries[index].node.isTable || builder.below[index] != nil
            else { return }
            builder = builder.open(index)
        }
        builder.apart.insert(PropertyKey(path.last ?? ""))
    }

    /// Merges the value of a key with dots along its path. It is beside the values of its own layer.
    private func merge(_ entry: PropertyTable.Entry, at path: ArraySlice<String>, isDeep: Bool) {
        // A key inside a table may have dots.
        for count in path.indices.dropLast().map({ $0 - path.startIndex + 1 }).reversed() {
            guard let index = index(of: path.prefix(count).joined(separator: ".")),
                entries[index].node.isTable || below[index] != nil || entries[index].layer == entry.layer
            else { continue }
            return open(index).merge(entry, at: path.dropFirst(count), isDeep: isDeep)
        }
        var inner = PropertyTable.Entry(key: path.last ?? "", keyPlace: entry.keyPlace, node: entry.node)
        inner.layer = entry.layer
        let builder = TableBuilder()
        builder.steps(path.dropLast(), entry.keyPlace, entry.node.origin.source).append(inner)
        merge(builder.table, isDeep: isDeep)
    }

    /// Merges a table, which has no key twice, over this table.
    ///
    /// A table that its source does not write itself, such as `api` of the key `api.timeout`, is merged under both rules.
    private func merge(_ table: PropertyTable, isDeep: Bool) {
        if entries.isEmpty { return entries = table.entries }
        for entry in table.entries {
            guard let index = index(of: entry.key) else {
                append(entry)
                continue
            }
            if case .table(let later) = entry.node.value, isDeep || entry.isImplied {
                mergeTable(later, entry, at: index, isDeep: isDeep)
            } else {
                replaceValue(entry, at: index)
            }
        }
    }

    /// Merges the table of a later entry with the entry at an index:
    ///
    /// 1. Over a table, its keys are added to the keys of the earlier table. The result has the key and the origin of
    ///    the later entry, and stays a table that a source writes if it was one.
    /// 2. Over a value with names beside it, its keys are added to these names. A table that its source writes then takes
    ///    the place of the value, with all of these names in it. Any other table leaves the value.
    /// 3. Over any other value, it takes the place of the value.
    ///
    /// If the value is declared apart from longer names, its table has the longer names and never takes its place.
    private func mergeTable(_ table: PropertyTable, _ entry: PropertyTable.Entry, at index: Int, isDeep: Bool) {
        let isTable = entries[index].node.isTable, isApart = isApart(entry)
        guard isTable || isApart || below[index] != nil else { return replaceValue(entry, at: index) }
        open(index).merge(table, isDeep: isDeep)
        if !isTable, entry.isImplied || isApart { return }
        let layer = entries[index].layer
        entries[index] = entry
        if entry.isImplied { entries[index].layer = layer }
    }

    private func isApart(_ entry: PropertyTable.Entry) -> Bool {
        !apart.isEmpty && apart.contains(PropertyKey(entry.key))
    }

    /// Replaces the entry at an index by a later entry, with all that is in it.
    ///
    /// 4. Names beside an earlier value stay beside a later value. They are gone if the later entry is a table.
    private func replaceValue(_ entry: PropertyTable.Entry, at index: Int) {
        let isTable = entries[index].node.isTable
        if isTable, !entry.node.isTable, isApart(entry) {
            _ = open(index)
        } else if isTable || entry.node.isTable {
            below[index] = nil
        }
        entries[index] = entry
    }
}

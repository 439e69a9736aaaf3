/// Merges the trees of sources into one tree, as dictionaries are merged.
///
/// A later value replaces an earlier value of the same key. If both are tables, the merge rule of the later source
/// decides: `.deep` merges them key by key, and `.firstLevel` replaces the earlier table. A table that a source does not
/// write itself, such as `api` of the key `api.timeout`, is always merged.
struct PropertyMerge {
    private let tree = OpenTable(PropertyTable())

    /// The merged tree.
    var root: PropertyTable { tree.closed }

    /// Merges one more layer, whose tables have no key twice.
    func add(_ table: PropertyTable, _ rule: MergeRule) { merge(table, into: tree, rule) }

    private func merge(_ new: PropertyTable, into old: OpenTable, _ rule: MergeRule) {
        for entry in new.entries {
            guard let index = old.index(of: entry.key) else {
                old.append(entry)
                continue
            }
            let isMerged = rule == .deep || entry.layer == PropertyTable.Entry.implied
            if isMerged, old[index].node.isTable, case .table(let inner) = entry.node.value {
                merge(inner, into: old.open(index, as: entry), rule)
            } else {
                old.replace(index, by: entry)
            }
        }
    }
}

/// A table into which others are merged, with an index of its keys.
private final class OpenTable {
    private var entries: [PropertyTable.Entry]
    /// The inner tables into which others were merged, by the index of the entry.
    private var inner: [Int: OpenTable] = [:]
    /// The indices of all keys, or nil while the table is too small to need them.
    private var positions: [PropertyKey: Int]?

    init(_ table: PropertyTable) { entries = table.entries }

    subscript(index: Int) -> PropertyTable.Entry { entries[index] }

    func index(of key: String) -> Int? {
        if positions == nil, entries.count > 8 { positions = PropertyTable(entries: entries).positions }
        if let positions { return positions[PropertyKey(key)] }
        return entries.firstIndex { $0.key.isSame(as: key) }
    }

    func append(_ entry: PropertyTable.Entry) {
        positions?[PropertyKey(entry.key)] = entries.count
        entries.append(entry)
    }

    func replace(_ index: Int, by entry: PropertyTable.Entry) {
        inner[index] = nil
        entries[index] = entry
    }

    /// Returns an inner table to merge others into it. Its key and origin become those of the later entry.
    func open(_ index: Int, as entry: PropertyTable.Entry) -> OpenTable {
        let contents = entries[index].takeTable() ?? PropertyTable()
        let table = inner[index] ?? OpenTable(contents)
        inner[index] = table
        entries[index] = entry
        return table
    }

    /// The contents of this table.
    var closed: PropertyTable {
        var closed = entries
        for (index, table) in inner { closed[index].node.value = .table(table.closed) }
        return PropertyTable(entries: closed)
    }
}

/// Merges the trees of sources into one tree, as dictionaries are merged.
///
/// A later value replaces an earlier value of the same key. If both are tables, the merge rule of the later source
/// decides: `.deep` merges them key by key, and `.firstLevel` replaces the earlier table. A table that a source does not
/// write itself, such as `api` of the key `api.timeout`, is always merged.
struct PropertyMerge {
    private let tree = OpenTable(PropertyTable())
    /// Warnings about tables that replace plain values, or the reverse, even inside a table that is replaced.
    private(set) var kindChanges = BoundedList<PropertyLoadError>(limit: ListLimit.warnings)

    // The rule of the layer that is being merged, and the path to the tables that are being merged.
    private var rule = MergeRule.deep
    private var path: [String] = []

    /// The merged tree.
    var root: PropertyTable { tree.closed }

    /// Merges one more layer, whose tables have no key twice.
    mutating func add(_ table: PropertyTable, _ rule: MergeRule) {
        self.rule = rule
        merge(table, into: tree)
    }

    private mutating func merge(_ new: PropertyTable, into old: OpenTable) {
        for entry in new.entries {
            guard let index = old.index(of: entry.key) else {
                old.append(entry)
                continue
            }
            guard old[index].node.isTable, case .table(let inner) = entry.node.value else {
                noteKindChange(from: old[index].node, to: entry)
                old.replace(index, by: entry)
                continue
            }
            path.append(entry.key)
            if rule == .deep || entry.layer == PropertyTable.Entry.implied {
                merge(inner, into: old.open(index, as: entry))
            } else {
                noteKindChanges(from: old.closed(index), to: inner)
                old.replace(index, by: entry)
            }
            path.removeLast()
        }
    }

    /// Searches a table that is replaced by another one.
    private mutating func noteKindChanges(from old: PropertyTable, to new: PropertyTable) {
        let table = OpenTable(old)
        for entry in new.entries {
            guard let index = table.index(of: entry.key) else { continue }
            if case .table(let former) = table[index].node.value, case .table(let inner) = entry.node.value {
                path.append(entry.key)
                noteKindChanges(from: former, to: inner)
                path.removeLast()
            } else {
                noteKindChange(from: table[index].node, to: entry)
            }
        }
    }

    private mutating func noteKindChange(from old: PropertyNode, to entry: PropertyTable.Entry) {
        guard old.isTable != entry.node.isTable, !old.isNull, !entry.node.isNull else { return }
        guard !kindChanges.isFull else { return kindChanges.skip() }
        let name = (path + [entry.key]).joined(separator: ".")
        kindChanges.append(
            PropertyLoadError(
                .kindChange, "'\(name)' is \(ValueText.noun(of: entry.node.value))", at: entry.node.origin,
                expected: ValueText.noun(of: old.value), remedy: "Rename one of them",
                notes: [.init("which it is at", at: old.origin)]))
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

    /// The contents of an inner table.
    func closed(_ index: Int) -> PropertyTable {
        if let table = inner[index] { return table.closed }
        if case .table(let table) = entries[index].node.value { return table }
        return PropertyTable()
    }

    /// The contents of this table.
    var closed: PropertyTable {
        var closed = entries
        for (index, table) in inner { closed[index].node.value = .table(table.closed) }
        return PropertyTable(entries: closed)
    }
}

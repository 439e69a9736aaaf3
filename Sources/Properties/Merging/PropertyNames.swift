/// A tree of properties, with a dictionary from each flat name to its property.
struct PropertyNames: Sendable {
    /// A property with its flat name.
    struct Named: Sendable {
        let name: String
        /// The index of the table that the property is in, or -1 at the first level.
        let parent: Int32
        var entry: PropertyTable.Entry

        var node: PropertyNode { entry.node }

        /// Whether the property is not a table with contents, which has properties of its own.
        var isLeaf: Bool {
            if case .table(let table) = entry.node.value { table.isEmpty } else { true }
        }
    }

    /// The tree.
    private(set) var root: PropertyTable
    /// All properties in the order of the tree: each table, then its contents.
    private(set) var all: [Named] = []
    /// The properties whose name the tree has twice.
    private(set) var duplicates: [Int] = []
    private var slots: [PropertyKey: Slot] = [:]

    /// The index of a property in `all`, and its value. A read copies only the value, because copying the key and the
    /// source would retain them, and other threads use them too.
    private struct Slot {
        let index: Int32
        var value: PropertyValue
    }

    init(_ root: PropertyTable) {
        self.root = root
        let count = Self.count(root)
        all.reserveCapacity(count)
        slots.reserveCapacity(count)
        add(root, prefix: "", parent: -1)
    }

    /// Returns the value of a flat name, or nil.
    func value(_ key: PropertyKey) -> PropertyValue? { slots[key]?.value }

    /// Returns the index of the property with a flat name, or nil.
    func find(_ key: PropertyKey) -> Int? { (slots[key]?.index).map { Int($0) } }

    /// Whether a property, or a table that it is in, has one of the given indices.
    func isInside(_ index: Int, _ indices: Set<Int>) -> Bool {
        sequence(first: index) { all[$0].parent < 0 ? nil : Int(all[$0].parent) }.contains { indices.contains($0) }
    }

    /// Returns the number of properties in a table and in the tables inside it.
    private static func count(_ table: PropertyTable) -> Int {
        table.entries.reduce(table.count) { count, entry in
            if case .table(let inner) = entry.node.value { count + self.count(inner) } else { count }
        }
    }

    private mutating func add(_ table: PropertyTable, prefix: String, parent: Int32) {
        for entry in table.entries {
            let index = Int32(truncatingIfNeeded: all.count)
            let name = prefix + entry.key
            all.append(Named(name: name, parent: parent, entry: entry))
            let slot = Slot(index: index, value: entry.node.value)
            if let other = slots.updateValue(slot, forKey: PropertyKey(name)) {
                duplicates += [Int(other.index), Int(index)]
            }
            if case .table(let inner) = entry.node.value { add(inner, prefix: name + ".", parent: index) }
        }
    }

    /// Replaces the nodes of properties, by their indices.
    mutating func replace(_ nodes: [Int: PropertyNode]) {
        if nodes.isEmpty { return }
        var index = 0
        root = replaced(root, nodes, &index)
    }

    private mutating func replaced(
        _ table: PropertyTable, _ nodes: [Int: PropertyNode], _ index: inout Int
    ) -> PropertyTable {
        var table = table
        for position in table.entries.indices {
            let own = index
            index += 1
            if let inner = table.entries[position].node.takeTable() {
                // Contents keep their indices even if the table itself is replaced.
                table.entries[position].node.value = .table(replaced(inner, nodes, &index))
            }
            if let node = nodes[own] { table.entries[position].node = node }
            all[own].entry = table.entries[position]
            let name = PropertyKey(all[own].name)
            if let slot = slots[name], slot.index == own { slots[name]?.value = all[own].node.value }
        }
        return table
    }
}

// MARK: - Suggestions

extension PropertyNames {
    /// Returns the existing name that is most similar to a missing one, or nil if none is similar.
    func nearestName(to name: String) -> String? {
        // A table that the name would be in is not meant.
        Suggestions.nearest(to: name, among: all.lazy.map(\.name)) { !name.begins(with: "\($0).") }
    }
}

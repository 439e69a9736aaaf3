import TextBasics

/// A tree of properties, and the property of each flat name.
struct PropertyTree: Sendable {
    /// A property with its flat name.
    struct Named: Sendable {
        let key: PropertyKey
        /// The index of the table that the property is in, or -1 at the first level.
        let parent: Int32
        var entry: PropertyTable.Entry

        var name: String { key.rawValue }

        var node: PropertyNode { entry.node }

        /// Whether the property has no properties inside it: it is any value except a table with contents.
        var isLeaf: Bool { !entry.node.isTable || entry.node.isEmptyTable }
    }

    /// The tree as tables.
    private(set) var root: PropertyTable
    /// All properties in the order of the tree: each table, then its contents.
    private(set) var all: [Named] = []
    /// The properties whose name the tree has twice.
    private(set) var duplicates: [Int] = []
    // A hash table of the names. A `Dictionary` would hash the hash of each key again, and would need a copy of each value.
    private var slots: [Slot]
    /// The bytes of all names. A lookup compares these and not the text of a key, which it would have to retain: threads that
    /// read the same name would pass the count of its references to each other.
    private var names: [UInt8] = []

    /// A slot of the hash table: the index of a property in `all`, or -1 if the slot is free, and the range of its
    /// name.
    private struct Slot {
        var index: Int32 = -1
        var hash: UInt32 = 0
        /// The range of the name in `names`.
        var start: UInt32 = 0, end: UInt32 = 0
    }

    init(_ root: PropertyTable) {
        self.root = root
        let count = Self.count(root)
        all.reserveCapacity(count)
        // A power of two. At most half of the slots are used, so that a search soon comes to a free slot.
        slots = Array(repeating: Slot(), count: 2 << (Int.bitWidth - count.leadingZeroBitCount))
        names.reserveCapacity(16 * count)
        add(root, prefix: "", parent: -1)
    }

    /// Returns the value of a flat name, or nil. It copies only the value, because copying the key and the source would
    /// retain them, and other threads use them too.
    func value(_ key: PropertyKey) -> PropertyValue? {
        let index = slots[slot(of: key)].index
        return index < 0 ? nil : all[Int(index)].entry.node.value
    }

    /// Returns the index of the property with a flat name, or nil.
    func find(_ key: PropertyKey) -> Int? {
        let index = slots[slot(of: key)].index
        return index < 0 ? nil : Int(index)
    }

    /// Returns the node of a flat name, or nil.
    func node(_ key: PropertyKey) -> PropertyNode? { find(key).map { all[$0].node } }

    /// Returns the slot with the index of a name, or the free slot for it.
    private func slot(of key: PropertyKey) -> Int {
        let last = slots.count - 1
        var slot = key.byteHash & last
        while slots[slot].index >= 0, !isName(slots[slot], key) { slot = (slot + 1) & last }
        return slot
    }

    private func isName(_ slot: Slot, _ key: PropertyKey) -> Bool {
        slot.hash == UInt32(truncatingIfNeeded: key.byteHash)
            && key.rawValue.isSame(as: names, in: Int(slot.start)..<Int(slot.end))
    }

    /// Whether a property, or a table that it is in, has one of the given indices.
    func isInside(_ index: Int, _ indices: Set<Int>) -> Bool {
        sequence(first: index) { all[$0].parent < 0 ? nil : Int(all[$0].parent) }.contains { indices.contains($0) }
    }

    /// Returns the number of properties in a table and in the tables inside it.
    private static func count(_ table: PropertyTable) -> Int {
        var count = table.count
        for index in table.entries.indices {
            if case .table(let inner) = table.entries[index].node.value { count += Self.count(inner) }
        }
        return count
    }

    private mutating func add(_ table: PropertyTable, prefix: String, parent: Int32) {
        // Iterates by index, because copying an entry retains its contents.
        for position in table.entries.indices {
            let index = Int32(truncatingIfNeeded: all.count)
            let key = PropertyKey(prefix + table.entries[position].key), slot = slot(of: key)
            if slots[slot].index >= 0 { duplicates += [Int(slots[slot].index), Int(index)] }
            let start = names.count
            key.rawValue.appendBytes(to: &names)
            slots[slot] = Slot(
                index: index, hash: UInt32(truncatingIfNeeded: key.byteHash), start: UInt32(truncatingIfNeeded: start),
                end: UInt32(truncatingIfNeeded: names.count))
            all.append(Named(key: key, parent: parent, entry: table.entries[position]))
            if case .table(let inner) = table.entries[position].node.value {
                add(inner, prefix: key.rawValue + ".", parent: index)
            }
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
        }
        return table
    }
}

extension PropertyTree {
    /// Returns the existing name that is most similar to a missing name, or nil if none is similar.
    func nearestName(to name: String) -> String? {
        // Neither a table that the name would be in, nor a table in place of its value, is meant.
        Suggestions.nearest(to: name, among: all.lazy.map(\.name)) {
            !name.begins(with: "\($0).") && !name.isSame(as: $0)
        }
    }
}

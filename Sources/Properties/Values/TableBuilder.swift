/// Builds a table from paths and values in any order.
package struct TableBuilder {
    /// The error that a value cannot be inserted because of an earlier one: both have the same path, or the path of one
    /// passes through the other, which is not a table.
    package struct Conflict: Error {
        /// The path of the earlier value, joined with dots.
        package let name: String
        /// The place of the earlier value's key.
        package let origin: PropertyOrigin
    }

    private struct Slot {
        let parent: Int
        let key: String
        /// The place of the key that created the slot.
        let keyOrigin: PropertyOrigin
        /// The value. A table is empty here, because its entries have slots of their own.
        var node: PropertyNode
        /// Whether the slot is only a table on the paths of other values.
        var isImplied: Bool
        var children: [Int] = []
    }
    private struct Step: Hashable {
        let parent: Int
        let key: PropertyKey
    }

    /// The index of the slot of the whole table.
    static let root = 0

    private var slots = [Slot(parent: root, key: "", keyOrigin: .unknown, node: PropertyNode([:]), isImplied: false)]
    private var indices: [Step: Int] = [:]

    /// Creates a builder with an empty table.
    package init() {}

    /// Inserts a value at a path. Creates the missing tables along the path.
    ///
    /// If the new value and the value at the path are both tables, their entries are combined.
    ///
    /// - Parameters:
    ///   - node: the value.
    ///   - path: the keys from the parent to the value.
    ///   - parent: the index of the slot of the table where the path begins.
    ///   - place: the place of the key in the node's source; by default the place of the value.
    /// - Returns: the index of the slot of the value.
    /// - Throws: a `Conflict` if another value is at the path or along it. The earlier value stays.
    @discardableResult
    package mutating func insert(
        _ node: PropertyNode, at path: [String], in parent: Int = 0, place: UInt32? = nil
    ) throws(Conflict) -> Int {
        let keyOrigin = PropertyOrigin(source: node.origin.source, place: place ?? node.origin.place)
        var index = parent
        for key in path.dropLast() { index = try child(key, of: index, PropertyNode([:]), keyOrigin, isImplied: true) }
        guard case .table(let table) = node.value else {
            return try child(path.last ?? "", of: index, node, keyOrigin, isImplied: false)
        }
        index = try child(
            path.last ?? "", of: index, PropertyNode([:], origin: node.origin), keyOrigin, isImplied: false)
        for entry in table { try insert(entry.node, at: [entry.key], in: index, place: entry.keyPlace) }
        return index
    }

    /// The table of all values that were inserted.
    package var table: PropertyTable { table(of: Self.root) }

    private mutating func child(
        _ key: String, of parent: Int, _ node: PropertyNode, _ keyOrigin: PropertyOrigin, isImplied: Bool
    ) throws(Conflict) -> Int {
        let step = Step(parent: parent, key: PropertyKey(key))
        if let index = indices[step] {
            guard node.isTable, slots[index].node.isTable else {
                throw Conflict(name: name(of: index), origin: slots[index].keyOrigin)
            }
            if !node.origin.source.isUnknown { slots[index].node.origin = node.origin }
            slots[index].isImplied = slots[index].isImplied && isImplied
            return index
        }
        let index = slots.count
        indices[step] = index
        slots.append(Slot(parent: parent, key: key, keyOrigin: keyOrigin, node: node, isImplied: isImplied))
        slots[parent].children.append(index)
        return index
    }

    private func name(of index: Int) -> String {
        var path: [String] = []
        var index = index
        while index != Self.root {
            path.append(slots[index].key)
            index = slots[index].parent
        }
        return path.reversed().joined(separator: ".")
    }

    private func table(of index: Int) -> PropertyTable {
        PropertyTable(
            entries: slots[index].children.map { child in
                var node = slots[child].node
                if node.isTable { node.value = .table(table(of: child)) }
                var entry = PropertyTable.Entry(
                    key: slots[child].key, keyPlace: slots[child].keyOrigin.place, node: node)
                if slots[child].isImplied { entry.layer = PropertyTable.Entry.implied }
                return entry
            })
    }
}

/// Builds a table from paths and values in any order.
package struct TableBuilder {
    private struct Slot {
        let key: String
        var place: UInt32
        /// Nil for a table that is only on the way to others.
        var node: PropertyNode?
        var children: [Int] = []
    }
    private struct Step: Hashable {
        let parent: Int
        let key: [UInt8]
    }

    // The first one is the table itself.
    private var slots = [Slot(key: "", place: PropertyOrigin.nowhere)]
    private var indices: [Step: Int] = [:]

    /// Begins with an empty table.
    package init() {}

    /// Puts a value at a path; the tables on the way are made.
    ///
    /// - Parameters:
    ///   - place: where the key stands; left out, where the value does.
    /// - Returns: where the value stands that is there already, on the way or in the path's table; then nothing
    ///   changes. Nil where the value was put.
    package mutating func insert(_ node: PropertyNode, at path: [String], place: UInt32? = nil) -> PropertyOrigin? {
        var index = 0
        for key in path {
            if let inTheWay = slots[index].node { return inTheWay.origin }
            index = child(key, of: index, place: place ?? node.origin.place)
        }
        if let inTheWay = firstNode(in: index) { return inTheWay.origin }
        slots[index].node = node
        slots[index].place = place ?? node.origin.place
        return nil
    }

    /// The table of all values that were put.
    package var table: PropertyTable { table(of: 0) }

    private mutating func child(_ key: String, of parent: Int, place: UInt32) -> Int {
        let step = Step(parent: parent, key: Array(key.utf8))
        if let index = indices[step] { return index }
        let index = slots.count
        indices[step] = index
        slots.append(Slot(key: key, place: place))
        slots[parent].children.append(index)
        return index
    }

    private func firstNode(in index: Int) -> PropertyNode? {
        var index = index
        while slots[index].node == nil {
            guard let first = slots[index].children.first else { return nil }
            index = first
        }
        return slots[index].node
    }

    private func table(of index: Int) -> PropertyTable {
        PropertyTable(
            entries: slots[index].children.map { child in
                let slot = slots[child]
                return .init(
                    key: slot.key, keyPlace: slot.place, node: slot.node ?? PropertyNode(.table(table(of: child))))
            })
    }
}

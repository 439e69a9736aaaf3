// What the merge does to a tree while it builds it.
extension PropertyTree {
    /// Makes room for elements.
    mutating func reserve(_ count: Int) {
        elements.reserveCapacity(count)
        keys.reserveCapacity(count * 16)
        reserveSlots(count)
    }

    private mutating func reserveSlots(_ count: Int) {
        var size = 16
        while size < count * 2 { size *= 2 }
        slots = [Int32](repeating: 0, count: size)
    }

    /// Enters an element into the index, which grows so that it is never more than half full.
    mutating func index(_ index: Int32) {
        if (Int(index) + 1) * 2 > slots.count {
            slots = [Int32](repeating: 0, count: Swift.max(16, slots.count * 2))
            for earlier in 0..<index { enter(earlier) }
        }
        enter(index)
    }

    private mutating func enter(_ index: Int32) {
        let mask = slots.count - 1
        var slot = NameHash.slot(elements[Int(index)].hash, mask)
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = index + 1
    }

    /// Links each table's children in the order of the elements.
    mutating func linkChildren() {
        firstRoot = Self.none
        for index in elements.indices {
            elements[index].firstChild = Self.none
            elements[index].nextSibling = Self.none
        }
        // From the last to the first, so that each goes before its next sibling.
        for index in elements.indices.reversed() {
            let parent = elements[index].parent
            if parent == Self.none {
                elements[index].nextSibling = firstRoot
                firstRoot = Int32(index)
            } else {
                elements[index].nextSibling = elements[Int(parent)].firstChild
                elements[Int(parent)].firstChild = Int32(index)
            }
        }
    }

    /// The tree with some of its elements, and an index of them.
    ///
    /// - Parameter isKept: whether an element stays; the parents of those that stay do too.
    func compacted(_ isKept: [Bool]) -> PropertyTree {
        var kept = PropertyTree()
        var newIndex = [Int32](repeating: Self.none, count: isKept.count)
        for (index, element) in elements.enumerated() where isKept[index] {
            newIndex[index] = Int32(kept.elements.count)
            let start = kept.keys.count
            kept.keys.append(contentsOf: keys[element.key])
            kept.elements.append(element)
            kept.elements[kept.elements.count - 1].key = start..<kept.keys.count
        }
        for index in kept.elements.indices where kept.elements[index].parent != Self.none {
            kept.elements[index].parent = newIndex[Int(kept.elements[index].parent)]
        }
        kept.reserveSlots(kept.elements.count)
        for index in kept.elements.indices { kept.enter(Int32(index)) }
        return kept
    }
}

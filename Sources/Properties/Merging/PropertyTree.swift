/// The merged properties, flat: one element for each node that has a name, linked to the table that it is in.
///
/// This is the one representation of what a store holds. A flat name leads to an element through the index; a table
/// is its element's children. Keys stand in one run of bytes, and a name is compared along its parents: a long key
/// that holds many others takes its bytes once.
struct PropertyTree: Sendable {
    struct Element: Sendable {
        /// The bytes of the key, in `keys`.
        var key: Range<Int>
        /// The value; for a table an empty one, since the children are elements of their own.
        var node: PropertyNode
        /// Where the key stands in the node's source.
        var keyPlace: UInt32
        var hash: UInt32
        /// The table that it is in, or `none` at the first level.
        var parent: Int32
        /// Which layer set it last.
        var layer: Int32
        var firstChild = PropertyTree.none
        var nextSibling = PropertyTree.none

        var isTable: Bool { node.isTable }
    }

    static let none: Int32 = -1

    // An `Array` has a span only since macOS 26.
    var elements: ContiguousArray<Element> = []
    var keys: [UInt8] = []
    /// While layers are merged, leads from hashes to elements. Open addressing: each slot holds an element's index + 1,
    /// or 0; a power of two, at most half full.
    var slots: [Int32] = []

    /// The element of a flat name, for what goes over a tree before there is a `NameIndex` of it.
    func find(_ key: PropertyKey) -> Int? {
        guard !slots.isEmpty else { return nil }
        let (mask, hash) = (slots.count - 1, key.nameHash)
        var name = key.rawValue
        return name.withUTF8 { bytes in
            var slot = NameHash.slot(hash, mask)
            while slots[slot] != 0 {
                let index = Int(slots[slot]) - 1
                if elements[index].hash == hash, unsafe isNamed(index, bytes) { return index }
                slot = (slot + 1) & mask
            }
            return nil
        }
    }

    /// The flat name of an element: its path joined with dots.
    func name(of index: Int) -> String {
        var path: [String] = []
        var current = Int32(index)
        while current != Self.none {
            path.append(key(of: Int(current)))
            current = elements[Int(current)].parent
        }
        return path.reversed().joined(separator: ".")
    }

    /// The key of an element: the last part of its path, which may have dots of its own.
    func key(of index: Int) -> String {
        String(decoding: keys[elements[index].key], as: UTF8.self)
    }

    /// The place of an element's key.
    func keyOrigin(of index: Int) -> PropertyOrigin {
        PropertyOrigin(source: elements[index].node.origin.source, place: elements[index].keyPlace)
    }

    /// The node of an element, with all that is in it where it is a table.
    func node(at index: Int) -> PropertyNode {
        let element = elements[index]
        guard element.isTable else { return element.node }
        return PropertyNode(.table(table(from: element.firstChild)), origin: element.node.origin)
    }

    /// Everything, as a table.
    var root: PropertyTable { table(from: firstRoot) }

    var firstRoot: Int32 = PropertyTree.none

    /// An element's children, or the first level for nil, in their order.
    func children(of index: Int?) -> some Sequence<Int> {
        let first = index.map { elements[$0].firstChild } ?? firstRoot
        return sequence(state: first) { next -> Int? in
            guard next != Self.none else { return nil }
            defer { next = elements[Int(next)].nextSibling }
            return Int(next)
        }
    }

    private func table(from first: Int32) -> PropertyTable {
        var entries: [PropertyTable.Entry] = []
        var next = first
        while next != Self.none {
            let index = Int(next)
            entries.append(.init(key: key(of: index), keyPlace: elements[index].keyPlace, node: node(at: index)))
            next = elements[index].nextSibling
        }
        return PropertyTable(entries: entries)
    }

    // From the end, since an element knows its parent: `timeout`, a dot, `api`.
    func isNamed(_ index: Int, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        var end = name.count
        var current = index
        while true {
            let key = elements[current].key
            guard end >= key.count else { return false }
            end -= key.count
            for offset in 0..<key.count where unsafe keys[key.lowerBound + offset] != name[end + offset] {
                return false
            }
            let parent = elements[current].parent
            if parent == Self.none { return end == 0 }
            guard end > 0, unsafe name[end - 1] == UInt8(ascii: ".") else { return false }
            end -= 1
            current = Int(parent)
        }
    }

    /// Whether an element has the flat name that a key would have in a table.
    ///
    /// - Parameters:
    ///   - key: the key's bytes.
    ///   - table: an element, or `none` for the first level.
    func isNamed(_ index: Int, _ key: UnsafeBufferPointer<UInt8>, in table: Int32) -> Bool {
        var own = NameEnd(element: Int32(index), rest: elements[index].key.count)
        for offset in key.indices.reversed() where unsafe own.previous(in: self) != key[offset] { return false }
        guard table != Self.none else { return own.previous(in: self) == nil }
        guard own.previous(in: self) == UInt8(ascii: ".") else { return false }
        var other = NameEnd(element: table, rest: elements[Int(table)].key.count)
        while own != other {
            let byte = own.previous(in: self)
            guard byte == other.previous(in: self) else { return false }
            if byte == nil { return true }
        }
        return true
    }

    /// A position in a flat name, which is read from its end.
    private struct NameEnd: Equatable {
        var element: Int32
        /// How many bytes of the element's key are left.
        var rest: Int

        /// Steps to the byte before, or returns nil at the start of the name.
        mutating func previous(in tree: borrowing PropertyTree) -> UInt8? {
            if rest > 0 {
                rest -= 1
                return tree.keys[tree.elements[Int(element)].key.lowerBound + rest]
            }
            let parent = tree.elements[Int(element)].parent
            guard parent != PropertyTree.none else { return nil }
            element = parent
            rest = tree.elements[Int(element)].key.count
            return UInt8(ascii: ".")
        }
    }
}

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

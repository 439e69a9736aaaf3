/// The merged properties: a flat array with an element for each node that has a name. Each element refers to the table
/// that it is in.
///
/// The children of an element are the contents of its table. Flat names are not stored. One array contains the bytes of
/// all keys, and a flat name is compared key by key along the parents, so a long key with many children is stored only
/// once.
struct PropertyTree: Sendable {
    struct Element: Sendable {
        /// The range of the key in `keys`.
        var key: Range<Int>
        /// The value. A table is empty here, because its contents are elements of their own.
        var node: PropertyNode
        /// The place of the key in the node's source.
        var keyPlace: UInt32
        var hash: UInt32
        /// The index of the table that the element is in, or `none` at the first level.
        var parent: Int32
        /// The number of the layer that set the element last.
        var layer: Int32
        var firstChild = PropertyTree.none
        var nextSibling = PropertyTree.none

        var isTable: Bool { node.isTable }
    }

    static let none: Int32 = -1

    // A `ContiguousArray`, because `Array` has a span only since macOS 26.
    var elements: ContiguousArray<Element> = []
    var keys: [UInt8] = []
    /// The hash table from names to elements while layers are merged, with open addressing. Each slot contains the
    /// index of an element plus 1, or 0 if it is empty. The number of slots is a power of two, and at most half of them
    /// are used.
    var slots: [Int32] = []

    /// Returns the index of the element with a flat name, or nil. Uses the hash table of the merge instead of a
    /// `NameIndex`.
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

    /// Returns the flat name of an element: its path joined with dots.
    func name(of index: Int) -> String {
        var path: [String] = []
        var current = Int32(index)
        while current != Self.none {
            path.append(key(of: Int(current)))
            current = elements[Int(current)].parent
        }
        return path.reversed().joined(separator: ".")
    }

    /// Returns the key of an element: the last part of its path, which may contain dots.
    func key(of index: Int) -> String {
        String(decoding: keys[elements[index].key], as: UTF8.self)
    }

    /// Returns the origin of an element's key.
    func keyOrigin(of index: Int) -> PropertyOrigin {
        PropertyOrigin(source: elements[index].node.origin.source, place: elements[index].keyPlace)
    }

    /// Returns the node of an element, with its contents if it is a table.
    func node(at index: Int) -> PropertyNode {
        guard elements[index].isTable else { return elements[index].node }
        return PropertyNode(.table(table(from: elements[index].firstChild)), origin: elements[index].node.origin)
    }

    /// All elements, as a table.
    var root: PropertyTable { table(from: firstRoot) }

    var firstRoot: Int32 = PropertyTree.none

    /// Returns the children of an element in order, or the elements of the first level for nil.
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
        entries.reserveCapacity(siblingCount(from: first))
        var next = first
        while next != Self.none {
            let index = Int(next)
            entries.append(.init(key: key(of: index), keyPlace: elements[index].keyPlace, node: node(at: index)))
            next = elements[index].nextSibling
        }
        return PropertyTable(entries: entries)
    }

    private func siblingCount(from first: Int32) -> Int {
        var count = 0
        var next = first
        while next != Self.none {
            count += 1
            next = elements[Int(next)].nextSibling
        }
        return count
    }

    /// Whether `name` is the flat name of an element.
    func isNamed(_ index: Int, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        unsafe isNamed(index, name, in: Self.none)
    }

    /// Whether the flat name of an element is the flat name of a key in a table. The table is `none` for the first
    /// level.
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

    /// A position in the flat name of an element, which is read backwards along the parents.
    private struct NameEnd: Equatable {
        var element: Int32
        /// The number of bytes of the element's key that have not been read.
        var rest: Int

        /// Moves to the previous byte and returns it, or nil at the start of the name.
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

// MARK: - Building

// Only `PropertyMerge` uses these.
extension PropertyTree {
    /// Reserves memory for elements.
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

    /// Adds an element to the hash table, which grows so that at most half of it is used.
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

    /// Links the children of each table in the order of the elements.
    mutating func linkChildren() {
        firstRoot = Self.none
        for index in elements.indices {
            elements[index].firstChild = Self.none
            elements[index].nextSibling = Self.none
        }
        // Iterates backwards, because each element is put in front of its next sibling.
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

    /// Returns a tree with only the elements for which `isKept` is true. The parents of such an element must be kept,
    /// too.
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

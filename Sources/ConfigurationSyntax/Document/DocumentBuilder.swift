import TextBasics

/// The nodes of a document while a parser creates them.
struct DocumentBuilder {
    private let bytes: SourceBytes
    var nodes: [SyntaxNode] = []
    private(set) var dates: [PropertyDateTime] = []
    private(set) var duplicates = BoundedList<SyntaxDocument.Duplicate>(limit: ListLimit.warnings)
    // The children of all tables with more than `greatestUnindexed` keys.
    private var index: [Slot: UInt32] = [:]

    private struct Slot: Hashable {
        let table: UInt32
        var hash: UInt64

        func hash(into hasher: inout Hasher) { hasher.combine(hash) }
    }

    /// The maximum number of keys in a table without an index. A look-up in such a table compares the keys one by one.
    private static let greatestUnindexed: UInt32 = 16

    /// Creates an empty document for the source of a cursor.
    init(_ cursor: Cursor) {
        bytes = cursor.bytes
        nodes.reserveCapacity(cursor.count / 8 + 8)
    }

    /// The number of the node that will be appended next.
    var nextNumber: UInt32 { UInt32(truncatingIfNeeded: nodes.count) }

    /// Appends a node and returns its number.
    @inline(__always) @discardableResult
    mutating func append(_ kind: SyntaxNode.Kind, at start: Int, bits: UInt64 = 0, key: SyntaxKey = .none) -> UInt32 {
        let number = nextNumber
        nodes.append(SyntaxNode(kind: kind, start: UInt32(truncatingIfNeeded: start), key: key, bits: bits))
        return number
    }

    /// Stores a date and returns its index, which the node of the date keeps in `bits`.
    mutating func bits(of date: PropertyDateTime) -> UInt64 {
        dates.append(date)
        return UInt64(dates.count - 1)
    }

    /// Appends a child to a table or an array. Other tables may have got children since its last child, as in TOML.
    @inline(__always)
    mutating func link(_ child: UInt32, to parent: UInt32) {
        let last = Int(nodes[Int(parent)].last)
        if last == 0 {
            nodes[Int(parent)].bits = UInt64(child) | UInt64(child) << 32
        } else {
            nodes[last].next = child
            nodes[Int(parent)].bits = UInt64(nodes[Int(parent)].first) | UInt64(child) << 32
        }
        nodes[Int(parent)].childCount += 1
    }
}

// MARK: - Keys

extension DocumentBuilder {
    /// Returns the node of a key in a table, or 0 if the table does not have the key.
    func find(_ key: SyntaxKey, in table: UInt32) -> UInt32 {
        let parent = nodes[Int(table)]
        if parent.childCount > Self.greatestUnindexed { return findIndexed(key, in: table) }
        var child = parent.first
        while child != 0, !hasKey(child, key) { child = nodes[Int(child)].next }
        return child
    }

    /// Appends a child to a table, whose `supersede` must have been called for its key if the table may have the key.
    @inline(__always)
    mutating func add(_ child: UInt32, in table: UInt32) {
        link(child, to: table)
        let count = nodes[Int(table)].childCount
        if count > Self.greatestUnindexed { index(count == Self.greatestUnindexed + 1 ? nil : child, in: table) }
    }

    /// Marks an earlier child of an object as superseded if it has the key of the node that will be appended next.
    ///
    /// In a table with an index it does nothing, because `add` does it.
    @inline(__always)
    mutating func supersede(_ key: SyntaxKey, in table: UInt32) {
        guard nodes[Int(table)].childCount <= Self.greatestUnindexed else { return }
        let earlier = find(key, in: table)
        if earlier != 0 { supersede(earlier, by: key) }
    }

    private mutating func supersede(_ earlier: UInt32, by later: SyntaxKey) {
        nodes[Int(earlier)].isSuperseded = true
        duplicates.append(SyntaxDocument.Duplicate(later: later, earlier: nodes[Int(earlier)].key))
    }

    // Adds a child of a table to the index, or all children.
    @inline(never)
    private mutating func index(_ child: UInt32?, in table: UInt32) {
        var number = child ?? nodes[Int(table)].first
        while number != 0 {
            if !nodes[Int(number)].isSuperseded { insert(number, in: table) }
            number = nodes[Int(number)].next
        }
    }

    // Puts a child into the slot of its hash. A child with the same hash and another key moves to the next slot.
    private mutating func insert(_ child: UInt32, in table: UInt32) {
        var child = child
        var slot = Slot(table: table, hash: bytes.hash(nodes[Int(child)].key.text))
        while let other = index.updateValue(child, forKey: slot) {
            let (key, otherKey) = (nodes[Int(child)].key, nodes[Int(other)].key)
            if bytes.isEqual(key.text, otherKey.text) { return supersede(other, by: key) }
            child = other
            slot.hash &+= 1
        }
    }

    private func findIndexed(_ key: SyntaxKey, in table: UInt32) -> UInt32 {
        var slot = Slot(table: table, hash: bytes.hash(key.text))
        while let child = index[slot] {
            if bytes.isEqual(nodes[Int(child)].key.text, key.text) { return child }
            slot.hash &+= 1
        }
        return 0
    }

    @inline(__always)
    private func hasKey(_ child: UInt32, _ key: SyntaxKey) -> Bool {
        let node = nodes[Int(child)]
        return bytes.isEqual(node.key.text, key.text) && !node.isSuperseded
    }
}

import TextBasics

/// The nodes of a document while a parser creates them.
struct DocumentBuilder {
    private let bytes: SourceBytes
    var nodes: [SyntaxNode] = []
    private(set) var dates: [PropertyDateTime] = []
    private(set) var duplicates = BoundedList<SyntaxDocument.Duplicate>(limit: ListLimit.warnings)
    // The children of tables with many keys by the hashes of their keys. The first index is not used.
    private var indexes: [[Int: UInt32]] = [[:]]

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
        if parent.index != 0 { return findIndexed(key, Int(parent.index)) }
        var child = parent.first
        while child != 0, !hasKey(child, key) { child = nodes[Int(child)].next }
        return child
    }

    /// Appends a child to a table. If the table has its key, `supersede` must have been called before.
    @inline(__always)
    mutating func add(_ child: UInt32, in table: UInt32) {
        link(child, to: table)
        let node = nodes[Int(table)]
        if node.index != 0 {
            insert(child, Int(node.index))
        } else if node.childCount > Self.greatestUnindexed {
            makeIndex(of: table)
        }
    }

    /// Marks an earlier child of an object as superseded if it has the key of the node that will be appended next.
    @inline(__always)
    mutating func supersede(_ key: SyntaxKey, in table: UInt32) {
        let earlier = Int(find(key, in: table))
        if earlier != 0 {
            nodes[earlier].isSuperseded = true
            duplicates.append(SyntaxDocument.Duplicate(later: key, earlier: nodes[earlier].key))
        }
    }

    private mutating func makeIndex(of table: UInt32) {
        let index = indexes.count
        nodes[Int(table)].index = UInt32(truncatingIfNeeded: index)
        indexes.append([:])
        var child = nodes[Int(table)].first
        while child != 0 {
            if !nodes[Int(child)].isSuperseded { insert(child, index) }
            child = nodes[Int(child)].next
        }
    }

    // Puts a child at the hash of its key. A child with the same hash and another key moves to the next number.
    @inline(never)
    private mutating func insert(_ child: UInt32, _ index: Int) {
        var child = child
        var hash = bytes.hash(nodes[Int(child)].key.text)
        while let other = indexes[index].updateValue(child, forKey: hash),
            !bytes.isEqual(nodes[Int(child)].key.text, nodes[Int(other)].key.text)
        {
            child = other
            hash &+= 1
        }
    }

    private func findIndexed(_ key: SyntaxKey, _ index: Int) -> UInt32 {
        var hash = bytes.hash(key.text)
        while let child = indexes[index][hash] {
            if bytes.isEqual(nodes[Int(child)].key.text, key.text) { return child }
            hash &+= 1
        }
        return 0
    }

    @inline(__always)
    private func hasKey(_ child: UInt32, _ key: SyntaxKey) -> Bool {
        let node = nodes[Int(child)]
        return bytes.isEqual(node.key.text, key.text) && !node.isSuperseded
    }
}

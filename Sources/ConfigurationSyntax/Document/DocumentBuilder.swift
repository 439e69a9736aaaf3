import TextBasics

/// The nodes of a document while a parser creates them.
struct DocumentBuilder {
    private let bytes: SourceBytes
    var nodes: [SyntaxNode] = []
    private(set) var dates: [PropertyDateTime] = []
    private(set) var duplicates = BoundedList<SyntaxDocument.Duplicate>(limit: ListLimit.warnings)
    /// The offsets of the trailing commas. Only a parser that allows them adds any.
    private(set) var trailingCommas = BoundedList<Int>(limit: ListLimit.warnings)
    // For each table with many keys, a hash table of its children, with 0 in its free slots. The first index is not
    // used.
    private var indexes: [[UInt32]] = [[]]

    /// The maximum number of keys in a table without an index. A look-up in that table compares the keys one by one.
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

    /// Notes a comma before a closing bracket.
    mutating func addTrailingComma(at offset: Int) { trailingCommas.append(offset) }

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
        if parent.index != 0 {
            let index = Int(parent.index)
            return indexes[index][slot(of: key.text, index)]
        }
        var child = parent.first
        while child != 0, !hasKey(child, key) { child = nodes[Int(child)].next }
        return child
    }

    /// Appends a child to a table. If the table has its key, `supersede` must have been called before.
    @inline(__always)
    mutating func add(_ child: UInt32, in table: UInt32) {
        link(child, to: table)
        let node = nodes[Int(table)]
        if node.childCount <= Self.greatestUnindexed { return }
        if node.childCount > indexes[Int(node.index)].count / 2 {
            makeIndex(of: table)
        } else {
            insert(child, Int(node.index))
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

    // Makes an index that is at most a quarter full. When it is half full, a larger index replaces it.
    @inline(never)
    private mutating func makeIndex(of table: UInt32) {
        if nodes[Int(table)].index == 0 {
            nodes[Int(table)].index = UInt32(truncatingIfNeeded: indexes.count)
            indexes.append([])
        }
        let index = Int(nodes[Int(table)].index), count = nodes[Int(table)].childCount
        indexes[index] = Array(repeating: 0, count: 4 << (UInt32.bitWidth - count.leadingZeroBitCount))
        var child = nodes[Int(table)].first
        while child != 0 {
            if !nodes[Int(child)].isSuperseded { insert(child, index) }
            child = nodes[Int(child)].next
        }
    }

    @inline(never)
    private mutating func insert(_ child: UInt32, _ index: Int) {
        indexes[index][slot(of: nodes[Int(child)].key.text, index)] = child
    }

    // Returns the slot of the child with a key, or the free slot for it. Each index has free slots.
    private func slot(of key: SyntaxText, _ index: Int) -> Int {
        let last = indexes[index].count - 1
        var slot = bytes.hash(key) & last
        while indexes[index][slot] != 0, !bytes.isEqual(nodes[Int(indexes[index][slot])].key.text, key) {
            slot = (slot + 1) & last
        }
        return slot
    }

    @inline(__always)
    private func hasKey(_ child: UInt32, _ key: SyntaxKey) -> Bool {
        let node = nodes[Int(child)]
        return bytes.isEqual(node.key.text, key.text) && !node.isSuperseded
    }
}

import Properties

/// A document while it is parsed.
struct DocumentBuilder: ~Copyable {
    /// How many bytes the source has.
    let count: Int
    var nodes: NodeBuffer
    private var indexes: [KeyIndex] = []
    private var dates: [PropertyDateTime] = []
    private var escapedKeys: [SyntaxDocument.EscapedKey] = []
    private var duplicates: [SyntaxDocument.Duplicate] = []

    /// Above so many keys a table has an index; up to there, its keys are compared one by one.
    private static let greatestUnindexed: UInt32 = 16
    /// So many duplicates are remembered: a hostile source has millions.
    private static let greatestDuplicates = 100

    /// Starts a document for a source of so many bytes.
    init(count: Int) {
        self.count = count
        nodes = NodeBuffer(capacity: count / 24 + 8)
    }

    /// The document, without its bytes.
    consuming func finish() -> SyntaxDocument {
        SyntaxDocument(
            count: count, nodes: nodes.finish(), indexes: indexes, dates: dates, escapedKeys: escapedKeys,
            duplicates: duplicates)
    }
}

// MARK: - Nodes

extension DocumentBuilder {
    /// Adds a node, and gives its number.
    @inline(__always)
    mutating func append(
        _ kind: SyntaxNode.Kind, at place: Int, bits: UInt64 = 0, key: SyntaxKey = .none
    ) -> UInt32 {
        let number = UInt32(truncatingIfNeeded: nodes.count)
        nodes.append(
            SyntaxNode(
                kind: kind, place: UInt32(truncatingIfNeeded: place), keyOffset: key.offset, keyCount: key.count,
                bits: bits))
        if Int(key.offset) > count { escapedKeys.append(SyntaxDocument.EscapedKey(node: number, place: key.place)) }
        return number
    }

    /// Keeps a date, and gives the bits of its node.
    mutating func bits(of date: PropertyDateTime) -> UInt64 {
        dates.append(date)
        return UInt64(dates.count - 1)
    }

    /// Where a node's key begins in the source.
    func keyPlace(of node: UInt32, _ cursor: Cursor) -> Int {
        let offset = Int(nodes[node].keyOffset)
        if offset > count { return Int(escapedKeys.first { $0.node == node }?.place ?? 0) }
        return offset - (offset > 0 && SyntaxKey.isQuote(cursor.byte(at: offset - 1)) ? 1 : 0)
    }

    /// Makes a node the last child of a table or an array.
    @inline(__always)
    mutating func link(_ child: UInt32, to parent: UInt32) {
        let last = nodes[parent].last
        if last == 0 {
            nodes[parent].bits = UInt64(child) | UInt64(child) << 32
        } else {
            nodes[last].next = child
            nodes[parent].last = child
        }
    }
}

// MARK: - Keys

extension DocumentBuilder {
    /// The node of a key in a table, or 0.
    func find(_ key: SyntaxKey, in table: UInt32, _ cursor: Cursor) -> UInt32 {
        let parent = nodes[table]
        if parent.isIndexed { return findIndexed(key, Int(parent.extra), cursor) }
        var child = parent.first
        while child != 0 {
            let node = nodes[child]
            if node.keyCount == key.count, isKey(node, key, cursor) { return child }
            child = node.next
        }
        return 0
    }

    /// Adds a child to a table.
    ///
    /// - Parameter earlier: the child whose place it takes since it has the same key, or 0.
    @inline(__always)
    mutating func add(
        _ child: UInt32, _ key: SyntaxKey, in table: UInt32, instead earlier: UInt32 = 0, _ cursor: Cursor
    ) {
        link(child, to: table)
        if earlier != 0 { supersede(earlier, with: child) }
        if nodes[table].isIndexed {
            addToIndex(child, key, in: table, instead: earlier, cursor)
        } else {
            // What was superseded counts too: a search without an index walks over it.
            nodes[table].extra += 1
            if nodes[table].extra > Self.greatestUnindexed { index(table, cursor) }
        }
    }

    @inline(never)
    private mutating func supersede(_ earlier: UInt32, with later: UInt32) {
        nodes[earlier].isSuperseded = true
        guard duplicates.count < Self.greatestDuplicates else { return }
        duplicates.append(SyntaxDocument.Duplicate(later: later, earlier: earlier))
    }

    @inline(never)
    private mutating func addToIndex(
        _ child: UInt32, _ key: SyntaxKey, in table: UInt32, instead earlier: UInt32, _ cursor: Cursor
    ) {
        let index = Int(nodes[table].extra)
        if earlier == 0 {
            indexes[index].insert(child, hash: hash(key, cursor))
        } else {
            indexes[index].replace(earlier, with: child, hash: hash(key, cursor))
        }
    }

    private func findIndexed(_ key: SyntaxKey, _ index: Int, _ cursor: Cursor) -> UInt32 {
        indexes[index].find(hash(key, cursor)) { isKey(nodes[$0], key, cursor) }
    }

    private func isKey(_ node: SyntaxNode, _ key: SyntaxKey, _ cursor: Cursor) -> Bool {
        node.keyCount == key.count && !node.isSuperseded
            && cursor.isEqual(Int(node.keyOffset), Int(key.offset), count: Int(key.count))
    }

    private func hash(_ key: SyntaxKey, _ cursor: Cursor) -> UInt32 {
        KeyHash.hash(cursor, at: Int(key.offset), count: Int(key.count))
    }

    @inline(never)
    private mutating func index(_ table: UInt32, _ cursor: Cursor) {
        var index = KeyIndex(expecting: 2 * Int(Self.greatestUnindexed))
        var child = nodes[table].first
        while child != 0 {
            let node = nodes[child]
            if !node.isSuperseded {
                index.insert(child, hash: KeyHash.hash(cursor, at: Int(node.keyOffset), count: Int(node.keyCount)))
            }
            child = node.next
        }
        nodes[table].isIndexed = true
        nodes[table].extra = UInt32(truncatingIfNeeded: indexes.count)
        indexes.append(index)
    }
}

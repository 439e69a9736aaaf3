import TextBasics

/// A document while a parser builds it.
struct DocumentBuilder: ~Copyable {
    private let source: SourceBuffer
    var nodes: NodeBuffer
    private var indexes: [KeyIndex] = []
    private var dates: [PropertyDateTime] = []
    private var escapedKeys: [SyntaxDocument.EscapedKey] = []
    private var duplicates = BoundedList<SyntaxDocument.Duplicate>(limit: ListLimit.warnings)

    /// The maximum number of keys in a table without an index. A look-up in such a table compares the keys one by one.
    private static let greatestUnindexed: UInt32 = 16

    /// Creates an empty document for a source.
    init(_ source: consuming SourceBuffer) {
        nodes = NodeBuffer(capacity: source.count / 8 + 8)
        self.source = source
    }

    /// The length of the source in bytes.
    var count: Int { source.count }

    /// Returns the finished document.
    consuming func finish(_ name: String, _ text: SourceText) -> SyntaxDocument {
        // Duplicates in an object with an index are found when the object ends, later than those in the objects inside
        // it.
        duplicates.sort { $0.later < $1.later }
        let (capacity, nodeCount) = (source.capacity, nodes.count)
        let storage = unsafe DocumentStorage(
            bytes: source.finish(), capacity: capacity, nodes: nodes.finish(), count: nodeCount)
        return SyntaxDocument(
            name: name, text: text, storage: storage, indexes: indexes, dates: dates, escapedKeys: escapedKeys,
            duplicates: duplicates)
    }
}

// MARK: - Nodes

extension DocumentBuilder {
    /// Appends a node and returns its number.
    @inline(__always) @discardableResult
    mutating func append(_ kind: SyntaxNode.Kind, at start: Int, bits: UInt64 = 0, key: SyntaxKey = .none) -> UInt32 {
        let number = UInt32(truncatingIfNeeded: nodes.count)
        nodes.append(
            SyntaxNode(
                kind: kind, start: UInt32(truncatingIfNeeded: start), keyOffset: key.offset, keyCount: key.count,
                bits: bits))
        if Int(key.offset) > count { escapedKeys.append(SyntaxDocument.EscapedKey(node: number, start: key.start)) }
        return number
    }

    /// Stores a date and returns its index, which the node of the date keeps in `bits`.
    mutating func bits(of date: PropertyDateTime) -> UInt64 {
        dates.append(date)
        return UInt64(dates.count - 1)
    }

    /// Returns the offset in the source at which a node's key starts. For a quoted key, it is the offset of the quote.
    func keyStart(of node: UInt32, _ bytes: SourceBytes) -> Int {
        let offset = Int(nodes[node].keyOffset)
        if offset > count { return Int(escapedKeys.first { $0.node == node }?.start ?? 0) }
        // The byte before a bare key is never a quote. So a quote before the text is the opening quote of the key.
        return offset - (offset > 0 && bytes[offset - 1].isQuote ? 1 : 0)
    }

    /// Appends a child to a table or an array. Other tables may have got children since its last child, as in TOML.
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

    /// The last child and the number of children of a table or an array that is read from its start to its end.
    struct Siblings {
        fileprivate(set) var last: UInt32 = 0
        fileprivate(set) var count: UInt32 = 0
    }

    /// Links the node that will be appended next as the next child of a table or an array.
    @inline(__always)
    mutating func addNext(to parent: UInt32, _ siblings: inout Siblings) {
        let child = UInt32(truncatingIfNeeded: nodes.count)
        if siblings.last == 0 {
            nodes[parent].first = child
        } else {
            nodes[siblings.last].next = child
        }
        siblings.last = child
        siblings.count += 1
    }

    /// Stores the number of children of an array or an object that was read to its end.
    mutating func close(_ parent: UInt32, _ siblings: Siblings) {
        if !nodes[parent].isIndexed { nodes[parent].extra = siblings.count }
    }
}

// MARK: - Keys

extension DocumentBuilder {
    /// Returns the node of a key in a table, or 0 if the table does not have the key.
    func find(_ key: SyntaxKey, in table: UInt32, _ bytes: SourceBytes) -> UInt32 {
        let parent = nodes[table]
        if parent.isIndexed { return findIndexed(key, Int(parent.extra), bytes) }
        var child = parent.first
        while child != 0 {
            let node = nodes[child]
            if node.keyCount == key.count, isKey(node, key, bytes) { return child }
            child = node.next
        }
        return 0
    }

    /// Appends a child to a table, which must not have a child with the same key.
    @inline(__always)
    mutating func add(_ child: UInt32, _ key: SyntaxKey, in table: UInt32, _ bytes: SourceBytes) {
        link(child, to: table)
        if nodes[table].isIndexed {
            addToIndex(child, key, in: table, bytes)
        } else {
            nodes[table].extra += 1
            if nodes[table].extra > Self.greatestUnindexed { index(table, bytes) }
        }
    }

    /// Marks an earlier child of an object as superseded if it has the key of the node that will be appended next.
    ///
    /// In an object with more keys than `greatestUnindexed` it does nothing, because `close` finds the duplicates.
    @inline(__always)
    mutating func supersede(_ key: SyntaxKey, in table: UInt32, _ siblings: Siblings, _ bytes: SourceBytes) {
        guard siblings.count <= Self.greatestUnindexed else { return }
        let earlier = find(key, in: table, bytes)
        if earlier != 0 { supersede(earlier, with: UInt32(truncatingIfNeeded: nodes.count)) }
    }

    /// Stores the number of children of an object that was read to its end, and indexes its keys if there are many.
    mutating func close(_ table: UInt32, _ siblings: Siblings, _ bytes: SourceBytes) {
        close(table, siblings)
        // The number includes superseded children, since a search without an index visits them as well.
        if siblings.count > Self.greatestUnindexed { index(table, bytes) }
    }

    @inline(never)
    private mutating func supersede(_ earlier: UInt32, with later: UInt32) {
        nodes[earlier].isSuperseded = true
        duplicates.append(SyntaxDocument.Duplicate(later: later, earlier: earlier))
    }

    @inline(never)
    private mutating func addToIndex(_ child: UInt32, _ key: SyntaxKey, in table: UInt32, _ bytes: SourceBytes) {
        indexes[Int(nodes[table].extra)].insert(KeyIndex.Entry(node: child, hash: hash(key, bytes)))
    }

    private func findIndexed(_ key: SyntaxKey, _ index: Int, _ bytes: SourceBytes) -> UInt32 {
        indexes[index].find(hash(key, bytes)) { isKey(nodes[$0], key, bytes) }
    }

    private func isKey(_ node: SyntaxNode, _ key: SyntaxKey, _ bytes: SourceBytes) -> Bool {
        node.keyCount == key.count && !node.isSuperseded
            && bytes.isEqual(Int(node.keyOffset), Int(key.offset), count: Int(key.count))
    }

    private func hash(_ key: SyntaxKey, _ bytes: SourceBytes) -> UInt32 {
        KeyHash.hash(bytes, at: Int(key.offset), count: Int(key.count))
    }

    // Creates the index of a table. If several children have the same key, the index contains the last one, and the
    // others are marked as superseded.
    @inline(never)
    private mutating func index(_ table: UInt32, _ bytes: SourceBytes) {
        // All hashes are computed before the first slot is read, so that the cache misses on a large index overlap.
        let entries = entries(of: table, bytes)
        var index = KeyIndex(expecting: entries.count)
        for entry in entries {
            let node = nodes[entry.node]
            let earlier = index.update(entry) {
                let other = nodes[$0]
                return other.keyCount == node.keyCount
                    && bytes.isEqual(Int(other.keyOffset), Int(node.keyOffset), count: Int(node.keyCount))
            }
            if earlier != 0 { supersede(earlier, with: entry.node) }
        }
        nodes[table].isIndexed = true
        nodes[table].extra = UInt32(truncatingIfNeeded: indexes.count)
        indexes.append(index)
    }

    private func entries(of table: UInt32, _ bytes: SourceBytes) -> [KeyIndex.Entry] {
        var entries: [KeyIndex.Entry] = LargeMemory.array(capacity: Int(nodes[table].extra))
        var child = nodes[table].first
        while child != 0 {
            let node = nodes[child]
            if !node.isSuperseded {
                let hash = KeyHash.hash(bytes, at: Int(node.keyOffset), count: Int(node.keyCount))
                entries.append(KeyIndex.Entry(node: child, hash: hash))
            }
            child = node.next
        }
        return entries
    }
}

import Properties

/// A parsed and validated document: one flat array of nodes over one copy of the source.
///
/// Node 0 is the root. Nothing is made of a value before somebody reads it.
struct SyntaxDocument: Sendable {
    /// The source, sixteen zeros, and the text of what had escapes in it.
    var bytes: [UInt8] = []
    /// How many bytes the source has.
    let count: Int
    var nodes: [SyntaxNode] = []
    var indexes: [KeyIndex] = []
    var dates: [PropertyDateTime] = []
    /// The places of the keys whose text does not stand in the source, by node, ascending.
    private(set) var escapedKeys: [(node: UInt32, place: UInt32)] = []
    /// The keys that took an earlier one's place, as far as `greatestDuplicates` goes.
    private(set) var duplicates: [(later: UInt32, earlier: UInt32)] = []

    /// Above so many keys a table has an index; up to there, its keys are compared one by one.
    static let greatestUnindexed: UInt32 = 8
    /// So many duplicates are remembered: a hostile source has millions.
    static let greatestDuplicates = 100

    /// Makes an empty document for a source of so many bytes.
    init(count: Int) {
        self.count = count
        nodes.reserveCapacity(count / 16 + 16)
    }
}

// MARK: - Reading

extension SyntaxDocument {
    /// Calls `body` with the numbers of a table's or an array's children.
    @inline(__always)
    func forEachChild(of parent: UInt32, _ body: (UInt32) -> Void) {
        var child = nodes[Int(parent)].first
        while child != 0 {
            if !nodes[Int(child)].isSuperseded { body(child) }
            child = nodes[Int(child)].next
        }
    }

    /// How many children a table or an array has.
    func childCount(of parent: UInt32) -> Int {
        let node = nodes[Int(parent)]
        return node.isIndexed ? indexes[Int(node.extra)].count : Int(node.extra)
    }

    /// Where a node's key begins in the source.
    ///
    /// - Parameter byte: gives a byte of the source.
    func keyPlace(of node: UInt32, byte: (Int) -> UInt8) -> Int {
        let offset = Int(nodes[Int(node)].keyOffset)
        guard offset <= count else { return escapedPlace(of: node) }
        // A bare key never follows a quote, so a quote before the text is the key's own.
        guard offset > 0, byte(offset - 1) == .quote || byte(offset - 1) == .apostrophe else { return offset }
        return offset - 1
    }

    private func escapedPlace(of node: UInt32) -> Int {
        var low = 0
        var high = escapedKeys.count
        while low < high {
            let middle = (low + high) / 2
            if escapedKeys[middle].node < node { low = middle + 1 } else { high = middle }
        }
        return low < escapedKeys.count ? Int(escapedKeys[low].place) : 0
    }
}

// MARK: - Building

extension SyntaxDocument {
    /// Adds a node that has no key, and gives its number.
    mutating func append() -> UInt32 {
        let number = UInt32(truncatingIfNeeded: nodes.count)
        nodes.append(SyntaxNode())
        return number
    }

    /// Adds an array's item, and gives its number.
    mutating func append(to array: UInt32) -> UInt32 {
        let item = append()
        link(item, to: array)
        nodes[Int(array)].extra += 1
        return item
    }

    /// Adds a node with a key, and gives its number.
    mutating func append(_ key: SyntaxKey) -> UInt32 {
        let number = UInt32(truncatingIfNeeded: nodes.count)
        var node = SyntaxNode()
        node.keyOffset = UInt32(truncatingIfNeeded: key.offset)
        node.keyCount = UInt32(truncatingIfNeeded: key.count)
        nodes.append(node)
        if key.offset > count { escapedKeys.append((number, UInt32(truncatingIfNeeded: key.place))) }
        return number
    }

    /// Says what a node is.
    mutating func set(_ node: UInt32, _ kind: SyntaxNode.Kind, at place: Int, bits: UInt64) {
        nodes[Int(node)].kind = kind
        nodes[Int(node)].place = UInt32(truncatingIfNeeded: place)
        nodes[Int(node)].bits = bits
    }

    /// Says that a node is text.
    mutating func set(_ node: UInt32, _ kind: SyntaxNode.Kind, at place: Int, text: Range<Int>) {
        set(
            node, kind, at: place,
            bits: UInt64(truncatingIfNeeded: text.lowerBound) | UInt64(truncatingIfNeeded: text.count) << 32)
    }

    /// Says that a node is a date or a time.
    mutating func set(_ node: UInt32, at place: Int, _ date: PropertyDateTime) {
        set(node, .dateTime, at: place, bits: UInt64(dates.count))
        dates.append(date)
    }

    /// Makes a node the last child of its parent.
    mutating func link(_ child: UInt32, to parent: UInt32) {
        let last = nodes[Int(parent)].last
        if last == 0 {
            nodes[Int(parent)].first = child
        } else {
            nodes[Int(last)].next = child
        }
        nodes[Int(parent)].last = child
    }
}

// MARK: - Keys

extension SyntaxDocument {
    /// The node of a key in a table, or 0.
    func find(_ key: SyntaxKey, in table: UInt32, _ cursor: Cursor) -> UInt32 {
        let parent = nodes[Int(table)]
        if parent.isIndexed {
            return indexes[Int(parent.extra)].find(KeyHash.hash(cursor, at: key.offset, count: key.count)) {
                isKey($0, key, cursor)
            }
        }
        var child = parent.first
        while child != 0, !isKey(child, key, cursor) { child = nodes[Int(child)].next }
        return child
    }

    /// Adds a key that its table does not have, and gives its node's number.
    mutating func insert(_ key: SyntaxKey, in table: UInt32, _ cursor: Cursor) -> UInt32 {
        let child = append(key)
        link(child, to: table)
        let parent = nodes[Int(table)]
        if parent.isIndexed {
            indexes[Int(parent.extra)].insert(child, hash: KeyHash.hash(cursor, at: key.offset, count: key.count))
        } else {
            nodes[Int(table)].extra += 1
            if parent.extra == Self.greatestUnindexed { index(table, cursor) }
        }
        return child
    }

    /// Adds a key that takes the place of an earlier one of its name.
    mutating func replace(_ earlier: UInt32, with key: SyntaxKey, in table: UInt32, _ cursor: Cursor) -> UInt32 {
        let child = append(key)
        link(child, to: table)
        nodes[Int(earlier)].isSuperseded = true
        if duplicates.count < Self.greatestDuplicates { duplicates.append((child, earlier)) }
        let parent = nodes[Int(table)]
        if parent.isIndexed {
            let hash = KeyHash.hash(cursor, at: key.offset, count: key.count)
            indexes[Int(parent.extra)].replace(earlier, with: child, hash: hash)
        }
        return child
    }

    private func isKey(_ node: UInt32, _ key: SyntaxKey, _ cursor: Cursor) -> Bool {
        let node = nodes[Int(node)]
        return Int(node.keyCount) == key.count && !node.isSuperseded
            && cursor.isEqual(Int(node.keyOffset), key.offset, count: key.count)
    }

    private mutating func index(_ table: UInt32, _ cursor: Cursor) {
        var index = KeyIndex(expecting: 2 * Int(Self.greatestUnindexed))
        forEachChild(of: table) { child in
            let node = nodes[Int(child)]
            index.insert(child, hash: KeyHash.hash(cursor, at: Int(node.keyOffset), count: Int(node.keyCount)))
        }
        nodes[Int(table)].isIndexed = true
        nodes[Int(table)].extra = UInt32(truncatingIfNeeded: indexes.count)
        indexes.append(index)
    }
}

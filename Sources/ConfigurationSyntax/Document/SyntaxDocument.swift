import TextBasics

/// A parsed and validated document: a flat array of nodes that refer to a copy of the source.
///
/// Node 0 is the root. Strings are created only when they are read.
@usableFromInline
package final class SyntaxDocument: Sendable {
    /// The position in the source of a key with escapes. Its node has only the offset of the unescaped text.
    struct EscapedKey: Sendable {
        let node: UInt32
        let start: UInt32
    }

    /// Two children of an object with the same key. The later one supersedes the earlier one.
    struct Duplicate: Sendable {
        let later: UInt32
        let earlier: UInt32
    }

    /// The name of the source in messages.
    package let name: String
    /// The source, from which lines and columns are computed.
    package let text: SourceText
    /// The length of the source in bytes.
    @usableFromInline let count: Int
    /// The source, the unescaped text, and the nodes.
    @usableFromInline let storage: DocumentStorage
    @usableFromInline let indexes: [KeyIndex]
    @usableFromInline let dates: [PropertyDateTime]
    /// The positions of all keys with escapes, sorted by node.
    let escapedKeys: [EscapedKey]
    /// The duplicate keys. The list is bounded because a hostile source can have millions.
    let duplicates: BoundedList<Duplicate>

    init(
        name: String, text: SourceText, storage: DocumentStorage, indexes: [KeyIndex], dates: [PropertyDateTime],
        escapedKeys: [EscapedKey], duplicates: BoundedList<Duplicate>
    ) {
        self.name = name
        self.text = text
        count = text.count
        self.storage = storage
        self.indexes = indexes
        self.dates = dates
        self.escapedKeys = escapedKeys
        self.duplicates = duplicates
    }

    /// The node with the given number. The root has the number 0.
    @inlinable
    package subscript(number: UInt32) -> SyntaxNode { storage[number] }

    /// Calls `body` with the number and the node of each child of a table or an array.
    @inlinable
    package func forEachChild(of parent: SyntaxNode, _ body: (UInt32, SyntaxNode) -> Void) {
        var child = parent.first
        while child != 0 {
            let node = storage[child]
            if !node.isSuperseded { body(child, node) }
            child = node.next
        }
    }

    /// Returns the number of children of a table or an array. If a table has no index, it includes superseded children.
    @inlinable
    package func childCount(of node: SyntaxNode) -> Int {
        node.isIndexed ? indexes[Int(node.extra)].count : Int(node.extra)
    }

    /// Returns a range of the source, or of the unescaped text behind it, as a string.
    @inlinable
    package func string(_ range: Range<Int>) -> String { storage.string(range) }

    /// Returns the date-time of a node of the kind `dateTime`.
    package func dateTime(_ node: SyntaxNode) -> PropertyDateTime { dates[Int(node.bits)] }

    /// Returns the offset in the source at which a node's key starts. For a quoted key, it is the offset of the quote.
    @inlinable
    package func keyStart(of number: UInt32, _ node: SyntaxNode) -> UInt32 {
        let offset = Int(node.keyOffset)
        guard offset <= count else { return escapedKeyStart(of: number) }
        // The byte before a bare key is never a quote. So a quote before the text is the opening quote of the key.
        return node.keyOffset - (offset > 0 && storage.byte(at: offset - 1).isQuote ? 1 : 0)
    }

    @usableFromInline
    func escapedKeyStart(of node: UInt32) -> UInt32 {
        var low = 0
        var high = escapedKeys.count
        while low < high {
            let middle = (low + high) / 2
            if escapedKeys[middle].node < node { low = middle + 1 } else { high = middle }
        }
        return low < escapedKeys.count ? escapedKeys[low].start : 0
    }
}

// MARK: - Look-up

extension SyntaxDocument {
    /// Returns the number of the node at a path of keys below a node, or nil if there is none.
    package func node(at path: some Sequence<String>, from start: UInt32 = 0) -> UInt32? {
        var number = start
        for key in path {
            guard self[number].kind == .table, let child = find(Array(key.utf8), in: self[number]) else { return nil }
            number = child
        }
        return number
    }

    private func find(_ key: [UInt8], in table: SyntaxNode) -> UInt32? {
        var found: UInt32 = 0
        if table.isIndexed {
            found = indexes[Int(table.extra)].find(KeyHash.hash(key)) { isKey(self[$0], key) }
        } else {
            var child = table.first
            while child != 0, found == 0 {
                if isKey(self[child], key) { found = child }
                child = self[child].next
            }
        }
        return found == 0 ? nil : found
    }

    private func isKey(_ node: SyntaxNode, _ key: [UInt8]) -> Bool {
        !node.isSuperseded && storage.isEqual(node.key, key)
    }
}

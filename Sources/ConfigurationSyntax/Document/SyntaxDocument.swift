import TextBasics

/// A parsed and validated document: one flat array of nodes over one copy of the source.
///
/// Node 0 is the root. Nothing is made of a value before somebody reads it.
@usableFromInline
package final class SyntaxDocument: Sendable {
    /// A key whose text does not stand in the source, since it had escapes.
    struct EscapedKey: Sendable {
        let node: UInt32
        let place: UInt32
    }

    /// A key that took an earlier one's place.
    struct Duplicate: Sendable {
        let later: UInt32
        let earlier: UInt32
    }

    /// The name of the source in messages.
    package let name: String
    /// The source's text, for lines and columns.
    package let text: SourceText
    /// How many bytes the source has.
    @usableFromInline let count: Int
    /// The source, the text of what had escapes in it, and the nodes.
    @usableFromInline let storage: DocumentStorage
    @usableFromInline let indexes: [KeyIndex]
    @usableFromInline let dates: [PropertyDateTime]
    /// By node, ascending.
    let escapedKeys: [EscapedKey]
    /// The duplicates, of which a hostile source has millions.
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

    /// A node by its number; 0 is the root.
    @inlinable
    package subscript(number: UInt32) -> SyntaxNode { storage[number] }

    /// Calls `body` with each child of a table or an array, and its number.
    @inlinable
    package func forEachChild(of parent: SyntaxNode, _ body: (UInt32, SyntaxNode) -> Void) {
        var child = parent.first
        while child != 0 {
            let node = storage[child]
            if !node.isSuperseded { body(child, node) }
            child = node.next
        }
    }

    /// How many children a table or an array has; of a small object, with those that a later one of the same key has
    /// replaced.
    @inlinable
    package func childCount(of node: SyntaxNode) -> Int {
        node.isIndexed ? indexes[Int(node.extra)].count : Int(node.extra)
    }

    /// A text of the document.
    @inlinable
    package func string(_ range: Range<Int>) -> String { storage.string(range) }

    /// The date or time of a node of that kind.
    package func dateTime(_ node: SyntaxNode) -> PropertyDateTime { dates[Int(node.bits)] }

    /// Where a node's key begins in the source.
    @inlinable
    package func keyPlace(of number: UInt32, _ node: SyntaxNode) -> UInt32 {
        let offset = Int(node.keyOffset)
        guard offset <= count else { return escapedPlace(of: number) }
        // A quote before the text is the key's own: a bare key never follows one.
        return node.keyOffset - (offset > 0 && storage.byte(at: offset - 1).isQuote ? 1 : 0)
    }

    @usableFromInline
    func escapedPlace(of node: UInt32) -> UInt32 {
        var low = 0
        var high = escapedKeys.count
        while low < high {
            let middle = (low + high) / 2
            if escapedKeys[middle].node < node { low = middle + 1 } else { high = middle }
        }
        return low < escapedKeys.count ? escapedKeys[low].place : 0
    }
}

// MARK: - Finding

extension SyntaxDocument {
    /// The node at the end of a path of keys that begins at a node, or nil.
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

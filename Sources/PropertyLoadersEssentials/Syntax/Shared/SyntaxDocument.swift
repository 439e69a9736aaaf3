import Properties

/// A parsed and validated document: one flat array of nodes over one copy of the source.
///
/// Node 0 is the root. Nothing is made of a value before somebody reads it.
struct SyntaxDocument: Sendable {
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

    /// How many bytes the source has.
    let count: Int
    /// The source, the text of what had escapes in it, and the nodes.
    let storage: DocumentStorage
    let indexes: [KeyIndex]
    let dates: [PropertyDateTime]
    /// By node, ascending.
    let escapedKeys: [EscapedKey]
    /// The duplicates; of very many, the first.
    let duplicates: [Duplicate]

    /// Calls `body` with each child of a table or an array, and its number.
    @inline(__always)
    func forEachChild(of parent: SyntaxNode, _ body: (UInt32, SyntaxNode) -> Void) {
        var child = parent.first
        while child != 0 {
            let node = storage[child]
            if !node.isSuperseded { body(child, node) }
            child = node.next
        }
    }

    /// How many children a table or an array has; of a small object, with those that a later one of the same key has
    /// replaced.
    func childCount(of node: SyntaxNode) -> Int {
        node.isIndexed ? indexes[Int(node.extra)].count : Int(node.extra)
    }

    /// A text of the document.
    func string(_ range: Range<Int>) -> String { storage.string(range) }

    /// Where a node's key begins in the source.
    func keyPlace(of number: UInt32, _ node: SyntaxNode) -> UInt32 {
        let offset = Int(node.keyOffset)
        guard offset <= count else { return escapedPlace(of: number) }
        return node.keyOffset - (offset > 0 && SyntaxKey.isQuote(storage.byte(at: offset - 1)) ? 1 : 0)
    }

    private func escapedPlace(of node: UInt32) -> UInt32 {
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
    /// The node at the end of a path of keys, or nil.
    func node(at path: some Sequence<String>) -> UInt32? {
        var table: UInt32 = 0
        for key in path {
            guard storage[table].kind == .table, let child = find(Array(key.utf8), in: storage[table]) else {
                return nil
            }
            table = child
        }
        return table
    }

    private func find(_ key: [UInt8], in table: SyntaxNode) -> UInt32? {
        let isKey: (SyntaxNode) -> Bool = { !$0.isSuperseded && storage.isEqual($0.key, key) }
        var found: UInt32 = 0
        if table.isIndexed {
            found = indexes[Int(table.extra)].find(KeyHash.hash(key)) { isKey(storage[$0]) }
        } else {
            var child = table.first
            while child != 0, found == 0 {
                if isKey(storage[child]) { found = child }
                child = storage[child].next
            }
        }
        return found == 0 ? nil : found
    }
}

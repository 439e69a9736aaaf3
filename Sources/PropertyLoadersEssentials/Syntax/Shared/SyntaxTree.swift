import Properties

/// Makes the owned tree of a document's values.
struct SyntaxTree {
    let document: SyntaxDocument
    let source: PropertySource

    /// A node of the document, as a tree. The recursion is as deep as the limit that the document was parsed with.
    func node(_ number: UInt32) -> PropertyNode {
        let node = document.nodes[Int(number)]
        return PropertyNode(value(number, node), source: source, place: node.place)
    }

    /// The children of a table.
    func table(_ number: UInt32) -> PropertyTable {
        var entries: [PropertyTable.Entry] = []
        entries.reserveCapacity(document.childCount(of: number))
        document.forEachChild(of: number) { child in
            let node = document.nodes[Int(child)]
            entries.append(
                PropertyTable.Entry(
                    key: document.string(Int(node.keyOffset)..<Int(node.keyOffset) + Int(node.keyCount)),
                    keyPlace: document.keyPlace(of: child),
                    node: PropertyNode(value(child, node), source: source, place: node.place)))
        }
        return PropertyTable(entries: entries)
    }

    private func array(_ number: UInt32) -> [PropertyNode] {
        var items: [PropertyNode] = []
        items.reserveCapacity(document.childCount(of: number))
        document.forEachChild(of: number) { items.append(node($0)) }
        return items
    }

    private func value(_ number: UInt32, _ node: SyntaxNode) -> PropertyValue {
        switch node.kind {
        case .null: .null
        case .bool: .bool(node.bits != 0)
        case .integer: .integer(Int64(bitPattern: node.bits))
        case .unsigned: .unsigned(node.bits)
        case .bigInteger: .bigInteger(document.string(node.text))
        case .double: .double(Double(bitPattern: node.bits))
        case .string: .string(document.string(node.text))
        case .dateTime: .dateTime(document.dates[Int(node.bits)])
        case .array: .array(array(number))
        case .table: .table(table(number))
        }
    }
}

extension SyntaxDocument {
    /// A text of the document.
    func string(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    /// Where a node's key begins in the source.
    func keyPlace(of node: UInt32) -> UInt32 {
        UInt32(truncatingIfNeeded: keyPlace(of: node) { bytes[$0] })
    }

    /// The node at the end of a path of keys, or nil.
    func node(at path: some Sequence<String>) -> UInt32? {
        var table: UInt32 = 0
        for key in path {
            guard nodes[Int(table)].kind == .table, let child = find(key, in: table) else { return nil }
            table = child
        }
        return table
    }

    private func find(_ key: String, in table: UInt32) -> UInt32? {
        let wanted = Array(key.utf8)
        let isWanted: (UInt32) -> Bool = { child in
            let node = nodes[Int(child)]
            let start = Int(node.keyOffset)
            return !node.isSuperseded && bytes[start..<start + Int(node.keyCount)].elementsEqual(wanted)
        }
        if nodes[Int(table)].isIndexed {
            let found = indexes[Int(nodes[Int(table)].extra)].find(KeyHash.hash(wanted), where: isWanted)
            return found == 0 ? nil : found
        }
        var found: UInt32?
        forEachChild(of: table) { if found == nil, isWanted($0) { found = $0 } }
        return found
    }
}

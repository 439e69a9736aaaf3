import Properties

/// Makes the owned tree of a document's values.
struct SyntaxTree {
    let document: SyntaxDocument
    let source: PropertySource

    /// A node of the document, as a tree. The recursion is as deep as the limit that the document was parsed with.
    func node(_ number: UInt32) -> PropertyNode {
        let node = document.storage[number]
        return PropertyNode(value(node), source: source, place: node.place)
    }

    /// The children of a table.
    func table(_ table: SyntaxNode) -> PropertyTable {
        var entries: [PropertyTable.Entry] = LargeMemory.array(capacity: document.childCount(of: table))
        document.forEachChild(of: table) { number, node in
            entries.append(
                PropertyTable.Entry(
                    key: document.string(node.key), keyPlace: document.keyPlace(of: number, node),
                    node: PropertyNode(value(node), source: source, place: node.place)))
        }
        return PropertyTable(entries: entries)
    }

    private func array(_ array: SyntaxNode) -> [PropertyNode] {
        var items: [PropertyNode] = LargeMemory.array(capacity: document.childCount(of: array))
        document.forEachChild(of: array) { _, node in
            items.append(PropertyNode(value(node), source: source, place: node.place))
        }
        return items
    }

    private func value(_ node: SyntaxNode) -> PropertyValue {
        switch node.kind {
        case .null: .null
        case .bool: .bool(node.bits != 0)
        case .integer: .integer(Int64(bitPattern: node.bits))
        case .unsigned: .unsigned(node.bits)
        case .bigInteger: .bigInteger(document.string(node.text))
        case .double: .double(Double(bitPattern: node.bits))
        case .string: .string(document.string(node.text))
        case .dateTime: .dateTime(document.dates[Int(node.bits)])
        case .array: .array(array(node))
        case .table: .table(table(node))
        }
    }
}

public import TextBasics

/// A value of a document, with its place.
///
/// It keeps the document in memory. Its content is made when it is asked for.
public struct DocumentValue: Sendable {
    let document: SyntaxDocument
    let number: UInt32

    init(_ document: SyntaxDocument, _ number: UInt32) {
        self.document = document
        self.number = number
    }

    private var node: SyntaxNode { document[number] }

    /// What a value is. More kinds may come, so a `switch` needs a `default`.
    public enum Content: Sendable {
        /// The `null` of JSON.
        case null
        /// `true` or `false`.
        case bool(Bool)
        /// An integer that 64 bits with a sign hold.
        case integer(Int64)
        /// A JSON integer above `Int64.max` that 64 bits hold.
        case unsigned(UInt64)
        /// A JSON integer of any other size: its digits, with their sign.
        case bigInteger(String)
        /// A number with a fraction or an exponent.
        case double(Double)
        /// A string, its escapes replaced.
        case string(String)
        /// A date, a time or both, of TOML.
        case dateTime(PropertyDateTime)
        /// The elements of an array.
        case array([DocumentValue])
        /// The members of a table or a JSON object, in their order. No key stands twice.
        case table([Member])
    }

    /// A key of a table with its value.
    public struct Member: Sendable {
        /// The key, its escapes replaced.
        public let key: String
        /// The byte offset of the key.
        public let keyOffset: Int
        /// The value.
        public let value: DocumentValue
    }

    /// What the value is, made on each call.
    public var content: Content {
        switch node.kind {
        case .null: .null
        case .bool: .bool(node.bits != 0)
        case .integer: .integer(Int64(bitPattern: node.bits))
        case .unsigned: .unsigned(node.bits)
        case .bigInteger: .bigInteger(document.string(node.text))
        case .double: .double(Double(bitPattern: node.bits))
        case .string: .string(document.string(node.text))
        case .dateTime: .dateTime(document.dateTime(node))
        case .array: .array(elements ?? [])
        case .table: .table(members ?? [])
        }
    }

    /// The value at the end of a path of keys that begins here, or nil.
    public subscript(path: String...) -> DocumentValue? {
        document.node(at: path, from: number).map { DocumentValue(document, $0) }
    }

    /// The elements of an array; nil for any other value. They are made on each call.
    public var elements: [DocumentValue]? {
        guard node.kind == .array else { return nil }
        var elements: [DocumentValue] = []
        document.forEachChild(of: node) { number, _ in elements.append(DocumentValue(document, number)) }
        return elements
    }

    /// The members of a table, in their order; nil for any other value. They are made on each call.
    public var members: [Member]? {
        guard node.kind == .table else { return nil }
        var members: [Member] = []
        document.forEachChild(of: node) { number, child in
            members.append(
                Member(
                    key: document.string(child.key), keyOffset: Int(document.keyPlace(of: number, child)),
                    value: DocumentValue(document, number)))
        }
        return members
    }
}

// MARK: - Places

extension DocumentValue {
    /// The byte offset of the value; for a table that a TOML header defines, the offset of the header.
    public var offset: Int { Int(node.place) }

    /// The line of the value, from 1.
    public var line: Int { document.text.lineAndColumn(at: offset).line }

    /// The column of the value in Unicode scalars, from 1.
    public var column: Int { document.text.lineAndColumn(at: offset).column }
}

extension DocumentValue.Member {
    /// The line of the key, from 1.
    public var keyLine: Int { value.document.text.lineAndColumn(at: keyOffset).line }

    /// The column of the key in Unicode scalars, from 1.
    public var keyColumn: Int { value.document.text.lineAndColumn(at: keyOffset).column }
}

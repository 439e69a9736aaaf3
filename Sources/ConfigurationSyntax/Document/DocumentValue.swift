public import TextBasics

/// A value of a document, with its line and column.
///
/// A value keeps its whole document in memory. Its content is converted on each access.
public struct DocumentValue: Sendable {
    let document: SyntaxDocument
    private let node: SyntaxNode

    init(_ document: SyntaxDocument, _ node: SyntaxNode) {
        self.document = document
        self.node = node
    }

    /// The content of a value. More cases may be added, so a `switch` needs a `default`.
    public enum Content: Sendable {
        /// The `null` of JSON.
        case null
        /// `true` or `false`.
        case bool(Bool)
        /// An integer that fits in an `Int64`.
        case integer(Int64)
        /// A JSON integer above `Int64.max` that fits in a `UInt64`.
        case unsigned(UInt64)
        /// A JSON integer that does not fit in 64 bits, as its digits, with a minus sign if it is negative.
        case bigInteger(String)
        /// A number with a fraction or an exponent.
        case double(Double)
        /// A string, with its escapes replaced.
        case string(String)
        /// A TOML date, time, or both.
        case dateTime(PropertyDateTime)
        /// The elements of an array.
        case array([DocumentValue])
        /// The members of a table or a JSON object, in the order of the source. Each key occurs once.
        case table([Member])
    }

    /// A key of a table and its value.
    public struct Member: Sendable {
        /// The key, with its escapes replaced.
        public let key: String
        /// The byte offset of the key.
        public let keyOffset: Int
        /// The value.
        public let value: DocumentValue
    }

    /// The content of the value, converted on each access.
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

    /// The value at a path of keys that starts at this table, or nil if there is none. Each key is compared with all
    /// members.
    ///
    /// - Parameter path: the keys, the outermost first.
    public subscript(path: String...) -> DocumentValue? {
        path.reduce(self as DocumentValue?) { value, key in
            value?.members?.first { $0.key.isSame(as: key) }?.value
        }
    }

    /// The elements of an array, or nil for any other value. The array is created on each access.
    public var elements: [DocumentValue]? {
        guard node.kind == .array else { return nil }
        return document.children(of: node).map { DocumentValue(document, $0) }
    }

    /// The members of a table in the order of the source, or nil for any other value. The array is created on each
    /// access.
    public var members: [Member]? {
        guard node.kind == .table else { return nil }
        return document.children(of: node).map { child in
            Member(
                key: document.string(child.key.text), keyOffset: Int(child.key.start),
                value: DocumentValue(document, child))
        }
    }
}

// MARK: - Positions

extension DocumentValue {
    /// The byte offset of the value. For a table that a TOML header defines, it is the offset of the header.
    public var offset: Int { Int(node.start) }

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

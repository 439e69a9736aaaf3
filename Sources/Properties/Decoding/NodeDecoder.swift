/// Decodes a `Decodable` type straight from a node, with the conversions that properties have everywhere.
///
/// Each value goes through `Conversion`, so durations, URLs, dates and enums inside a type are read as they are on their
/// own. What is wrong reaches the type's own `init(from:)` as a `DecodingError` with a `PropertyMismatch` inside.
struct NodeDecoder: Decoder {
    let node: PropertyNode
    let codingPath: [any CodingKey]
    let binding: Binding?
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Decodes a value.
    ///
    /// - Throws: the mismatch, with its path from `node` on.
    static func decode<T: Decodable>(
        _ type: T.Type, from node: PropertyNode, in binding: Binding?
    ) throws(PropertyMismatch) -> T {
        guard let binding else { return try decodeOnce(type, from: node, in: nil) }
        return try binding.reconsidered { (binding) throws(PropertyMismatch) in
            try decodeOnce(type, from: node, in: binding)
        }
    }

    private static func decodeOnce<T: Decodable>(
        _ type: T.Type, from node: PropertyNode, in binding: Binding?
    ) throws(PropertyMismatch) -> T {
        do {
            return try T(from: NodeDecoder(node: node, codingPath: [], binding: binding))
        } catch {
            throw mismatch(error, node, "a value for \(type)")
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .table(let table) = node.value else { throw wrongType("a table") }
        return KeyedDecodingContainer(
            TableContainer(node: node, table: table, codingPath: codingPath, binding: binding))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let nodes) = node.value else { throw wrongType("an array") }
        return ArrayContainer(node: node, nodes: nodes, codingPath: codingPath, binding: binding)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    private func wrongType(_ expected: String) -> DecodingError {
        PropertyMismatch(.wrongType, node, expected: expected).inside(codingPath.propertyPath)
            .asDecodingError(at: codingPath)
    }

    private static func mismatch(_ error: any Error, _ node: PropertyNode, _ expected: String) -> PropertyMismatch {
        if let mismatch = error as? PropertyMismatch { return mismatch }
        let context = (error as? DecodingError)?.context
        if let mismatch = context?.underlyingError as? PropertyMismatch { return mismatch }
        // The type's own complaint, such as DecodingError.dataCorruptedError(…).
        let path = context?.codingPath ?? []
        let (inner, text) = node.descendant(at: path)
        var own = PropertyMismatch(.refused, inner ?? node, expected: path.isEmpty ? expected : "another value")
        own.path = text
        own.complaint = context?.debugDescription ?? "\(error)"
        return own
    }
}

// MARK: - SingleValueDecodingContainer

extension NodeDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool {
        if case .null = node.value { true } else { false }
    }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try node.decoded(as: type, at: codingPath, in: binding)
    }
}

// MARK: - Shared steps

extension PropertyNode {
    /// Decodes the node, which stands at a coding path from the node that decoding began with.
    func decoded<T: Decodable>(as type: T.Type, at codingPath: [any CodingKey], in binding: Binding?) throws -> T {
        do throws(PropertyMismatch) {
            return try Conversion.part(self, at: codingPath.propertyPath, to: type, in: binding)
        } catch {
            throw error.asDecodingError(at: codingPath)
        }
    }

    /// The node that a path leads to, or nil, and the path as messages write it.
    ///
    /// The path may be made of a type's own keys, of which a table's may have numbers too.
    func descendant(at path: [any CodingKey]) -> (node: PropertyNode?, text: String) {
        var node: PropertyNode? = self
        var text = ""
        for key in path {
            if case .array(let nodes) = node?.value, let index = key.intValue {
                text += "[\(index)]"
                node = nodes.indices.contains(index) ? nodes[index] : nil
            } else {
                text += ".\(key.stringValue)"
                node = node?.entry(key.stringValue)
            }
        }
        return (node, text)
    }

    private func entry(_ key: String) -> PropertyNode? {
        if case .table(let table) = value { table[key] } else { nil }
    }
}

extension PropertyMismatch {
    /// The error as a type's `init(from:)` expects it.
    func asDecodingError(at codingPath: [any CodingKey]) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: codingPath, debugDescription: "expected \(expected)", underlyingError: self)
        return reason == .wrongType ? .typeMismatch(Any.self, context) : .dataCorrupted(context)
    }
}

extension [any CodingKey] {
    /// The path as messages write it: `.servers[2].port`.
    ///
    /// Indices are the decoder's own keys: a table's key may have a number too, and what is secret has its name.
    var propertyPath: String {
        map { key in (key as? PathKey)?.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }.joined()
    }
}

extension DecodingError {
    fileprivate var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }
}

/// An index or a key made of its text.
struct PathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
    init(intValue: Int) { (stringValue, self.intValue) = (String(intValue), intValue) }
}

/// Decodes a `Decodable` type straight from a node, with the conversions that properties have everywhere.
///
/// Each value goes through `Conversion`, so durations, URLs, dates and enums inside a type are read as they are on their
/// own. What is wrong reaches the type's own `init(from:)` as a `DecodingError` with a `PropertyMismatch` inside.
struct NodeDecoder: Decoder {
    let node: PropertyNode
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Decodes a value.
    ///
    /// - Throws: the mismatch, with its path from `node` on.
    static func decode<T: Decodable>(_ type: T.Type, from node: PropertyNode) throws(PropertyMismatch) -> T {
        do {
            return try T(from: NodeDecoder(node: node, codingPath: []))
        } catch {
            throw mismatch(error, node, TypeName.noun(type))
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .table(let table) = node.value else { throw wrongType("a table") }
        return KeyedDecodingContainer(TableContainer(node: node, table: table, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let nodes) = node.value else { throw wrongType("an array") }
        return ArrayContainer(node: node, nodes: nodes, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    private func wrongType(_ expected: String) -> DecodingError {
        PropertyMismatch(.wrongType, node, expected: expected).asDecodingError(at: codingPath)
    }

    private static func mismatch(_ error: any Error, _ node: PropertyNode, _ expected: String) -> PropertyMismatch {
        if let mismatch = error as? PropertyMismatch { return mismatch }
        guard let context = (error as? DecodingError)?.context else {
            return PropertyMismatch(.notParsable, node, expected: "\(expected) (\(error))")
        }
        if let mismatch = context.underlyingError as? PropertyMismatch { return mismatch }
        // The type's own complaint, such as DecodingError.dataCorruptedError(…).
        var own = PropertyMismatch(.notParsable, node, expected: "\(expected) (\(context.debugDescription))")
        own.path = context.codingPath.propertyPath
        return own
    }
}

// MARK: - SingleValueDecodingContainer

extension NodeDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool {
        if case .null = node.value { true } else { false }
    }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try node.decoded(as: type, at: codingPath)
    }
}

// MARK: - Shared steps

extension PropertyNode {
    /// Decodes the node, which stands at a coding path from the node that decoding began with.
    func decoded<T: Decodable>(as type: T.Type, at codingPath: [any CodingKey]) throws -> T {
        do throws(PropertyMismatch) {
            return try Conversion.convert(self, to: type)
        } catch {
            throw error.asDecodingError(at: codingPath)
        }
    }
}

extension PropertyMismatch {
    /// The error as a type's `init(from:)` expects it; what it says of the path counts from where decoding began.
    func asDecodingError(at codingPath: [any CodingKey]) -> DecodingError {
        let inside = inside(codingPath.propertyPath)
        let context = DecodingError.Context(
            codingPath: codingPath, debugDescription: "expected \(expected)", underlyingError: inside)
        return reason == .wrongType ? .typeMismatch(Any.self, context) : .dataCorrupted(context)
    }
}

extension [any CodingKey] {
    /// The path as messages write it: `.servers[2].port`.
    var propertyPath: String {
        map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
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

/// Decodes a `Decodable` type directly from a node.
///
/// Each value inside the type is converted by `Conversion`, so durations, URLs, dates and enums follow the same rules
/// as outside of the type. A mismatch is passed to the type's own `init(from:)` as a `DecodingError` whose underlying
/// error is the `PropertyError`.
// A class, because the standard library passes it on as an existential, which would copy a struct to the heap each time.
final class NodeDecoder: Decoder {
    let node: PropertyNode
    let codingPath: [any CodingKey]
    let context: ConversionContext
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Decodes a node as a type.
    ///
    /// - Throws: the mismatch, with its path from `node`.
    static func decode<T: Decodable>(
        _ type: T.Type, from node: PropertyNode, in context: ConversionContext
    ) throws(PropertyError) -> T {
        // No optional of the type: this function would look up its metadata for every value.
        if let tables = DeclaredTables.decoding, tables.includes(type) {
            if let plain = context.plain { throw refusal(of: type, inside: plain, node) }
            return try tables.decode(type, from: node, in: context)
        }
        do {
            return try T(from: NodeDecoder(node: node, codingPath: [], context: context.inside(type)))
        } catch {
            throw mismatch(error, node, type)
        }
    }

    /// Returns the error about a settings type in another type, whose contents are not known before it is decoded, so that
    /// nothing in it could be checked or masked.
    private static func refusal(of type: Any.Type, inside plain: Any.Type, _ node: PropertyNode) -> PropertyError {
        PropertyError(
            .refused, node, expected: "a value that is not of the settings type \(type), since \(plain) is not one",
            remedy: "Make \(plain) a settings type")
    }

    init(node: PropertyNode, codingPath: [any CodingKey], context: ConversionContext) {
        (self.node, self.codingPath, self.context) = (node, codingPath, context)
    }

    /// Creates the decoder of a value that a type reads through `superDecoder` or a nested container. The context
    /// belongs to the value.
    convenience init(inner node: PropertyNode, codingPath: [any CodingKey], context: ConversionContext) throws {
        self.init(node: node, codingPath: codingPath, context: context)
        try check(for: Any.self) { () throws(PropertyError) in try context.checkDepth(of: node) }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        var read = node
        // Text inside a list in text is never a table: the list is then written as JSON.
        if !context.isInsideText {
            try check(for: type) { () throws(PropertyError) in read = try node.withTextAsTable() }
        }
        guard case .table(let table) = read.value else {
            throw decodingError(context.noTable(node.single), for: [String: Any].self)
        }
        // Rejects very long keys. Types that read `allKeys` compare or hash them as Swift strings, which can be slow.
        try check(for: type) { () throws(PropertyError) in try context.checkKeys(of: table, in: node) }
        return KeyedDecodingContainer(TableContainer(TableReader(table, of: self)))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        var list: ListElements?
        try check(for: [Any].self) { () throws(PropertyError) in list = try ListElements(of: node, in: context) }
        guard let list else {
            throw decodingError(PropertyError(.wrongType, node, expected: "an array"), for: [Any].self)
        }
        return ArrayContainer(list, of: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    private func check(for type: Any.Type, _ body: () throws(PropertyError) -> Void) throws(DecodingError) {
        do throws(PropertyError) { try body() } catch { throw decodingError(error, for: type) }
    }

    private func decodingError(_ mismatch: PropertyError, for type: Any.Type) -> DecodingError {
        mismatch.asDecodingError(at: codingPath, for: type)
    }

    private static func mismatch(_ error: any Error, _ node: PropertyNode, _ type: Any.Type) -> PropertyError {
        // The error of a store, which the type may have read, is not the error of a conversion.
        if let mismatch = error as? PropertyError, mismatch.history == nil { return mismatch }
        let context = (error as? DecodingError)?.context
        if let mismatch = context?.underlyingError as? PropertyError { return mismatch }
        // The error comes from the type's own `init(from:)`, such as `DecodingError.dataCorruptedError(…)`.
        let path = context?.codingPath ?? []
        let (inner, text) = node.descendant(at: path)
        return PropertyError(
            .refused, inner ?? node, expected: path.isEmpty ? "a value for \(type)" : "another value"
        )
        .changed { $0.thrownError = context?.debugDescription ?? "\(error)" }.inside(text)
    }
}

// MARK: - SingleValueDecodingContainer

extension NodeDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { node.isNull }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        // A single-value container counts as a level, because it needs stack. In a nested decoder, the step to its
        // value has been counted instead.
        let inner = codingPath.isEmpty ? context.nested : context
        return try node.decoded(as: type, in: inner, at: codingPath)
    }
}

// MARK: - Shared steps

extension PropertyNode {
    /// Decodes this node as a type. The coding path is the path from the node where decoding began to this node. It is
    /// needed only for errors, like the index of an element of a list in text.
    func decoded<T: Decodable>(
        as type: T.Type, in context: ConversionContext, element: Int? = nil,
        at codingPath: @autoclosure () -> [any CodingKey]
    ) throws -> T {
        do throws(PropertyError) {
            try context.checkDepth(of: self)
            return try Conversion.decode(self, to: type, in: context)
        } catch {
            throw error.marked(element: element).asDecodingError(at: codingPath(), for: type)
        }
    }

    /// Returns the node at a path, or nil if there is none, and the path as messages write it.
    ///
    /// The path may consist of a type's own keys. Even the key of a table may have an `intValue`, so a key is an index
    /// only if its node is an array.
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

extension PropertyError {
    /// Returns the mismatch of the value at a path as the kind of `DecodingError` that `init(from:)` expects.
    @inline(never)
    fileprivate func asDecodingError(at codingPath: [any CodingKey], for type: Any.Type) -> DecodingError {
        let context = inside(codingPath.propertyPath).decodingContext(at: codingPath)
        if node?.isNull == true { return .valueNotFound(type, context) }
        return reason == .wrongType ? .typeMismatch(type, context) : .dataCorrupted(context)
    }

    /// Returns the context of a `DecodingError`, with the mismatch as its underlying error.
    func decodingContext(at codingPath: [any CodingKey]) -> DecodingError.Context {
        DecodingError.Context(codingPath: codingPath, debugDescription: "expected \(expected)", underlyingError: self)
    }
}

extension [any CodingKey] {
    /// The path as messages write it: `.servers[2].port`.
    ///
    /// Only a `PathKey` with a number is an index. A type's own key for a table may have an `intValue`, too.
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

/// A coding key of this decoder: an index of an array, or a key of a table.
struct PathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
    init(intValue: Int) { (stringValue, self.intValue) = (String(intValue), intValue) }
    /// Creates the key of a dictionary, which may be an integer.
    init(keyOfTable key: String) { (stringValue, intValue) = (key, Int(key)) }
}

extension TypeName {
    /// A value that no type is decoded from.
    private struct Nothing: Sendable {}

    /// Returns the noun for the values of a `Decodable` type, which is what its `init(from:)` expects first: "a string for
    /// UUID".
    static func noun(decoding type: any Decodable.Type) -> String {
        let node = PropertyNode(.opaque(OpaqueValue(Nothing()))), mismatch: PropertyError?
        do {
            _ = try type.init(from: NodeDecoder(node: node, codingPath: [], context: ConversionContext()))
            mismatch = nil
        } catch { mismatch = (error as? DecodingError)?.context?.underlyingError as? PropertyError }
        return "\(mismatch.map { $0.reason == .limit ? "a value" : $0.expected } ?? "a value") for \(type)"
    }
}

/// Decodes the values of a table by their keys.
struct TableContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let reader: TableReader

    init(_ reader: TableReader) { self.reader = reader }

    var codingPath: [any CodingKey] { reader.decoder.codingPath }

    // Returns the keys in the order of the table, because the order of a dictionary differs in each process.
    var allKeys: [Key] { reader.keys { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { reader.find(key.stringValue) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try reader.require(key, expected: "a value").isNull }

    // This generic method implements all decode methods of the protocol. It is inlined so that the methods for basic
    // types need no generic code.
    @inline(__always)
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        // The noun is computed only if the key is missing.
        guard let node = reader.find(key.stringValue) else {
            return try reader.decode(type, reader.require(key, expected: TypeName.noun(type)), key)
        }
        guard reader.decoder.context.hasRoom else { return try reader.decode(type, node, key) }
        return try BasicType.value(node.value, as: type) { try reader.decode(type, node, key) }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try reader.decoder(key, expected: "a table").container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try reader.decoder(key, expected: "an array").unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        try reader.decoder(PathKey(stringValue: "super"), expected: "a table")
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { try reader.decoder(key, expected: "a table") }
}

/// Decodes the elements of an array in order.
struct ArrayContainer: UnkeyedDecodingContainer {
    private let decoder: NodeDecoder
    private let nodes: [PropertyNode]
    private let isText: Bool
    /// The context of the elements.
    private let context: ConversionContext
    private(set) var currentIndex = 0

    init(_ list: ListElements, of decoder: NodeDecoder) {
        self.decoder = decoder
        (nodes, isText) = (list.nodes, list.isText)
        context = (list.isText ? decoder.context.insideText : decoder.context).nested
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { nodes.count }
    var isAtEnd: Bool { currentIndex >= nodes.count }

    mutating func decodeNil() throws -> Bool {
        guard let value = current else { throw missing(expected: "a value") }
        guard value.isNull else { return false }
        currentIndex += 1
        return true
    }

    // This generic method implements all decode methods of the protocol.
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try next { container in
            guard let value = container.current else { throw container.missing(expected: TypeName.noun(type)) }
            return try value.decoded(
                as: type, in: container.context, element: container.isText ? container.currentIndex : nil,
                at: container.path)
        }
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try next { try $0.decoder(expected: "a table").container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next { try $0.decoder(expected: "an array").unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder {
        try next { try $0.decoder(expected: "a value") }
    }

    /// Decodes the current element and, if that succeeds, moves on to the next element.
    private mutating func next<T>(_ decode: (Self) throws -> T) rethrows -> T {
        let value = try decode(self)
        currentIndex += 1
        return value
    }

    private var path: [any CodingKey] { codingPath + [PathKey(intValue: currentIndex)] }

    private func decoder(expected: String) throws -> NodeDecoder {
        guard let value = current else { throw missing(expected: expected) }
        return try NodeDecoder(inner: value, codingPath: path, context: context)
    }

    private var current: PropertyNode? { isAtEnd ? nil : nodes[currentIndex] }

    private func missing(expected: String) -> DecodingError {
        let mismatch = PropertyError(.missing, decoder.node, expected: expected).inside(path.propertyPath)
        return .valueNotFound(
            Any.self, .init(codingPath: path, debugDescription: "expected \(expected)", underlyingError: mismatch))
    }
}

/// Decodes the values of a table by their keys.
struct TableContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let node: PropertyNode
    let codingPath: [any CodingKey]
    let context: ConversionContext
    private let table: PropertyTable
    /// The nodes of a large table by their keys, or nil for a small table, which is searched.
    private let index: [PropertyKey: PropertyNode]?
    private let usedKeys: KeyUsage.UsedKeys?

    init(node: PropertyNode, table: PropertyTable, codingPath: [any CodingKey], context: ConversionContext) {
        self.node = node
        self.table = table
        self.codingPath = codingPath
        self.context = context
        index =
            table.count > 8
            ? Dictionary(table.map { (PropertyKey($0.key), $0.node) }, uniquingKeysWith: { _, later in later }) : nil
        usedKeys = context.keyUsage?.enter(node, at: PropertyKey(context.path + codingPath.propertyPath))
    }

    // Returns the keys in the order of the table, because the order of a dictionary differs in each process.
    var allKeys: [Key] {
        var seen: Set<PropertyKey> = []
        return table.compactMap { entry in
            let key = PropertyKey(entry.key)
            guard seen.insert(key).inserted, let typed = Key(stringValue: entry.key) else { return nil }
            usedKeys?.add(key)
            return typed
        }
    }

    func contains(_ key: Key) -> Bool { find(key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool {
        guard let node = find(key) else { throw missing(key, expected: "a value") }
        if case .null = node.value { return true }
        return false
    }

    // This generic method implements all decode methods of the protocol.
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        guard let value = find(key) else { throw missing(key, expected: TypeName.noun(type)) }
        return try value.decoded(as: type, at: codingPath + [key], in: context)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder(key, expected: "a table").container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key, expected: "an array").unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try decoder(PathKey(stringValue: "super"), expected: "a table") }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key, expected: "a table") }

    private func decoder(_ key: any CodingKey, expected: String) throws -> NodeDecoder {
        guard let value = find(key) else { throw missing(key, expected: expected) }
        return try NodeDecoder(inner: value, codingPath: codingPath + [key], context: context)
    }

    private func find(_ key: any CodingKey) -> PropertyNode? {
        let key = PropertyKey(key.stringValue)
        usedKeys?.add(key)
        if let index { return index[key] }
        return table[key.rawValue]
    }

    // Returns a `keyNotFound` error, because a type may catch that and use a default.
    private func missing(_ key: any CodingKey, expected: String) -> DecodingError {
        let mismatch = PropertyMismatch(.missing, node, expected: expected)
        return .keyNotFound(key, mismatch.inside((codingPath + [key]).propertyPath).decodingContext(at: codingPath))
    }
}

/// Decodes the elements of an array in order.
struct ArrayContainer: UnkeyedDecodingContainer {
    let node: PropertyNode
    let nodes: [PropertyNode]
    let codingPath: [any CodingKey]
    let context: ConversionContext
    private(set) var currentIndex = 0

    init(node: PropertyNode, nodes: [PropertyNode], codingPath: [any CodingKey], context: ConversionContext) {
        self.node = node
        self.nodes = nodes
        self.codingPath = codingPath
        self.context = context
    }

    var count: Int? { nodes.count }
    var isAtEnd: Bool { currentIndex >= nodes.count }

    mutating func decodeNil() throws -> Bool {
        guard case .null = try current(expected: "a value").value else { return false }
        currentIndex += 1
        return true
    }

    // This generic method implements all decode methods of the protocol.
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try next { try $0.current(expected: TypeName.noun(type)).decoded(as: type, at: $0.path, in: $0.context) }
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

    /// Decodes the current element and, if that succeeds, moves on to the next one.
    private mutating func next<T>(_ decode: (Self) throws -> T) rethrows -> T {
        let value = try decode(self)
        currentIndex += 1
        return value
    }

    private var path: [any CodingKey] { codingPath + [PathKey(intValue: currentIndex)] }

    private func decoder(expected: String) throws -> NodeDecoder {
        try NodeDecoder(inner: try current(expected: expected), codingPath: path, context: context)
    }

    private func current(expected: String) throws -> PropertyNode {
        guard !isAtEnd else {
            let mismatch = PropertyMismatch(.missing, node, expected: expected).inside(path.propertyPath)
            throw DecodingError.valueNotFound(
                Any.self,
                .init(codingPath: path, debugDescription: "expected \(expected)", underlyingError: mismatch))
        }
        return nodes[currentIndex]
    }
}

/// Decodes the keys of a table.
struct TableContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let node: PropertyNode
    let codingPath: [any CodingKey]
    private let entries: [PropertyKey: PropertyTable.Entry]

    init(node: PropertyNode, table: PropertyTable, codingPath: [any CodingKey]) {
        self.node = node
        self.codingPath = codingPath
        entries = Dictionary(table.map { (PropertyKey($0.key), $0) }, uniquingKeysWith: { _, later in later })
    }

    var allKeys: [Key] { entries.keys.compactMap { Key(stringValue: $0.rawValue) } }

    func contains(_ key: Key) -> Bool { entries[PropertyKey(key.stringValue)] != nil }

    func decodeNil(forKey key: Key) throws -> Bool {
        if case .null = try value(key, expected: "a value").value { true } else { false }
    }

    // One generic method is the witness of all the protocol's decode methods.
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try value(key, expected: TypeName.noun(type)).decoded(as: type, at: codingPath + [key])
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder(key, expected: "a table").container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key, expected: "an array").unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        guard let entry = entries["super"] else { throw missing(PathKey(stringValue: "super"), expected: "a table") }
        return NodeDecoder(node: entry.node, codingPath: codingPath + [PathKey(stringValue: "super")])
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key, expected: "a table") }

    private func decoder(_ key: Key, expected: String) throws -> NodeDecoder {
        NodeDecoder(node: try value(key, expected: expected), codingPath: codingPath + [key])
    }

    private func value(_ key: Key, expected: String) throws -> PropertyNode {
        guard let entry = entries[PropertyKey(key.stringValue)] else { throw missing(key, expected: expected) }
        return entry.node
    }

    private func missing(_ key: any CodingKey, expected: String) -> DecodingError {
        let mismatch = PropertyMismatch(.missing, node, expected: expected)
        let path = (codingPath + [key]).propertyPath
        return .keyNotFound(
            key,
            .init(
                codingPath: codingPath, debugDescription: "expected \(expected)",
                underlyingError: mismatch.inside(path)))
    }
}

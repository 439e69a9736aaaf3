/// Decodes the keys of a table.
struct TableContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let node: PropertyNode
    let codingPath: [any CodingKey]
    let binding: Binding?
    private let entries: [PropertyKey: PropertyNode]

    init(node: PropertyNode, table: PropertyTable, codingPath: [any CodingKey], binding: Binding?) {
        self.node = node
        self.codingPath = codingPath
        self.binding = binding
        entries = Dictionary(table.map { (PropertyKey($0.key), $0.node) }, uniquingKeysWith: { _, later in later })
        if let binding { binding.record.enter(node, at: binding.path + codingPath.propertyPath) }
    }

    var allKeys: [Key] {
        let keys = entries.keys.compactMap { Key(stringValue: $0.rawValue) }
        for key in keys { note(key) }
        return keys
    }

    func contains(_ key: Key) -> Bool { find(key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool {
        guard let node = find(key) else { throw missing(key, expected: "a value").asDecodingError(at: codingPath) }
        if case .null = node.value { return true }
        return false
    }

    // One generic method is the witness of all the protocol's decode methods.
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        let path = codingPath + [key]
        if let value = find(key) { return try value.decoded(as: type, at: path, in: binding) }
        do throws(PropertyMismatch) {
            let missing = PropertyMismatch(.missing, node, expected: TypeName.noun(type))
            guard let binding else { throw missing.inside(path.propertyPath) }
            return try binding.inside(path.propertyPath).collect(type) { (_) throws(PropertyMismatch) in throw missing }
        } catch {
            throw error.asDecodingError(at: path)
        }
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
        guard let value = find(key) else {
            throw missing(key, expected: expected).asDecodingError(at: codingPath + [key])
        }
        return NodeDecoder(node: value, codingPath: codingPath + [key], binding: binding)
    }

    private func find(_ key: any CodingKey) -> PropertyNode? {
        note(key)
        return entries[PropertyKey(key.stringValue)]
    }

    private func note(_ key: any CodingKey) {
        if let binding { binding.record.use(key.stringValue, at: binding.path + codingPath.propertyPath) }
    }

    private func missing(_ key: any CodingKey, expected: String) -> PropertyMismatch {
        PropertyMismatch(.missing, node, expected: expected).inside((codingPath + [key]).propertyPath)
    }
}

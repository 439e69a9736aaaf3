/// Finds the values of a table by their keys, and records which keys a type looks up.
///
/// It is not generic, unlike the container that uses it. It is a class, so that copies of the container are cheap.
final class TableReader {
    /// The decoder of the table.
    let decoder: NodeDecoder
    private let table: PropertyTable
    /// The indices of the entries of a large table by their keys, or nil for a small table, which is searched.
    private let indices: [PropertyKey: Int]?

    /// The maximum number of entries of a small table.
    private static let smallCount = 16

    init(_ table: PropertyTable, of decoder: NodeDecoder) {
        self.decoder = decoder
        self.table = table
        indices =
            table.count > Self.smallCount
            ? Dictionary(
                zip(table.entries.lazy.map { PropertyKey($0.key) }, table.entries.indices),
                uniquingKeysWith: { _, later in later }) : nil
        if let usage = decoder.context.usage { decoder.context.keyUsage?.enter(usage) }
    }

    /// Returns the index of the entry of a key, or nil if the table does not have the key.
    func find(_ key: String) -> Int? {
        let usage = decoder.context.usage
        guard let index = indices.map({ $0[PropertyKey(key)] }) ?? table.lastIndex(of: key) else {
            usage?.lookUp(absent: key)
            return nil
        }
        usage?.lookUp(index)
        return index
    }

    /// Returns the node of an entry.
    func node(at index: Int) -> PropertyNode { table.entries[index].node }

    /// Returns the keys in the order of the table, without duplicates and those for which `convert` returns nil.
    func keys<Key>(_ convert: (String) -> Key?) -> [Key] {
        var seen: Set<PropertyKey> = []
        return table.entries.indices.compactMap { index in
            let key = table.entries[index].key
            guard seen.insert(PropertyKey(key)).inserted, let converted = convert(key) else { return nil }
            decoder.context.usage?.lookUp(index)
            return converted
        }
    }

    /// Returns whether the value of a key is null.
    func decodeNil(_ key: any CodingKey) throws -> Bool {
        guard let index = find(key.stringValue) else { throw missing(key, expected: "a value") }
        return node(at: index).isNull
    }

    /// Decodes the value of an entry.
    func decode<T: Decodable>(_ type: T.Type, at index: Int, _ key: any CodingKey) throws -> T {
        let value = node(at: index)
        return try value.decoded(as: type, in: decoder.context.inside(index, value), at: decoder.codingPath + [key])
    }

    /// Returns the decoder of the value of a key.
    func decoder(_ key: any CodingKey, expected: String) throws -> NodeDecoder {
        guard let index = find(key.stringValue) else { throw missing(key, expected: expected) }
        let value = node(at: index)
        return try NodeDecoder(
            inner: value, codingPath: decoder.codingPath + [key], context: decoder.context.inside(index, value))
    }

    /// Returns a `keyNotFound` error, because a type may catch that and use a default.
    func missing(_ key: any CodingKey, expected: String) -> DecodingError {
        let path = (decoder.codingPath + [key]).propertyPath
        let mismatch = PropertyError(.missing, decoder.node, expected: expected).inside(path)
        return .keyNotFound(key, mismatch.decodingContext(at: decoder.codingPath))
    }
}

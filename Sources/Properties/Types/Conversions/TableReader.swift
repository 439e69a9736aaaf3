/// Finds the values of a table by their keys.
///
/// It is not generic, unlike the container that uses it. It is a class, so that copies of the container are cheap.
final class TableReader {
    /// The decoder of the table.
    let decoder: NodeDecoder
    private let table: PropertyTable
    /// The indices of the entries of a large table by their keys, or nil for a small table, which is searched.
    private lazy var indices = table.count > Self.smallCount ? table.positions : nil
    /// The index of the entry that was found last.
    private var last = 0

    /// The maximum number of entries of a small table.
    private static let smallCount = 16

    init(_ table: PropertyTable, of decoder: NodeDecoder) {
        self.decoder = decoder
        self.table = table
    }

    /// The context of the values of the table.
    var context: ConversionContext { decoder.context.nested }

    /// Returns the node of a key, or nil if the table does not have the key.
    func find(_ key: String) -> PropertyNode? {
        guard let index = index(of: key) else { return nil }
        last = index
        return table.entries[index].node
    }

    private func index(of key: String) -> Int? {
        // A type usually reads the keys in the order of the table, and asks for an optional key more than once.
        if table.isUnique {
            for index in last..<min(last + 2, table.count) where table.entries[index].key.isSame(as: key) {
                return index
            }
        }
        return indices.map { $0[PropertyKey(key)] } ?? table.lastIndex(of: key)
    }

    /// Returns the keys in the order of the table, without duplicates and without the keys that `convert` returns nil
    /// for.
    func keys<Key>(_ convert: (String) -> Key?) -> [Key] { table.uniqueEntries.compactMap { convert($0.key) } }

    /// Returns the node of a key. Throws a `keyNotFound` error if there is none, because a type may catch that and use a
    /// default.
    func require(_ key: any CodingKey, expected: String) throws -> PropertyNode {
        if let node = find(key.stringValue) { return node }
        let path = (decoder.codingPath + [key]).propertyPath
        let mismatch = PropertyError(.missing, decoder.node, expected: expected).inside(path)
        throw DecodingError.keyNotFound(key, mismatch.decodingContext(at: decoder.codingPath))
    }

    /// Decodes the node of a key.
    func decode<T: Decodable>(_ type: T.Type, _ node: PropertyNode, _ key: any CodingKey) throws -> T {
        try node.decoded(as: type, in: context, at: decoder.codingPath + [key])
    }

    /// Returns the decoder of the value of a key.
    func decoder(_ key: any CodingKey, expected: String) throws -> NodeDecoder {
        try NodeDecoder(
            inner: try require(key, expected: expected), codingPath: decoder.codingPath + [key], context: context)
    }
}

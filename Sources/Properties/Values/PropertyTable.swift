/// A table: keys and their nodes, in the order of the source.
///
/// Keys are kept as written and are compared byte by byte. Looking up a key takes linear time. A store does not look up
/// names in tables but in an index.
public struct PropertyTable: Sendable, RandomAccessCollection {
    /// A key, its place, and its node.
    public struct Entry: Sendable {
        /// The key as written. It is a single element of a path, even if it contains dots.
        public let key: String
        /// The place of the key in the node's source, or `PropertyOrigin.nowhere`.
        public let keyPlace: UInt32
        /// The value of the key.
        public var node: PropertyNode

        /// Creates an entry.
        ///
        /// - Parameters:
        ///   - key: the key as written.
        ///   - keyPlace: the place of the key in the node's source; by default the place of the value.
        ///   - node: the value of the key.
        public init(key: String, keyPlace: UInt32? = nil, node: PropertyNode) {
            self.key = key
            self.keyPlace = keyPlace ?? node.origin.place
            self.node = node
        }

        /// The origin of the key.
        public var keyOrigin: PropertyOrigin {
            PropertyOrigin(source: node.origin.source, place: keyPlace)
        }
    }

    // Hot loops access this array by index, because the subscript of the collection copies and retains each entry.
    let entries: [Entry]

    /// Creates a table from entries. If a key occurs twice, the later entry is used.
    public init(entries: [Entry] = []) {
        self.entries = entries
    }

    /// Creates a table from keys and values. They have no places.
    public init(_ pairs: some Sequence<(String, PropertyValue)>) {
        entries = pairs.map { Entry(key: $0.0, node: PropertyNode($0.1)) }
    }

    /// The node of a key of this table, or nil if the table has no such key. A dot in `key` is part of the key.
    public subscript(key: String) -> PropertyNode? { lastIndex(of: key).map { entries[$0].node } }

    /// Returns the index of the last entry with a key, or nil. If a key occurs twice, the later entry is used.
    func lastIndex(of key: String) -> Int? {
        let count = key.utf8.count
        return entries.indices.reversed().first {
            entries[$0].key.utf8.count == count && entries[$0].key.isSame(as: key)
        }
    }

    /// Returns a table with the same keys, in which a function replaces each node.
    func mapNodes<E: Error>(_ transform: (PropertyNode) throws(E) -> PropertyNode) throws(E) -> PropertyTable {
        var new = entries
        for index in new.indices { new[index].node = try transform(new[index].node) }
        return PropertyTable(entries: new)
    }

    /// The entries without those whose key occurs again later in the table.
    var uniqueEntries: [Entry] {
        var last: [PropertyKey: Int] = [:]
        for (index, entry) in enumerated() { last[PropertyKey(entry.key)] = index }
        return last.count == count ? entries : enumerated().filter { last[PropertyKey($1.key)] == $0 }.map(\.element)
    }

    /// Returns the table without duplicate keys. The last entry of each key stays. Tables inside this one are
    /// deduplicated too, except those in arrays.
    func deduplicated() -> PropertyTable {
        PropertyTable(
            entries: uniqueEntries.map { entry in
                guard case .table(let table) = entry.node.value else { return entry }
                var entry = entry
                entry.node.value = .table(table.deduplicated())
                return entry
            })
    }

    /// The position of the first entry: 0.
    public var startIndex: Int { 0 }
    /// The number of entries.
    public var endIndex: Int { entries.count }
    /// The entry at a position.
    public subscript(position: Int) -> Entry { entries[position] }
}

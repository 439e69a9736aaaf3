/// A table: keys and their nodes, in the order in which the source has them.
///
/// Keys are kept as written and compare byte by byte. Looking a key up walks the entries; the store
/// has an index of its own.
public struct PropertyTable: Sendable, RandomAccessCollection {
    /// A key with its place, and what it names.
    public struct Entry: Sendable {
        /// The key as written: one element of a path, dots included.
        public let key: String
        /// Where the key stands in the node's source; `PropertyOrigin.nowhere` where it stands nowhere.
        public let keyPlace: UInt32
        /// What the key names.
        public var node: PropertyNode

        /// Makes an entry; a `keyPlace` left out is the value's place.
        public init(key: String, keyPlace: UInt32? = nil, node: PropertyNode) {
            self.key = key
            self.keyPlace = keyPlace ?? node.origin.place
            self.node = node
        }

        /// Where the key stands.
        public var keyOrigin: PropertyOrigin {
            PropertyOrigin(source: node.origin.source, place: keyPlace)
        }
    }

    // Who goes over all of them does so here: the collection copies each entry, references counted.
    let entries: [Entry]

    /// Makes a table of entries whose keys differ. (Of two with one key the later counts when they are merged.)
    public init(entries: [Entry] = []) {
        self.entries = entries
    }

    /// Makes a table of keys and values that stand nowhere.
    public init(_ pairs: some Sequence<(String, PropertyValue)>) {
        entries = pairs.map { Entry(key: $0.0, node: PropertyNode($0.1)) }
    }

    /// The node of a key of this table, or nil. A dot in `key` is part of the key.
    public subscript(key: String) -> PropertyNode? {
        // The last, since of two entries with one key the later counts.
        entries.last { $0.key.utf8.elementsEqual(key.utf8) }?.node
    }

    /// The entries without those whose key occurs again later in the table.
    var uniqueEntries: [Entry] {
        var last: [PropertyKey: Int] = [:]
        for (index, entry) in enumerated() { last[PropertyKey(entry.key)] = index }
        return last.count == count ? entries : enumerated().filter { last[PropertyKey($1.key)] == $0 }.map(\.element)
    }

    /// The table with unique keys in it and in every table below it, except in arrays.
    func deduplicated() -> PropertyTable {
        PropertyTable(
            entries: uniqueEntries.map { entry in
                guard case .table(let table) = entry.node.value else { return entry }
                var entry = entry
                entry.node.value = .table(table.deduplicated())
                return entry
            })
    }

    /// The place of the first entry: 0.
    public var startIndex: Int { 0 }
    /// How many entries there are.
    public var endIndex: Int { entries.count }
    /// An entry by its place.
    public subscript(position: Int) -> Entry { entries[position] }
}

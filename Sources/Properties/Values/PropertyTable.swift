/// A table: keys and their nodes, in the order of the source.
///
/// Keys are kept as written and are compared byte by byte. Looking up a key takes linear time. A store does not look up
/// names in tables but in a hash table of all of them.
public struct PropertyTable: Sendable, RandomAccessCollection {
    /// A key, its place, and its node.
    public struct Entry: Sendable {
        /// The key as written. It is a single element of a path, even if it contains dots.
        public let key: String
        /// The place of the key in the node's source, or `PropertyOrigin.nowhere`.
        public let keyPlace: UInt32
        /// The ID of the layer that wrote the key: 0 until a store has applied the layer, and `impliedLayer` if no
        /// source writes it.
        var layer: UInt32 = 0
        /// In place of the ID of a layer, the mark of an implied table. No layer has this ID.
        private static let impliedLayer: UInt32 = .max
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

        /// Whether this is a table that its source does not write as a key: the table `api` of the key `api.timeout`.
        /// It is merged under both merge rules, and belongs to no layer.
        var isImplied: Bool { layer == Self.impliedLayer }

        /// Makes this the entry of a table that its source does not write. The ID of its layer is lost.
        mutating func markImplied() { layer = Self.impliedLayer }
    }

    /// The maximum number of nested tables and arrays in a layer.
    static let depthLimit = 1024

    // Hot loops access this array by index, because the subscript of the collection copies and retains each entry.
    var entries: [Entry] { didSet { isUnique = false } }
    /// Whether it is known that no key occurs twice.
    private(set) var isUnique = false

    /// Creates a table from entries. If a key occurs twice, the later entry is used.
    public init(entries: [Entry] = []) {
        self.entries = entries
    }

    /// Creates a table from entries with different keys.
    package init(uniqueEntries entries: [Entry]) {
        self.entries = entries
        isUnique = true
    }

    /// Creates a table from keys and values. They have no places.
    public init(_ pairs: some Sequence<(String, PropertyValue)>) {
        entries = pairs.map { Entry(key: $0.0, node: PropertyNode($0.1)) }
    }

    /// The node of a key of this table, or nil if the table has no such key. A dot in `key` is part of the key.
    public subscript(key: String) -> PropertyNode? { lastIndex(of: key).map { entries[$0].node } }

    /// Returns the index of the last entry with a key, or nil. If a key occurs twice, the later entry is used.
    func lastIndex(of key: String) -> Int? {
        entries.indices.last { entries[$0].key.isSame(as: key) }
    }

    /// Returns the node at a path, or nil if there is none.
    func node(at path: ArraySlice<String>) -> PropertyNode? {
        guard let key = path.first, let node = self[key] else { return nil }
        if path.count == 1 { return node }
        guard case .table(let inner) = node.value else { return nil }
        return inner.node(at: path.dropFirst())
    }

    /// Returns a table with the same keys, after a function has replaced each node.
    func mapNodes<E: Error>(_ transform: (PropertyNode) throws(E) -> PropertyNode) throws(E) -> PropertyTable {
        var new = entries
        for index in new.indices { new[index].node = try transform(new[index].node) }
        return PropertyTable(entries: new)
    }

    /// Removes the entries whose key occurs again later in the table, and changes each of the others.
    mutating func makeUnique(_ change: (inout Entry) -> Void) {
        if !hasUniqueKeys { entries = uniqueEntries }
        for index in entries.indices { change(&entries[index]) }
        isUnique = true
    }

    private var hasUniqueKeys: Bool {
        if isUnique { return true }
        // Most tables are small, and comparing a few keys is faster than a dictionary.
        guard count <= 8 else { return positions.count == count }
        return entries.indices.allSatisfy { lastIndex(of: entries[$0].key) == $0 }
    }

    /// The entries without those whose key occurs again later in the table.
    var uniqueEntries: [Entry] {
        if isUnique { return entries }
        let last = positions
        return last.count == count ? entries : enumerated().filter { last[PropertyKey($1.key)] == $0 }.map(\.element)
    }

    /// The index of the last entry of each key.
    var positions: [PropertyKey: Int] {
        var positions = [PropertyKey: Int](minimumCapacity: count)
        for index in entries.indices { positions[PropertyKey(entries[index].key)] = index }
        return positions
    }

    /// The position of the first entry: 0.
    public var startIndex: Int { 0 }
    /// The number of entries.
    public var endIndex: Int { entries.count }
    /// The entry at a position.
    public subscript(position: Int) -> Entry { entries[position] }
}

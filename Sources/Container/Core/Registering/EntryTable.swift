/// The entry of a container for a key.
struct Entry {
    let key: ServiceKey
    var registration: Registration?
    /// The place of the registration that this registration has replaced, if it is another place.
    var replacedPlace: SourcePlace?
    /// The shared instance of the registration, complete or under construction. If `registration` is nil, it belongs to
    /// a registration of a parent container.
    var shared: SharedInstance?
    /// The instance of `shared` itself if it is complete and all callers may take it, or a value that was given to a
    /// child. Many threads read it, so that they do not retain `shared`.
    var instance: StoredInstance?
}

/// The entries of a container by their keys, in the order of their addition.
struct EntryTable {
    /// An array, because reading its element retains only the returned parts, unlike reading a dictionary.
    // `Array.span` needs macOS 26.
    var all: ContiguousArray<Entry> = []
    /// The indices of the keys, if there are more keys than `searchLimit`.
    private var indices: [ServiceKey: Int] = [:]

    /// The maximum number of entries that are searched one by one. This is faster than a dictionary, and a child for a
    /// request has no more of them.
    private static var searchLimit: Int { 8 }

    /// The index of a key, or nil.
    @inline(__always)
    borrowing func index(of key: ServiceKey) -> Int? {
        all.count > Self.searchLimit ? indices[key] : Self.search(for: key, in: all)
    }

    // A function of its own, so that lookups among many entries stay small.
    @inline(never)
    private static func search(for key: ServiceKey, in all: ContiguousArray<Entry>) -> Int? {
        let entries = all.span
        for index in entries.indices where entries[index].key == key { return index }
        return nil
    }

    /// Adds the entry of a key that has none, and returns its index.
    @discardableResult
    mutating func append(_ entry: Entry) -> Int {
        if all.isEmpty { all.reserveCapacity(6) }
        let index = all.count
        all.append(entry)
        if index == Self.searchLimit {
            for (index, entry) in all.enumerated() { indices[entry.key] = index }
        } else if index > Self.searchLimit {
            indices[entry.key] = index
        }
        return index
    }
}

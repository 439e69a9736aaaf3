internal import Properties

/// Collects the entries of one dictionary, each key once: of two values the later one counts.
struct PlistEntries {
    private(set) var entries: [PropertyTable.Entry] = []
    // By bytes: comparing strings by their characters takes time that grows with the square of a run of combining ones.
    private var indexes: [PropertyKey: Int] = [:]

    /// The table of all entries.
    var table: PropertyTable { PropertyTable(entries: entries) }

    /// Where a key stands that is already there; nil for a new one.
    func place(of key: PropertyKey) -> UInt32? {
        indexes[key].map { entries[$0].keyPlace }
    }

    /// Adds a value, or replaces that of the same key.
    mutating func set(_ node: PropertyNode, for key: PropertyKey, at place: UInt32) {
        let entry = PropertyTable.Entry(key: key.rawValue, keyPlace: place, node: node)
        if let index = indexes[key] {
            entries[index] = entry
        } else {
            indexes[key] = entries.count
            entries.append(entry)
        }
    }
}

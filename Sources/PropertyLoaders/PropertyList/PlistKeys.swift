/// The entries of one dictionary, watched for keys that stand twice.
struct PlistKeys {
    /// What the dictionary holds, each key once: of two the later value counts.
    private(set) var entries: [PlistShape.Entry] = []
    private var indexes: [String: Int] = [:]

    /// Whether a key is there already.
    enum Place {
        case new
        /// The same bytes; where the first one stands.
        case again(at: UInt32)
        /// Other bytes for the same characters, which Foundation's dictionaries take for the same key.
        case lookAlike(at: UInt32)
    }

    func place(of key: String) -> Place {
        guard let index = indexes[key] else { return .new }
        let entry = entries[index]
        return entry.key.utf8.elementsEqual(key.utf8) ? .again(at: entry.keyPlace) : .lookAlike(at: entry.keyPlace)
    }

    mutating func set(_ entry: PlistShape.Entry) {
        if let index = indexes[entry.key] {
            entries[index] = entry
        } else {
            indexes[entry.key] = entries.count
            entries.append(entry)
        }
    }
}

/// A dictionary in which setting a value is cheap, although an earlier copy of the dictionary is still in use.
struct GrowingDictionary<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// Each part has more keys than the next one. So a new value copies few of the others. The value of a later part
    /// replaces that of an earlier one.
    private var parts: [[Key: Value]] = []

    var isEmpty: Bool { parts.isEmpty }

    /// All values by key.
    var all: [Key: Value] {
        guard var all = parts.first else { return [:] }
        for part in parts.dropFirst() { all.merge(part) { $1 } }
        return all
    }

    /// The value of a key.
    subscript(key: Key) -> Value? { parts.last { $0[key] != nil }?[key] }

    /// Sets the value of a key.
    mutating func set(_ key: Key, to value: Value) {
        parts.append([key: value])
        while parts.count > 1, parts[parts.count - 2].count <= parts[parts.count - 1].count {
            let last = parts.removeLast()
            parts[parts.count - 1].merge(last) { $1 }
        }
    }
}

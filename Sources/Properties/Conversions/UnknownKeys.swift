/// What happens to keys in a source that nobody reads.
public enum UnknownKeys: Sendable {
    /// Unknown keys are ignored.
    case ignored
    /// Each unknown key is passed to a function, such as one that logs it.
    case reported(@Sendable (PropertyError) -> Void)
    /// Each unknown key is an error.
    case refused

    /// Ignores or reports unknown keys.
    ///
    /// - Parameter unknown: the unknown keys, found only if they are needed.
    /// - Returns: those that are errors.
    func handle(_ unknown: @autoclosure () -> [PropertyError]) -> [PropertyError] {
        switch self {
        case .ignored: return []
        case .refused: return unknown()
        case .reported(let report):
            for problem in unknown() { report(problem) }
            return []
        }
    }
}

/// Records which keys the bound types look up, so that all others can be reported as unknown.
final class KeyUsage {
    // Paths from the bound value, as PropertyKey to compare them by bytes: Swift normalises strings to compare them,
    // which is slow for long keys and can make two paths equal.
    private var tables: [(path: PropertyKey, node: PropertyNode)] = []
    private var usedKeys: [PropertyKey: Set<PropertyKey>] = [:]

    /// A key that no type looked up.
    struct UnknownKey {
        /// The path from the bound value.
        let path: String
        /// The place of the key.
        let origin: PropertyOrigin
        /// The keys that a type looked up in the same table and that the table does not have.
        let candidates: Candidates
    }

    /// The number of tables recorded so far, to be passed to `forget(since:)`.
    var mark: Int { tables.count }

    /// Records that a type looks up keys in a table.
    func enter(_ node: PropertyNode, at path: PropertyKey) {
        guard usedKeys[path] == nil else { return }
        usedKeys[path] = []
        tables.append((path, node))
    }

    /// Records that a type looked up a key.
    func use(_ key: PropertyKey, at path: PropertyKey) {
        usedKeys[path, default: []].insert(key)
    }

    /// The keys that a type looked up in a table, or nil if none did.
    func keys(at path: PropertyKey) -> Set<PropertyKey>? { usedKeys[path] }

    /// Removes the tables that were recorded since a mark.
    ///
    /// A type that failed may have stopped before it looked up all its keys, and a type that recovers from a failure
    /// reads other tables or other keys.
    func forget(since mark: Int) {
        for table in tables[mark...] { usedKeys[table.path] = nil }
        tables.removeLast(tables.count - mark)
    }

    /// The keys that no type looked up, in the order of the tables.
    var unknownKeys: [UnknownKey] {
        tables.flatMap { unknownKeys(in: $0.node, at: $0.path) }
    }

    private func unknownKeys(in node: PropertyNode, at path: PropertyKey) -> [UnknownKey] {
        guard case .table(let table) = node.value, let used = usedKeys[path] else { return [] }
        let keys = table.map { PropertyKey($0.key) }
        let absent = used.subtracting(keys).map(\.rawValue).sorted { $0.precedes($1) }
        return zip(table, keys).filter { !used.contains($0.1) }.map { entry, _ in
            UnknownKey(
                path: "\(path).\(entry.key)", origin: entry.keyOrigin,
                candidates: Candidates(written: entry.key, names: absent))
        }
    }
}

/// What happens to keys in a source that nobody reads.
public enum UnknownKeys: Sendable {
    /// Unknown keys are ignored.
    case ignored
    /// Each unknown key is passed to a function, such as one that logs it.
    case reported(@Sendable (PropertyError) -> Void)
    /// Each unknown key is an error.
    case refused

    /// Whether each unknown key is an error.
    var areRefused: Bool { if case .refused = self { true } else { false } }

    /// Ignores or reports unknown keys, or returns them as errors.
    ///
    /// - Parameter unknown: the errors about unknown keys, computed only if they are needed.
    /// - Returns: the errors that the caller must throw.
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

/// Records which keys the types in a bound value look up, so that all others can be reported as unknown.
final class KeyUsage {
    // The paths begin at the value that `bind` reads. As `PropertyKey` they are compared by bytes. Swift compares
    // strings after Unicode normalisation, which is slow for long keys and can make two different paths equal.
    private var tables: [(path: PropertyKey, node: PropertyNode)] = []
    private var usedKeys: [PropertyKey: UsedKeys] = [:]

    /// The keys that types looked up in a table.
    final class UsedKeys {
        fileprivate(set) var keys: Set<PropertyKey> = []
        func add(_ key: PropertyKey) { keys.insert(key) }
    }

    /// A key that no type looked up.
    struct UnknownKey {
        /// The path from the value that `bind` reads.
        let path: String
        /// The place of the key.
        let origin: PropertyOrigin
        /// The keys that a type looked up in the same table and did not find. One of them may have been meant.
        let candidates: Candidates
    }

    /// The number of tables recorded so far, to be passed to `forget(since:)`.
    var mark: Int { tables.count }

    /// Records a table in which a type looks up keys.
    ///
    /// - Returns: the place for the keys that it looks up.
    func enter(_ node: PropertyNode, at path: PropertyKey) -> UsedKeys {
        if let used = usedKeys[path] { return used }
        let used = UsedKeys()
        usedKeys[path] = used
        tables.append((path, node))
        return used
    }

    /// Returns the keys that a type looked up in a table, or nil if no type looks up keys there.
    func keys(at path: PropertyKey) -> Set<PropertyKey>? { usedKeys[path]?.keys }

    /// Removes the tables that were recorded since a mark.
    ///
    /// This is called when a type fails. The type may have stopped before it looked up all its keys, and another type
    /// that catches the error may look up other keys.
    func forget(since mark: Int) {
        for table in tables[mark...] { usedKeys[table.path] = nil }
        tables.removeLast(tables.count - mark)
    }

    /// The keys that no type looked up, in the order of the tables.
    var unknownKeys: [UnknownKey] {
        tables.flatMap { unknownKeys(in: $0.node, at: $0.path) }
    }

    private func unknownKeys(in node: PropertyNode, at path: PropertyKey) -> [UnknownKey] {
        guard case .table(let table) = node.value, let used = usedKeys[path]?.keys else { return [] }
        let keys = table.map { PropertyKey($0.key) }
        let absent = used.subtracting(keys).map(\.rawValue).sorted { $0.precedes($1) }
        return zip(table, keys).filter { !used.contains($0.1) }.map { entry, _ in
            UnknownKey(
                path: "\(path).\(entry.key)", origin: entry.keyOrigin,
                candidates: Candidates(written: entry.key, names: absent))
        }
    }
}

extension [RecordedReads] {
    /// Returns how what was read differs from the current properties of a store, sorted by name.
    package func changes(in store: PropertyStore) -> [PropertyChange<PropertyEntry>] {
        let current = store.current
        var changes: [PropertyKey: PropertyChange<PropertyEntry>] = [:]
        for change in flatMap(\.all).flatMap({ current.changes(of: $0.key, since: $0.node) }) {
            changes[PropertyKey(change.name)] = change
        }
        return changes.values.sorted(byName: \.name)
    }
}

extension RecordedReads {
    /// Ends the recording.
    ///
    /// - Parameter store: the store that was read.
    /// - Returns: whether the current properties are those that were read. Otherwise `changes(in:)` shows what differs.
    package func end(in store: PropertyStore) -> Bool {
        stop()
        return [self].changes(in: store).isEmpty
    }
}

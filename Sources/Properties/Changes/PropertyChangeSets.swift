/// The changes of all properties, or of those below a name, as a sequence of sets: one for each new state of the store.
///
/// The sequence contains all changes since it was created. It ends when the store is deallocated or the task is
/// cancelled. A new state without changes produces no set. The sequence supports one reader. If the reader falls behind
/// by more than 64 states, the changes of several states arrive in one set.
public struct PropertyChangeSets: AsyncSequence, Sendable {
    /// The changes of one state, sorted by name; never empty.
    public typealias Element = [PropertyChange<PropertyEntry>]
    /// The sequence does not throw.
    public typealias Failure = Never

    private let prefix: String?
    private let first: MergedState
    private let later: AsyncStream<MergedState>

    init(under prefix: String?, in store: PropertyStore) {
        self.prefix = prefix
        (first, later) = StateFeed.states(of: store)
    }

    /// The properties at the time when the sequence was created, sorted by name.
    public var current: [PropertyEntry] { first.entries(under: prefix).sorted(byName: \.name) }

    /// Creates an iterator that begins with the first changes after `current`.
    public func makeAsyncIterator() -> Iterator {
        Iterator(prefix: prefix, state: first, later: later.makeAsyncIterator())
    }

    /// The iterator of a sequence of changes.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let prefix: String?
        fileprivate var state: MergedState
        fileprivate var later: AsyncStream<MergedState>.Iterator

        /// Waits for the next changes. Returns nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
            while let new = await later.next(isolation: actor) {
                let changes = new.changes(since: state, under: prefix)
                state = new
                if !changes.isEmpty { return changes }
            }
            return nil
        }
    }
}

extension MergedState {
    /// Returns all leaves with a value at a name or below it. Nil means all names.
    fileprivate func entries(under prefix: String?) -> [PropertyEntry] {
        names.all.filter { $0.isLeaf && !$0.node.isNull }.map { entry($0) }.filter { $0.isUnder(prefix) }
    }

    fileprivate func changes(since old: MergedState, under prefix: String?) -> [PropertyChange<PropertyEntry>] {
        let before = old.entriesByName(under: prefix), after = entriesByName(under: prefix)
        let keys = Set(before.keys).union(after.keys).sorted(byName: \.rawValue)
        return keys.compactMap { key in
            let (old, new) = (before[key], after[key])
            if let old, let new, PropertyValue.isSame(old.node.value, new.node.value) { return nil }
            return PropertyChange(
                name: key.rawValue, old: old, new: new, origin: (new ?? old)?.node.origin,
                isSecret: old?.isSecret == true || new?.isSecret == true,
                error: new == nil ? error(of: key) : nil)
        }
    }

    private func entriesByName(under prefix: String?) -> [PropertyKey: PropertyEntry] {
        Dictionary(entries(under: prefix).map { (PropertyKey($0.name), $0) }) { $1 }
    }

    /// Returns the error if a name has no value although a source has it.
    private func error(of key: PropertyKey) -> PropertyError? {
        cause(of: key).map { PropertyError($0, at: key.rawValue, expected: "a value", self) }
    }
}

extension PropertyEntry {
    fileprivate func isUnder(_ prefix: String?) -> Bool {
        guard let prefix else { return true }
        let rest = name.utf8.dropFirst(prefix.utf8.count)
        return name.utf8.starts(with: prefix.utf8) && (rest.isEmpty || rest.first == UInt8(ascii: "."))
    }
}

extension PropertyReading<PropertyStore> {
    /// Returns the changes of all properties from now on, one set for each new state.
    ///
    ///     for await changes in store.changes(under: "api") {
    ///         for change in changes { print(change) }
    ///     }
    ///
    /// - Parameter prefix: the flat name of a property or table, or nil for all properties. The empty name refers to
    ///   the key `""`.
    /// - Returns: the sequence of changes.
    public func changes(under prefix: String? = nil) -> PropertyChangeSets {
        properties.record.add(prefix.map { PropertyKey($0) }, nil)
        properties.record.count(prefix.map { PropertyKey($0) })
        return PropertyChangeSets(under: prefix, in: properties)
    }
}

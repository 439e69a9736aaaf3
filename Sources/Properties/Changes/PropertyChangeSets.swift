/// The changes of all properties, or of those below a name: one set for each time that a source was applied or reloaded.
///
/// It begins when it is made, and ends when the store goes away or the task is cancelled. A step that changed nothing
/// has no set. It is for one reader; to one that falls behind by more than 64 steps, several come as one.
public struct PropertyChangeSets: AsyncSequence, Sendable {
    /// What one step changed, sorted by name; never empty.
    public typealias Element = [PropertyChange<PropertyEntry>]
    /// Nothing fails.
    public typealias Failure = Never

    private let prefix: String?
    private let first: PropertySnapshot
    private let later: AsyncStream<PropertySnapshot>

    init(under prefix: String?, in store: PropertyStore) {
        self.prefix = prefix
        (first, later) = StateFeed.states(of: store)
    }

    /// The properties when the sequence was made, sorted by name.
    public var current: [PropertyEntry] { first.entries(under: prefix) }

    /// Begins with the first changes after `current`.
    public func makeAsyncIterator() -> Iterator {
        Iterator(prefix: prefix, state: first, later: later.makeAsyncIterator())
    }

    /// Waits for one set of changes after the other.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let prefix: String?
        fileprivate var state: PropertySnapshot
        fileprivate var later: AsyncStream<PropertySnapshot>.Iterator

        /// The next changes, or nil at the end.
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

extension PropertySnapshot {
    /// All leaves that hold a value and are, or are below, a name; sorted.
    fileprivate func entries(under prefix: String?) -> [PropertyEntry] {
        leaves.map { entry(at: $0) }
            .filter { $0.isUnder(prefix) }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    fileprivate func changes(since old: PropertySnapshot, under prefix: String?) -> [PropertyChange<PropertyEntry>] {
        let before = old.entries(under: prefix)[...], after = entries(under: prefix)[...]
        return Self.pairs(before, after).compactMap { old, new in
            if let old, let new, PropertyValue.isSame(old.node.value, new.node.value) { return nil }
            return PropertyChange(
                name: (new ?? old)?.name ?? "", old: old, new: new, origin: (new ?? old)?.node.origin,
                isSecret: old?.isSecret == true || new?.isSecret == true)
        }
    }

    // Both are sorted, so that one walk finds who is in both.
    private static func pairs(
        _ before: ArraySlice<PropertyEntry>, _ after: ArraySlice<PropertyEntry>
    ) -> [(PropertyEntry?, PropertyEntry?)] {
        var (before, after) = (before, after)
        var pairs: [(PropertyEntry?, PropertyEntry?)] = []
        while let old = before.first, let new = after.first {
            if old.name.utf8.elementsEqual(new.name.utf8) {
                pairs.append((before.removeFirst(), after.removeFirst()))
            } else if old.name.utf8.lexicographicallyPrecedes(new.name.utf8) {
                pairs.append((before.removeFirst(), nil))
            } else {
                pairs.append((nil, after.removeFirst()))
            }
        }
        return pairs + before.map { ($0, nil) } + after.map { (nil, $0) }
    }

    private var leaves: some Sequence<Int> {
        tree.elements.indices.lazy.filter { index in
            switch self.tree.elements[index].node.value {
            case .null: false
            case .table: self.tree.elements[index].firstChild == PropertyTree.none
            default: true
            }
        }
    }
}

extension PropertyEntry {
    fileprivate func isUnder(_ prefix: String?) -> Bool {
        guard let prefix else { return true }
        let rest = name.utf8.dropFirst(prefix.utf8.count)
        return name.utf8.starts(with: prefix.utf8) && (rest.isEmpty || rest.first == UInt8(ascii: "."))
    }
}

extension PropertyReading {
    /// The changes of all properties from now on, one set a step.
    ///
    ///     for await changes in store.changes(under: "api") {
    ///         for change in changes { print(change) }
    ///     }
    ///
    /// - Parameter prefix: the name that they are below, or nil for all properties. The empty name is that of the key `""`.
    public func changes(under prefix: String? = nil) -> PropertyChangeSets {
        properties.record.add(prefix.map { PropertyKey($0) }, nil)
        return PropertyChangeSets(under: prefix, in: properties)
    }
}

/// The typed changes of one property, as a sequence that ends when the store is deallocated or the task is cancelled.
///
/// The sequence contains all changes after `current`, even if its iteration begins later. It supports one reader.
public struct PropertyChanges<Value>: AsyncSequence, Sendable {
    /// One change.
    public typealias Element = PropertyChange<Value>
    /// The sequence does not throw.
    public typealias Failure = Never

    private let key: PropertyKey
    private let first: MergedState
    private let later: AsyncStream<MergedState>

    init(_ key: PropertyKey, in store: PropertyStore) {
        self.key = key
        (first, later) = StateFeed.states(of: store)
    }

    /// The value at the time when the sequence was created, or nil if it is missing, null, or cannot be converted to
    /// `Value`.
    public var current: Value? { try? first.value(key, as: Value.self) }

    /// Creates an iterator that begins with the first change after `current`.
    public func makeAsyncIterator() -> Iterator {
        Iterator(key: key, state: first, later: later.makeAsyncIterator())
    }

    /// The iterator of a sequence of changes.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let key: PropertyKey
        fileprivate var state: MergedState
        fileprivate var later: AsyncStream<MergedState>.Iterator

        /// Waits for the next change. Returns nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
            while let new = await later.next(isolation: actor) {
                let old = state
                state = new
                if let change = PropertyChange<Value>(of: key, from: old, to: new) { return change }
            }
            return nil
        }
    }
}

extension PropertyChange {
    /// Creates the change of a property between two states. The result is nil if its value is the same in both.
    fileprivate init?(of key: PropertyKey, from old: MergedState, to new: MergedState) {
        let name = key.rawValue, oldNode = old.node(key), newNode = new.node(key)
        guard !PropertyValue.isSame(oldNode?.value ?? .null, newNode?.value ?? .null) else { return nil }
        let before = try? old.value(key, as: Value.self)
        let after: Value?
        var failure: PropertyError?
        do throws(PropertyError) {
            after = try new.value(key, as: Value.self)
        } catch {
            after = nil
            failure = error
        }
        // Different source values can have the same typed value: the text "5" and the integer 5 are equal as integers.
        if failure == nil, PropertyValue.areEqual(before as Any, after as Any) { return nil }
        let isSecret =
            oldNode.map { old.holdsSecret(name, $0) } == true || newNode.map { new.holdsSecret(name, $0) } == true
        self.init(
            name: name, old: before, new: after, origin: (newNode ?? oldNode)?.origin, isSecret: isSecret,
            error: failure)
    }
}

extension PropertyReading {
    /// Returns the typed changes of a property from now on.
    ///
    /// A table can be read as a dictionary or a `Decodable` type. Each change of a value in the table is then a change.
    ///
    ///     let timeouts = store.changes(of: "api.timeout", as: Int.self)
    ///     use(timeouts.current ?? 30)
    ///     for await change in timeouts { use(change.new ?? 30) }
    ///
    /// - Parameters:
    ///   - name: the flat name.
    ///   - type: the type to read it as.
    /// - Returns: the sequence of changes.
    public func changes<T>(of name: String, as type: T.Type = T.self) -> PropertyChanges<T> {
        changes(of: PropertyKey(name), as: type)
    }

    /// Returns the typed changes of a property from now on.
    ///
    /// - Parameters:
    ///   - key: the property's key.
    ///   - type: the type to read it as.
    /// - Returns: the sequence of changes.
    public func changes<T>(of key: PropertyKey, as type: T.Type = T.self) -> PropertyChanges<T> {
        properties.record.add(key, nil)
        return PropertyChanges(key, in: properties)
    }
}

/// The changes of one property, typed, as a sequence that ends when the store goes away or the task is cancelled.
///
/// It begins when it is made: all that comes after `current` is in it, whenever the first change is asked for. It is
/// for one reader.
public struct PropertyChanges<Value>: AsyncSequence, Sendable {
    /// One change.
    public typealias Element = PropertyChange<Value>
    /// Nothing fails.
    public typealias Failure = Never

    private let key: PropertyKey
    private let first: PropertySnapshot
    private let later: AsyncStream<PropertySnapshot>

    init(_ key: PropertyKey, in store: PropertyStore) {
        self.key = key
        (first, later) = StateFeed.states(of: store)
    }

    /// The value when the sequence was made, or nil where it is absent, null, or not exactly a `Value`.
    public var current: Value? { try? first.value(key, as: Value.self) }

    /// Begins with the first change after `current`.
    public func makeAsyncIterator() -> Iterator {
        Iterator(key: key, state: first, later: later.makeAsyncIterator())
    }

    /// Waits for one change after the other.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let key: PropertyKey
        fileprivate var state: PropertySnapshot
        fileprivate var later: AsyncStream<PropertySnapshot>.Iterator

        /// The next change, or nil at the end.
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
    /// Nil where nothing changed.
    fileprivate init?(of key: PropertyKey, from old: PropertySnapshot, to new: PropertySnapshot) {
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
        // The text "5" and the integer 5 are one value to who reads an integer.
        if failure == nil, PropertyValue.areEqual(before as Any, after as Any) { return nil }
        let isSecret =
            oldNode.map { old.holdsSecret(name, $0) } == true || newNode.map { new.holdsSecret(name, $0) } == true
        self.init(
            name: name, old: before, new: after, origin: (newNode ?? oldNode)?.origin, isSecret: isSecret,
            error: failure)
    }
}

extension PropertyReading {
    /// The changes of a property from now on, typed.
    ///
    /// A table's name gives the changes of all that is in it, as a dictionary or a `Decodable` type.
    ///
    ///     let timeouts = store.changes(of: "api.timeout", as: Int.self)
    ///     use(timeouts.current ?? 30)
    ///     for await change in timeouts { use(change.new ?? 30) }
    ///
    /// - Parameters:
    ///   - name: the flat name.
    ///   - type: the type to read it as.
    public func changes<T>(of name: String, as type: T.Type = T.self) -> PropertyChanges<T> {
        changes(of: PropertyKey(name), as: type)
    }

    /// The changes of a property from now on, typed.
    ///
    /// - Parameters:
    ///   - key: the property's key.
    ///   - type: the type to read it as.
    public func changes<T>(of key: PropertyKey, as type: T.Type = T.self) -> PropertyChanges<T> {
        properties.record.add(key, nil)
        return PropertyChanges(key, in: properties)
    }
}

/// The typed changes of one property, as a sequence that ends when the store is deallocated or the task is cancelled.
///
/// The sequence contains all changes after `current`, even if its iteration begins later. It supports one reader.
public struct PropertyChanges<Value>: AsyncSequence, Sendable {
    /// One change.
    public typealias Element = PropertyChange<Value>
    /// The sequence does not throw.
    public typealias Failure = Never

    private let property: ObservedProperty<Value>
    private let first: MergedState
    private let later: AsyncStream<MergedState>

    fileprivate init(_ property: ObservedProperty<Value>, in store: PropertyStore) {
        store.record.add(property.key, nil)
        store.record.count(property.key)
        self.property = property
        (first, later) = StateFeed.states(of: store)
    }

    /// The value at the time when the sequence was created, or nil if it is missing, null, or cannot be converted to
    /// `Value`. The default of a typed key replaces a missing value.
    public var current: Value? { try? property.value(in: first) }

    /// Creates an iterator that begins with the first change after `current`.
    public func makeAsyncIterator() -> Iterator {
        Iterator(property: property, state: first, later: later.makeAsyncIterator())
    }

    /// The iterator of a sequence of changes.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let property: ObservedProperty<Value>
        fileprivate var state: MergedState
        fileprivate var later: AsyncStream<MergedState>.Iterator

        /// Waits for the next change. Returns nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
            while let new = await later.next(isolation: actor) {
                let old = state
                state = new
                if let change = PropertyChange<Value>(of: property, from: old, to: new) { return change }
            }
            return nil
        }
    }
}

/// A property, and how it is read.
private struct ObservedProperty<Value>: Sendable {
    let key: PropertyKey
    var isSecret = false
    /// Reads a typed key. If it is nil, the property is read as a `Value`.
    var read: (@Sendable (MergedState) throws(PropertyError) -> Value?)?

    func value(in state: MergedState) throws(PropertyError) -> Value? {
        if let read { return try read(state) }
        return try state.value(key, as: Value.self)
    }
}

extension PropertyChange {
    /// Creates the change of a property between two states. The result is nil if its value is the same in both.
    fileprivate init?(of property: ObservedProperty<Value>, from old: MergedState, to new: MergedState) {
        let key = property.key, name = key.rawValue, oldNode = old.node(key), newNode = new.node(key)
        guard !PropertyValue.isSame(oldNode?.value ?? .null, newNode?.value ?? .null) else { return nil }
        let before = try? property.value(in: old)
        let after: Value?
        var failure: PropertyError?
        do throws(PropertyError) {
            after = try property.value(in: new)
        } catch {
            after = nil
            failure = error
        }
        // Different source values can have the same typed value: the text "5" and the integer 5 are equal as integers.
        if failure == nil, PropertyValue.areEqual(before as Any, after as Any) { return nil }
        let isSecret =
            property.isSecret || oldNode.map { old.holdsSecret(name, $0) } == true
            || newNode.map { new.holdsSecret(name, $0) } == true
        self.init(
            name: name, old: before, new: after, origin: (newNode ?? oldNode)?.origin, isSecret: isSecret,
            error: failure)
    }
}

extension PropertyReading<PropertyStore> {
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
        PropertyChanges(ObservedProperty(key: key), in: properties)
    }

    /// Returns the changes of a property from now on, as values of the key's type.
    ///
    ///     for await change in store.changes(of: .port) {
    ///         if let port = change.new { restart(on: port) } else if let error = change.error { log(error) }
    ///     }
    ///
    /// The default of the key replaces a missing value. If a new value is wrong or the key's check refuses it, the
    /// change has an error instead.
    ///
    /// - Parameter key: the property's key.
    /// - Returns: the sequence of changes.
    public func changes<Value>(of key: TypedKey<Value>) -> PropertyChanges<Value> {
        let property = ObservedProperty(key: key.key, isSecret: key.isSecret) { (state) throws(PropertyError) in
            try key.read(state) ?? key.defaultValue
        }
        return PropertyChanges(property, in: properties)
    }
}

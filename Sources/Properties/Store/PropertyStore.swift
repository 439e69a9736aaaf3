import Synchronization

/// The flat property store: layers of sources, merged in the order in which they were applied.
///
/// A `Container` has one; it also works on its own. Reads take no lock and see one whole state; a source that fails to
/// load changes nothing.
public final class PropertyStore: Sendable, PropertyReading {
    /// The store whose properties this one inherits.
    public let parent: PropertyStore?
    /// Who is told of each new state.
    let observers = Observers()
    /// Never nil.
    let published = AtomicReference(PropertySnapshot.empty)
    // Taken by writers only.
    private let writing = Mutex<Void>(())

    /// Makes an empty store.
    ///
    /// - Parameter parent: a store to read from as if this store's sources had been applied after its.
    public init(parent: PropertyStore? = nil) {
        self.parent = parent
    }

    /// The store itself.
    public var properties: PropertyStore { self }

    /// Loads a source and merges what it says over what is there.
    ///
    /// A source that was applied before (one of the same identity) gives up what it said then, and counts as the latest.
    ///
    /// - Throws: what the loader throws, or a `PropertyLoadError` where two paths of the source have one flat name.
    ///   The store stays as it was.
    public func apply(_ loader: some PropertyLoader) throws {
        try apply([loader])
    }

    /// Loads several sources and merges what they say in their order, in one step: all of them count, or none.
    ///
    /// - Throws: what the first loader that fails throws. The store stays as it was.
    public func apply(_ loaders: [any PropertyLoader]) throws {
        let placeholders = state.placeholders
        let sources = try loaders.map { try AppliedSource($0, placeholders) }
        _ = try changeLayers { state in
            for source in sources { state.apply(source) }
            return true
        }
    }

    /// All properties that hold a value or a null, sorted by name: no tables but empty ones, with what the parents have.
    public var entries: [PropertyEntry] {
        let snapshot = snapshot
        return snapshot.tree.elements.indices
            .filter {
                !snapshot.tree.elements[$0].isTable || snapshot.tree.elements[$0].firstChild == PropertyTree.none
            }
            .map { PropertyEntry(snapshot, $0) }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// A property and its history: the value that counts first, then what it overrode, the latest first.
    ///
    /// A null that masks earlier values is in it. The list is empty where no source says the name.
    public func explain(_ name: String) -> [PropertyEntry] {
        let snapshot = snapshot
        let key = PropertyKey(name)
        return snapshot.find(key) == nil ? [] : snapshot.history(of: key)
    }

    /// All that there is, as a table.
    package var root: PropertyTable { snapshot.tree.root }

    // Ends the sequences of changes: they hold the store weakly, and find it gone.
    deinit { observers.notify() }
}

// MARK: - States

extension PropertyStore {
    /// The current state, the parents' included.
    var snapshot: PropertySnapshot {
        if let parent, published.isCurrent(.empty) { return parent.snapshot }
        let own = published.copy() ?? .empty
        guard let parent else { return own }
        return isFresh(own) ? own : rebuilt(own, over: parent.snapshot)
    }

    /// What the store has of its own.
    var state: StoreState { published.withCurrent { $0.state } ?? StoreState() }

    /// Changes what the store has of its own, but its layers.
    func change(_ body: (inout StoreState) -> Void) {
        // What a name may mean can become ambiguous by a declaration: the next change of a layer says so.
        _ = exchange(evenWithCollision: true) { state in
            body(&state)
            return true
        }
    }

    /// Changes the layers, unless the body gives false. It gives the same.
    ///
    /// - Throws: the layers' collision. The store stays as it was.
    func changeLayers(_ body: (inout StoreState) -> Bool) throws(PropertyLoadError) -> Bool {
        try exchange(body).get() != nil
    }

    private func exchange(
        evenWithCollision: Bool = false, _ body: (inout StoreState) -> Bool
    ) -> Result<PropertySnapshot?, PropertyLoadError> {
        // What is replaced is given out of the lock, since its last release may run a user's deinit.
        let outcome = writing.withLock { _ -> Result<PropertySnapshot?, PropertyLoadError> in
            var state = state
            guard body(&state) else { return .success(nil) }
            let new = PropertySnapshot(state, above: parent?.snapshot)
            if let collision = new.collision, !evenWithCollision { return .failure(collision) }
            return .success(published.exchange(new))
        }
        if case .success(.some) = outcome { observers.notify() }
        return outcome
    }

    /// Whether no store above has changed since a state of this store was made.
    ///
    /// A state holds the one above it, so an address that is still the published one is the same object.
    func isFresh(_ own: PropertySnapshot) -> Bool {
        guard let parent else { return true }
        guard let above = own.above else { return false }
        return parent.isCurrent(above)
    }

    private func isCurrent(_ state: PropertySnapshot) -> Bool {
        if let parent, published.isCurrent(.empty) { return parent.isCurrent(state) }
        return published.isCurrent(state) && isFresh(state)
    }

    // Who reads first after a change above makes the state that the others then find. No lock: whoever else reads in the
    // meantime makes the same state for itself.
    private func rebuilt(_ own: PropertySnapshot, over above: PropertySnapshot) -> PropertySnapshot {
        let new = PropertySnapshot(own.state, above: above)
        _ = published.replace(own, with: new)
        return new
    }
}

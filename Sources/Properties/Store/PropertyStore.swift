import Synchronization

/// The flat property store: layers of sources, merged in the order in which they were applied.
///
/// A `Container` has one; it also works on its own. Reads take no lock and see one whole state; a source that fails to
/// load changes nothing.
@safe public final class PropertyStore: Sendable, PropertyReading {
    /// The store whose properties this one inherits.
    public let parent: PropertyStore?
    /// Who is told of each new state.
    let observers = Observers()
    /// Never nil.
    let published = AtomicReference(PropertySnapshot.empty)
    // `parent` for the reads, which count no references. Safe: `parent` keeps it alive as long as this is.
    let unownedParent: Unmanaged<PropertyStore>?
    // Shared with the stores above and below.
    let record: ReadRecord
    // Taken by writers only.
    private let writing = Mutex<Void>(())

    /// Makes an empty store.
    ///
    /// A store that has sources of its own merges all layers, its parents' too, when something above has changed: once,
    /// at the first read after it. A change above thus costs each store below what loading as many properties does.
    ///
    /// - Parameter parent: a store to read from as if this store's sources had been applied after its.
    public init(parent: PropertyStore? = nil) {
        self.parent = parent
        unsafe unownedParent = parent.map { unsafe Unmanaged.passUnretained($0) }
        record = parent?.record ?? ReadRecord()
    }

    /// The store itself.
    public var properties: PropertyStore { self }

    /// Loads a source and merges what it says over what is there.
    ///
    /// A source of the same identity that was applied before is removed; see ``PropertySource/identity``. Any other source
    /// is a new one each time it is applied, and its values stay until the store goes away.
    ///
    /// - Throws: what the loader throws, or a `PropertyLoadError` where two paths of the source have one flat name.
    ///   The store stays as it was.
    public func apply(_ loader: some PropertyLoader) throws {
        try apply([loader])
    }

    /// Loads several sources and merges what they say in their order, in one step: all of them count, or none.
    ///
    /// Each replaces the earlier applications of its identity; none replaces another one of these.
    ///
    /// - Throws: what the first loader that fails throws. The store stays as it was.
    public func apply(_ loaders: [any PropertyLoader]) throws {
        let state = state
        let sources = try loaders.map { try AppliedSource($0, for: state) }
        _ = try changeLayers { state in
            state.apply(sources)
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
            .map { snapshot.entry(at: $0) }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// A property and its history: the value that counts first, then what it overrode, the latest first.
    ///
    /// A null that masks earlier values is in it. Where a later source replaced a table that the property was in, the first
    /// entry is what replaced the table, under the table's name. The list is empty where no source has the name.
    public func explain(_ name: String) -> [PropertyEntry] { snapshot.history(of: PropertyKey(name)) }

    /// All properties as nested dictionaries of natural Swift values. A null has no entry.
    ///
    /// - Throws: a `PropertyError` where two keys of a table are one to a dictionary, or one is too long, or where the
    ///   placeholders of a property lead to nothing any more.
    public var dictionary: [String: Any] {
        get throws(PropertyError) {
            record.add(nil, nil)
            let snapshot = snapshot
            if let cause = snapshot.cause(ofTable: nil) {
                throw PropertyError(cause, at: nil, expected: TypeName.noun([String: Any].self), snapshot)
            }
            do throws(PropertyMismatch) {
                let root = PropertyNode(.table(snapshot.tree.root))
                return try Conversion.convert(
                    root, to: [String: Any].self, in: .reading(keyLimit: snapshot.keyLimit))
            } catch {
                throw PropertyError(error, at: nil, snapshot)
            }
        }
    }

    /// Limits the keys of tables that are read as Swift dictionaries or `Decodable` types, here and in the stores below: 4,096
    /// bytes by default.
    ///
    /// The store compares names by bytes. A dictionary compares them by characters, which takes time quadratic in the
    /// number of combining characters that follow each other.
    ///
    /// - Parameter bytes: the greatest size of a key.
    public func limitDictionaryKeys(to bytes: Int) {
        change { $0.keyLimit = bytes }
    }

    /// What the sources have that is no error but most likely a mistake: what each said when it was loaded, and where
    /// one has a table over another one's plain value, or the reverse.
    ///
    /// Before them stands what has become wrong since the sources were applied, by a declaration or by a change of the
    /// parent: a name that may mean several now, a placeholder whose property is gone. `verify` throws it.
    public var warnings: [PropertyLoadError] { snapshot.warnings }

    /// Makes it an error for a source to have a table over another one's plain value, or the reverse.
    ///
    /// - Throws: the first one that there is already.
    public func refuseKindChanges() throws(PropertyLoadError) {
        _ = try changeLayers {
            $0.refusesKindChanges = true
            return true
        }
    }

    /// How many bytes a flat name may have unless `limitNames(to:)` changes it: 8 KB. Flat names repeat the keys of the
    /// tables that they are in, so without a limit a small file can have a listing of any size.
    public static let defaultNameLimit = 8 << 10

    /// Sets how many bytes a flat name may have in the sources that are applied to this store from now on.
    public func limitNames(to bytes: Int) {
        change { $0.nameLimit = max(bytes, 0) }
    }

    /// Replaces placeholders in all sources that are applied to this store from now on.
    ///
    ///     store.replacePlaceholders(.properties.environment())
    ///
    /// Whoever can write to any of the sources decides what is looked up: allow what all of them may read.
    ///
    /// - Parameter placeholders: the rules for sources that have none of their own; left out, placeholders lead to other
    ///   properties only; nil ends it.
    public func replacePlaceholders(_ placeholders: PropertyPlaceholders? = .properties) {
        change { $0.placeholders = placeholders }
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
        // What a name may mean can become ambiguous by a declaration: `warnings` and `verify` say so.
        _ = exchange(evenWithFailure: true) { state in
            body(&state)
            return true
        }
    }

    /// Changes the layers, unless the body gives false. It gives the same.
    ///
    /// - Throws: what is wrong with the layers together. The store stays as it was.
    func changeLayers(_ body: (inout StoreState) -> Bool) throws(PropertyLoadError) -> Bool {
        try exchange(body).get() != nil
    }

    private func exchange(
        evenWithFailure: Bool = false, _ body: (inout StoreState) -> Bool
    ) -> Result<PropertySnapshot?, PropertyLoadError> {
        // What is replaced is given out of the lock, since its last release may run a user's deinit.
        let outcome = writing.withLock { _ -> Result<PropertySnapshot?, PropertyLoadError> in
            var state = state
            guard body(&state) else { return .success(nil) }
            let new = PropertySnapshot(state, above: parent?.snapshot)
            if let failure = new.failure, !evenWithFailure { return .failure(failure) }
            return .success(published.exchange(new))
        }
        if case .success(.some) = outcome { observers.notify() }
        return outcome
    }

    // Who reads first after a change above makes the state that the others then find. No lock: whoever else reads in the
    // meantime makes the same state for itself.
    private func rebuilt(_ own: PropertySnapshot, over above: PropertySnapshot) -> PropertySnapshot {
        let new = PropertySnapshot(own.state, above: above)
        _ = published.replace(own, with: new)
        return new
    }
}

// MARK: - Text

extension PropertyStore: CustomStringConvertible, CustomReflectable {
    /// All properties, one a line, with their origins; secrets are masked.
    public var description: String {
        entries.map(\.description).joined(separator: "\n")
    }

    /// The description's lines.
    public var customMirror: Mirror {
        Mirror(self, unlabeledChildren: entries.map(\.description), displayStyle: .collection)
    }
}

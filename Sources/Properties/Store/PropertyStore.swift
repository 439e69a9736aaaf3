import Synchronization

/// The flat property store: layers of sources, merged in the order in which they were applied.
///
/// A `Container` has one; it also works on its own. Reads see one whole state; a source that fails to load changes
/// nothing.
public final class PropertyStore: Sendable, PropertyReading {
    /// The store whose properties this one inherits.
    public let parent: PropertyStore?
    private let layers = Mutex<[PropertyLayer]>([])
    private let published: Published<PropertySnapshot>

    /// Makes an empty store.
    ///
    /// - Parameter parent: a store to read from as if this store's sources had been applied after its.
    public init(parent: PropertyStore? = nil) {
        self.parent = parent
        published = Published(PropertySnapshot(layers: [], above: parent?.snapshot))
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
        var layer = try loader.load()
        if layer.source == nil { layer.source = PropertySource(name: String(describing: type(of: loader))) }
        try apply(layer)
    }

    /// All properties that hold a value, sorted by name: no tables but empty ones, with what the parents have.
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
        return snapshot.tree.find(key) == nil ? [] : snapshot.history(of: key)
    }

    /// All that there is, as a table.
    package var root: PropertyTable { snapshot.tree.root }

    /// The current state, the parents' included.
    var snapshot: PropertySnapshot {
        let own = published.load()
        guard let parent else { return own }
        let above = parent.snapshot
        return own.above === above ? own : rebuilt(over: above)
    }

    private func apply(_ layer: PropertyLayer) throws(PropertyLoadError) {
        let above = parent?.snapshot
        // What is replaced is given out of the lock, since its last release may run a user's deinit.
        let outcome = layers.withLock { layers -> Result<(PropertySnapshot, [PropertyLayer]), PropertyLoadError> in
            var new = layers.filter { $0.source?.identity != layer.source?.identity }
            new.append(layer)
            let snapshot = PropertySnapshot(layers: new, above: above)
            if let collision = snapshot.collision { return .failure(collision) }
            let old = (published.exchange(snapshot), layers)
            layers = new
            return .success(old)
        }
        _ = try outcome.get()
    }

    private func rebuilt(over above: PropertySnapshot) -> PropertySnapshot {
        let (snapshot, _) = layers.withLock { layers in
            let snapshot = PropertySnapshot(layers: layers, above: above)
            return (snapshot, published.exchange(snapshot))
        }
        return snapshot
    }
}

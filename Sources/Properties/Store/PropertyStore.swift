/// The flat property store: layers of sources, merged in the order in which they were applied.
public final class PropertyStore: Sendable, PropertyReading {
    /// The store whose properties this one inherits.
    public let parent: PropertyStore?

    /// Makes an empty store.
    ///
    /// - Parameter parent: a store to read from as if this store's sources had been applied after its.
    public init(parent: PropertyStore? = nil) {
        self.parent = parent
    }

    public var properties: PropertyStore { self }

    /// Loads a source and merges what it says over what is there.
    ///
    /// - Throws: what the loader throws, or a `PropertyLoadError` where two paths of the source have one flat name.
    ///   The store stays as it was.
    public func apply(_ loader: some PropertyLoader) throws {
        _ = try loader.load()
    }
}

/// A source of properties.
///
/// The loaders that come with the package are ones; so is whatever returns a layer:
///
///     struct BuildInfoLoader: PropertyLoader {
///         func load() throws -> PropertyLayer {
///             ["build.number": 4711, "build.features": ["a", "b"]]
///         }
///     }
public protocol PropertyLoader: Sendable {
    /// Reads the source, anew on each call.
    ///
    /// - Returns: what the source says.
    /// - Throws: a `PropertyLoadError` where the source cannot be read as what it should be. Any other error is
    ///   passed on as it is. The store stays as it was.
    func load() throws -> PropertyLayer
}

extension PropertyLoader {
    /// Loads the layer; one without a source gets one with the name of the loader's type.
    package func namedLayer() throws -> PropertyLayer {
        var layer = try load()
        if layer.source == nil { layer.source = PropertySource(name: String(describing: type(of: self))) }
        return layer
    }
}

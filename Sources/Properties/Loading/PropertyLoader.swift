/// A source of properties.
///
/// The package comes with loaders for many formats. A custom loader returns a layer:
///
///     struct BuildInfoLoader: PropertyLoader {
///         func load() throws -> PropertyLayer {
///             ["build.number": 4711, "build.features": ["a", "b"]]
///         }
///     }
public protocol PropertyLoader: Sendable {
    /// Reads the source. Each call reads it again.
    ///
    /// - Returns: the values of the source.
    /// - Throws: a `PropertyLoadError` if the source cannot be read. The store passes on any other error, too, and
    ///   stays as it was.
    func load() throws -> PropertyLayer
}

extension PropertyLoader {
    /// Loads the layer. If it has no source, it gets one with the name of the loader's type.
    package func namedLayer() throws -> PropertyLayer {
        var layer = try load()
        if layer.source == nil { layer.source = PropertySource(name: String(describing: type(of: self))) }
        return layer
    }
}

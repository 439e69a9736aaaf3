/// A type that loads properties from a source.
///
/// The package comes with loaders for many formats. A custom loader returns a layer:
///
///     struct BuildInfoLoader: PropertyLoader {
///         func load() throws -> PropertyLayer {
///             ["build.number": 4711, "build.features": ["a", "b"]]
///         }
///     }
///
/// Where a source may be awaited, a synchronous loader can be used too.
public protocol PropertyLoader<Loaded>: AsyncPropertyLoader {
    /// Reads the source. Each call reads the source again.
    ///
    /// - Returns: the values of the source.
    /// - Throws: a `PropertyLoadError` if the source cannot be read. The store also passes on any other error. In both
    ///   cases it does not change.
    func load() throws -> Loaded
}

/// A type that a loader can return: `PropertyLayer`, or a type that converts to it.
public protocol PropertyLayerConvertible {
    /// The values as a layer.
    ///
    /// - Throws: an error if a value cannot be converted. The store does not change then.
    var propertyLayer: PropertyLayer { get throws }
}

extension PropertyLayer: PropertyLayerConvertible {
    /// The layer itself.
    public var propertyLayer: PropertyLayer { self }
}

extension PropertyLoader {
    /// Loads the layer. If the layer has no source, sets one with the name of the loader's type.
    package func namedLayer() throws -> PropertyLayer { named(try load().propertyLayer) }
}

/// A loader that keeps values of its source for later starts.
package protocol KeepingLoader: AsyncPropertyLoader {
    /// The loader for a process that serves nobody: it uses the values that others have kept, and keeps nothing.
    var withoutKeeping: Self { get }
}

/// A loader that knows before it loads its source whether all its values are secret.
package protocol SecretLoader {
    /// Whether all values are secret.
    var isSecret: Bool { get }
}

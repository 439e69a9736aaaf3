import Properties

/// A source that knows its name for messages before it is loaded.
///
/// Printing or dumping it shows the name and nothing else that it holds, since any of that may be secret.
package protocol NamedSource: CustomStringConvertible, CustomReflectable {
    var sourceName: String { get }
}

extension NamedSource {
    /// The name that messages use.
    public var description: String { sourceName }

    /// The description alone.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// A loader that changes the layer of what it loads: how it is merged, or what makes it the same source again.
protocol AdjustingLoader: PropertyLoader {
    /// Makes the same changes to the empty layer of a missing source.
    ///
    /// Two loaders of one missing file stay two sources, so that both load it when it appears.
    func adjusted(_ emptyLayer: PropertyLayer) -> PropertyLayer
}

extension PropertyLoader {
    /// The layer that an optional source has while it is missing.
    func adjustedIfNeeded(_ emptyLayer: PropertyLayer) -> PropertyLayer {
        (self as? any AdjustingLoader)?.adjusted(emptyLayer) ?? emptyLayer
    }
}

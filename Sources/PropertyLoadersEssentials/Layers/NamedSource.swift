import Properties

/// A source whose name for messages is known before it is loaded.
///
/// `print` and `dump` show only this name, since the other properties of the source may contain secrets.
package protocol NamedSource: CustomStringConvertible, CustomReflectable {
    var sourceName: String { get }
}

extension NamedSource {
    /// The name that messages use.
    public var description: String { sourceName }

    /// A mirror that contains only the description.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// A loader that changes properties of its layer, such as the merge rule or the identity of the source.
protocol AdjustingLoader: PropertyLoader {
    /// Returns the empty layer of a missing source with the same changes as those of a loaded layer.
    ///
    /// Without the changes, two loaders of one missing file (such as two with different prefixes) would have the same
    /// identity. A store would keep only one of them, and would not load the other when the file appears.
    func adjusted(_ emptyLayer: PropertyLayer) -> PropertyLayer
}

extension PropertyLoader {
    /// Returns the layer of an optional source while the source is missing.
    func adjustedIfNeeded(_ emptyLayer: PropertyLayer) -> PropertyLayer {
        (self as? any AdjustingLoader)?.adjusted(emptyLayer) ?? emptyLayer
    }
}

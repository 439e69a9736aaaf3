public import Container
import PropertyLoadersEssentials

/// Lets a loader return a dictionary, as in SwinjectPropertyLoader. A value replaces an earlier value of its key whole.
@available(*, deprecated, message: "Return a PropertyLayer from load(). It can be the same dictionary literal")
extension Dictionary: PropertyLayerConvertible where Key == String, Value == Any {
    /// The dictionary as a layer.
    ///
    /// - Throws: a `PropertyLoadError` if two keys have the same path, or a value contains itself.
    public var propertyLayer: PropertyLayer {
        get throws {
            let values = try compactMap { key, value in
                try StructPropertyLoader(unchecked: ["value": value]).load().table["value"].map { (key, $0.value) }
            }
            return PropertyLayer(PropertyTable(values), merge: .firstLevel)
        }
    }
}

extension PropertyLayer {
    /// Returns the value of a flat name, or nil.
    ///
    /// - Parameter name: the flat name: the elements of the path joined with dots.
    @available(
        *, deprecated, message: "Apply the loader to a container or a PropertyStore, and read with property(_:)"
    )
    public subscript(name: String) -> Any? { store.property(name) }

    /// The flat names, sorted.
    @available(
        *, deprecated, message: "Apply the loader to a container or a PropertyStore, and read properties.entries"
    )
    public var keys: [String] { store.entries.map(\.name) }

    /// A store with only this layer. It is empty if two paths of the layer have the same flat name.
    private var store: PropertyStore {
        let store = PropertyStore()
        try? store.apply(LayerLoader(layer: self))
        return store
    }
}

private struct LayerLoader: PropertyLoader {
    let layer: PropertyLayer
    func load() -> PropertyLayer { layer }
}

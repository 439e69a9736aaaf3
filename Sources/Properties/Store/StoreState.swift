/// What a store has of its own: the sources that were applied to it, and the keys that were declared.
struct StoreState: Sendable {
    /// The layers, in the order in which they count.
    var layers: [PropertyLayer] = []
    /// The declarations by name; a later one of the same name replaces the earlier one.
    var declarations: [PropertyKey: KeyDeclaration] = [:]

    /// Puts a layer on top, in place of an earlier one of the same source.
    mutating func apply(_ layer: PropertyLayer) {
        layers.removeAll { $0.source?.identity == layer.source?.identity }
        layers.append(layer)
    }
}

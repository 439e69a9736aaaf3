/// One state of a store, whole and never changed.
final class PropertySnapshot: Sendable {
    /// The layers as they were loaded: those of the stores above this one, then its own.
    private let loaded: [PropertyLayer]
    /// The same with all names in their final spelling.
    let layers: [PropertyLayer]
    /// What the layers come to.
    let tree: PropertyTree
    /// The state of the parent that this one was made over.
    let above: PropertySnapshot?
    /// Two paths of one layer that have one flat name, or a name that may mean several.
    let collision: PropertyLoadError?

    init(layers: [PropertyLayer], above: PropertySnapshot? = nil) {
        loaded = (above?.loaded ?? []) + layers
        self.above = above
        // A child may know a spelling that its parent does not, so it spells its parent's names anew.
        let spelled = LooseNames.spell(loaded)
        self.layers = spelled.layers
        let merge = PropertyMerge(self.layers)
        tree = merge.tree
        collision = spelled.failure ?? merge.collision
    }

    /// The node of a flat name; nil where there is none, `.null` where a source masks it.
    func node(_ key: PropertyKey) -> PropertyNode? {
        tree.find(key).map { tree.node(at: $0) }
    }

    /// The value of a flat name, or nil where it is missing or null.
    func read<T>(_ key: PropertyKey, as type: T.Type) throws(PropertyMismatch) -> T? {
        guard let index = tree.find(key) else { return nil }
        let node = tree.node(at: index)
        if case .null = node.value { return nil }
        return try Conversion.convert(node, to: type)
    }

    /// Whether the layer that set an element is secret.
    func isSecret(_ index: Int) -> Bool {
        layers[Int(tree.elements[index].layer)].isSecret
    }

    /// What each layer in turn made of a name, the latest first: the value that counts, then what it overrode.
    func history(of key: PropertyKey) -> [PropertyEntry] {
        var history: [PropertyEntry] = []
        for count in layers.indices.map({ $0 + 1 }) {
            let state = PropertySnapshot(layers: Array(layers.prefix(count)))
            guard let index = state.tree.find(key), state.tree.elements[index].layer == count - 1 else { continue }
            history.append(PropertyEntry(state, index))
        }
        return history.reversed()
    }
}

/// An immutable state of a store, which includes the state of its parents.
@safe final class MergedState: Sendable {
    /// The state of the store itself.
    let state: StoreState
    /// The state of the parent on which this one is based.
    let above: MergedState?
    // An unmanaged copy of `above`, so that reads need no retain and release. Safe because `above` keeps the object
    // alive.
    let unownedAbove: Unmanaged<MergedState>?
    /// The layers as loaded: the layers of the stores above, then the layers of this store.
    private let loaded: [PropertyLayer]
    /// The layers of `loaded`, with all names in their final spelling.
    let layers: [PropertyLayer]
    /// The merged layers.
    let tree: PropertyTree
    /// The index of the tree's names.
    let index: NameIndex
    /// The maximum size of a key of a dictionary, in bytes.
    let keyLimit: Int
    /// The keys that were declared in this store or above.
    private let declaredKeys: Set<PropertyKey>
    /// The keys that were declared secret in this store or above.
    let secretKeys: Set<PropertyKey>
    /// The first contradiction between the layers, or nil: two paths with one flat name, an ambiguous name, a
    /// placeholder without a value, or a refused change of kind.
    ///
    /// A change of this store's layers that causes a failure is refused. A declaration or a change of a parent may also
    /// cause one, but cannot be refused. That state is published, and `warnings` and `verify` report the failure.
    let failure: PropertyLoadError?
    /// The errors of elements with a placeholder that has no value, and of the tables that contain such elements, by
    /// the index of the element.
    private let placeholderFailures: [Int: PropertyLoadError]
    /// Warnings about tables that replace plain values, or the reverse.
    private let kindChanges: [PropertyLoadError]
    /// For each layer, whether its store refuses tables that replace plain values, and the reverse.
    private let refusals: [Bool]
    /// Whether a layer changed a value at a path other than the layer's own path for the name.
    let hasDisplaced: Bool

    /// The state of a store without sources or settings. If the store has a parent, reads go to the parent instead.
    static let empty = MergedState(StoreState())

    init(_ state: StoreState, above: MergedState? = nil) {
        self.state = state
        self.above = above
        unsafe unownedAbove = above.map { unsafe Unmanaged.passUnretained($0) }
        loaded = above.map { $0.loaded + state.layers } ?? state.layers
        keyLimit = state.keyLimit ?? above?.keyLimit ?? ConversionContext.defaultKeyLimit
        declaredKeys = (above?.declaredKeys ?? []).union(state.declarations.keys)
        // The names of the parents' layers are matched again, since a layer of this store may have a spelling that the
        // parents do not have.
        let spelled = LooseNames.spell(loaded, declared: declaredKeys)
        layers = spelled.layers
        let own = state.declarations.values.filter(\.isSecret).map(\.key)
        let secretKeys = (above?.secretKeys ?? []).union(own)
        self.secretKeys = secretKeys
        let merge = PropertyMerge(layers)
        let replaced = PlaceholderPass.run(merge.tree, layers) { Self.isDeclared($0, in: secretKeys) }
        var tree = replaced.tree
        // Reads use `index` instead of the merge's hash table.
        tree.slots = []
        self.tree = tree
        placeholderFailures = replaced.failures
        index = NameIndex(tree)
        kindChanges = merge.kindChanges.warnings()
        hasDisplaced = merge.hasDisplaced
        let refusals = (above?.refusals ?? []) + state.layers.map { _ in state.refusesKindChanges }
        self.refusals = refusals
        let changes = merge.firstKindChanges.filter { refusals[Int($0.key)] }
        let refused = changes.min { $0.key < $1.key }?.value
        let failure = spelled.failure ?? merge.collision ?? replaced.failure ?? refused
        self.failure = failure.map { secretKeys.isEmpty ? $0 : $0.withoutLines() }
    }

    /// The failure, if there is one, followed by likely mistakes in the sources.
    ///
    /// If any key was declared secret, the warnings show no lines of sources, because a line may contain the value of
    /// the key.
    var warnings: [PropertyLoadError] {
        // A refused change of kind is already among `kindChanges`.
        let failures = failure.map { $0.reason == .kindChange ? [] : [$0] } ?? []
        let warnings = failures + layers.flatMap(\.warnings) + kindChanges
        return secretKeys.isEmpty ? warnings : warnings.map { $0.withoutLines() }
    }

    /// Returns the index of the element of a flat name, or nil.
    func find(_ key: PropertyKey) -> Int? {
        let hit = lookUp(key.rawValue, key.nameHash)
        return hit.kind == .missing ? nil : Int(hit.index)
    }

    /// Whether the value of an element is from the environment or a similar source.
    func isFromLooseLayer(_ index: Int) -> Bool { loaded[Int(tree.elements[index].layer)].spelling == .loose }

    /// Returns the node of a flat name: nil if there is none, a null node if a null hides the value.
    func node(_ key: PropertyKey) -> PropertyNode? {
        find(key).map { tree.node(at: $0) }
    }

    /// Whether a flat name has a value, and not only a null.
    func has(_ key: PropertyKey) -> Bool { node(key).map { !$0.isNull } ?? false }

    /// Returns the property of an element, with its contents if it is a table.
    func entry(at index: Int) -> PropertyEntry {
        PropertyEntry(name: tree.name(of: index), node: tree.node(at: index), isSecret: isSecret(index, of: tree))
    }

    /// Returns the node of a name, or all properties as a table for the name nil. The result is nil if the name is
    /// missing or null.
    func table(_ name: String?) -> PropertyNode? {
        guard let name else { return PropertyNode(.table(tree.root)) }
        guard let node = node(PropertyKey(name)), !node.isNull else { return nil }
        return node
    }

    /// Returns the value of a flat name, or nil if it is missing or null.
    func read<T>(_ key: PropertyKey, as type: T.Type) throws(PropertyMismatch) -> T? {
        guard let index = find(key) else { return nil }
        let node = tree.node(at: index)
        if case .null = node.value { return nil }
        return try Conversion.convert(node, to: type, in: .reading(keyLimit: keyLimit))
    }

    /// If a placeholder in a property, or in a value inside it, has no value, returns the error. A nil key means all
    /// properties.
    func cause(of key: PropertyKey?) -> PropertyLoadError? {
        if placeholderFailures.isEmpty { return nil }
        let cause =
            if let key { find(key).flatMap { placeholderFailures[$0] } } else {
                placeholderFailures.min { $0.key < $1.key }?.value
            }
        return secretKeys.isEmpty ? cause : cause?.withoutLines()
    }

    /// Throws if a property, or a value nested in it, contains a placeholder that could not be replaced. A nil key
    /// checks all properties.
    ///
    /// The error is thrown even if the caller has a default: it replaces a missing property, not an invalid one.
    func checkPlaceholders(_ key: PropertyKey?, expected: @autoclosure () -> String) throws(PropertyError) {
        guard let cause = cause(of: key) else { return }
        throw PropertyError(cause, at: key?.rawValue, expected: expected(), self)
    }

    /// Returns the value of a flat name, which must exist.
    func required<T>(_ key: PropertyKey, as type: T.Type) throws(PropertyError) -> T {
        if let value = try value(key, as: type) { return value }
        throw PropertyError(missing: key.rawValue, expected: TypeName.noun(type), self)
    }

    /// Returns the value of a flat name, or nil if it is missing or null. Throws the `PropertyError` that the reader
    /// receives.
    func value<T>(_ key: PropertyKey, as type: T.Type) throws(PropertyError) -> T? {
        try checkPlaceholders(key, expected: TypeName.noun(type))
        do {
            return try read(key, as: type)
        } catch {
            throw PropertyError(error, at: key.rawValue, self)
        }
    }
}

extension MergedState: CustomReflectable {
    /// Empty, because a dump of an object that refers to a state would otherwise show the secrets in it.
    var customMirror: Mirror { Mirror(self, children: []) }
}

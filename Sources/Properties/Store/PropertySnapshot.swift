/// One state of a store, whole and never changed.
@safe final class PropertySnapshot: Sendable {
    /// What the store has of its own.
    let state: StoreState
    /// The state of the parent that this one was made over.
    let above: PropertySnapshot?
    // `above` for the reads, which count no references. Safe: `above` keeps it alive as long as this is.
    let unownedAbove: Unmanaged<PropertySnapshot>?
    /// The layers as they were loaded: those of the stores above and, after them, of this one.
    private let loaded: [PropertyLayer]
    /// The same with all names in their final spelling.
    let layers: [PropertyLayer]
    /// What the layers come to.
    let tree: PropertyTree
    /// Leads from names to the tree's elements.
    let index: NameIndex
    /// How many bytes a key of a dictionary may have.
    let keyLimit: Int
    /// The keys that were declared here or above.
    private let declaredKeys: Set<PropertyKey>
    /// The keys that were declared secret here or above.
    let secretKeys: Set<PropertyKey>
    /// Two paths of one layer that have one flat name, a name that may mean several, a placeholder without a value, or a
    /// refused change of kind.
    ///
    /// No change of this store's layers gives a state that has one. A declaration does, and a change above: such a state
    /// counts, since it may be better than the old one, and `warnings` and `verify` tell of it.
    let failure: PropertyLoadError?
    /// Why placeholders' elements are null and their tables not whole, by their index.
    private let placeholderFailures: [Int: PropertyLoadError]
    /// Where a source has a table over another one's plain value, or the reverse.
    private let kindChanges: [PropertyLoadError]
    /// For each layer, whether the store that it was applied to refuses changes of kind.
    private let refusals: [Bool]
    /// Whether a layer changed a value at a path that is not the layer's own.
    let hasDisplaced: Bool

    /// The state of a store that has nothing of its own: where it has a parent, reads go there.
    static let empty = PropertySnapshot(StoreState())

    init(_ state: StoreState, above: PropertySnapshot? = nil) {
        self.state = state
        self.above = above
        unsafe unownedAbove = above.map { unsafe Unmanaged.passUnretained($0) }
        loaded = above.map { $0.loaded + state.layers } ?? state.layers
        keyLimit = state.keyLimit ?? above?.keyLimit ?? ConversionContext.defaultKeyLimit
        declaredKeys = (above?.declaredKeys ?? []).union(state.declarations.keys)
        // A child may know a spelling that its parent does not, so it spells its parent's names anew.
        let spelled = LooseNames.spell(loaded, declared: declaredKeys)
        layers = spelled.layers
        let own = state.declarations.values.filter(\.isSecret).map(\.key)
        let secretKeys = (above?.secretKeys ?? []).union(own)
        self.secretKeys = secretKeys
        let merge = PropertyMerge(layers)
        let replaced = PlaceholderPass.run(merge.tree, layers) { Self.isDeclared($0, in: secretKeys) }
        var tree = replaced.tree
        // The merge's index: reads have one of their own.
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

    /// What the sources have that is most likely a mistake.
    ///
    /// Where a key was declared secret, no warning and no failure shows a line: its value may stand there.
    var warnings: [PropertyLoadError] {
        // A refused change of kind is among the changes.
        let failures = failure.map { $0.reason == .kindChange ? [] : [$0] } ?? []
        let warnings = failures + layers.flatMap(\.warnings) + kindChanges
        return secretKeys.isEmpty ? warnings : warnings.map { $0.withoutLines() }
    }

    /// The element of a flat name.
    func find(_ key: PropertyKey) -> Int? {
        let hit = look(key.rawValue, key.nameHash)
        return hit.kind == .missing ? nil : Int(hit.index)
    }

    /// The node of a flat name; nil where there is none, `.null` where a source masks it.
    func node(_ key: PropertyKey) -> PropertyNode? {
        find(key).map { tree.node(at: $0) }
    }

    /// A property with its name, with all that is in it where it is a table.
    func entry(at index: Int) -> PropertyEntry {
        PropertyEntry(name: tree.name(of: index), node: tree.node(at: index), isSecret: isSecret(index, of: tree))
    }

    /// The node of a name, or all properties for nil; nil where the name is missing or null.
    func table(_ name: String?) -> PropertyNode? {
        guard let name else { return PropertyNode(.table(tree.root)) }
        guard let node = node(PropertyKey(name)), !node.isNull else { return nil }
        return node
    }

    /// The value of a flat name, or nil where it is missing or null.
    func read<T>(_ key: PropertyKey, as type: T.Type) throws(PropertyMismatch) -> T? {
        guard let index = find(key) else { return nil }
        let node = tree.node(at: index)
        if case .null = node.value { return nil }
        return try Conversion.convert(node, to: type, in: .reading(keyLimit: keyLimit))
    }

    /// Why the placeholders of a property, or of one in it, could not be replaced.
    func cause(of key: PropertyKey) -> PropertyLoadError? {
        guard !placeholderFailures.isEmpty, let index = find(key), let cause = placeholderFailures[index] else {
            return nil
        }
        return secretKeys.isEmpty ? cause : cause.withoutLines()
    }

    /// The same for a table, or for all properties for nil.
    func cause(ofTable name: String?) -> PropertyLoadError? {
        if let name { return cause(of: PropertyKey(name)) }
        let cause = placeholderFailures.min { $0.key < $1.key }?.value
        return secretKeys.isEmpty ? cause : cause?.withoutLines()
    }

    /// The value of a flat name, with the error that a reader gets to see.
    func value<T>(_ key: PropertyKey, as type: T.Type) throws(PropertyError) -> T? {
        // No default may hide it, as none hides a value that is wrong.
        if let cause = cause(of: key) {
            throw PropertyError(cause, at: key.rawValue, expected: TypeName.noun(type), self)
        }
        do {
            return try read(key, as: type)
        } catch {
            throw PropertyError(error, at: key.rawValue, self)
        }
    }
}

extension PropertySnapshot: CustomReflectable {
    /// Nothing: a dump of whatever holds a state would show the secrets in it.
    var customMirror: Mirror { Mirror(self, children: []) }
}

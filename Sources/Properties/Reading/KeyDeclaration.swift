/// A key that a service reads, whatever its type.
struct KeyDeclaration: Sendable {
    let key: PropertyKey
    let isSecret: Bool
    /// What is wrong with the key's value, or nil.
    let problem: @Sendable (PropertySnapshot) -> PropertyError?

    init<Value>(_ key: TypedKey<Value>) {
        self.key = key.key
        isSecret = key.isSecret
        problem = { snapshot in
            do throws(PropertyError) {
                _ = try key.require(snapshot)
                return nil
            } catch {
                return error
            }
        }
    }

    init(secret name: String) {
        key = PropertyKey(name)
        isSecret = true
        problem = { _ in nil }
    }
}

extension PropertyStore {
    /// Declares the keys that the service reads, so that `verify` can check them all at once and a source that cannot
    /// spell them, such as the environment, finds them.
    ///
    ///     store.declare(.port, .host, .password)
    ///
    /// The values of those that are secret are masked from now on, here and in the stores below.
    public func declare<each Value>(_ keys: repeat TypedKey<each Value>) {
        var declarations: [KeyDeclaration] = []
        repeat declarations.append(KeyDeclaration(each keys))
        declare(declarations)
    }

    /// Declares names whose values are masked from now on in every description, dump and error, here and in the stores
    /// below. A table's name stands for all that is in it.
    public func declareSecret(_ names: String...) {
        declare(names.map { KeyDeclaration(secret: $0) })
    }

    /// Checks all declared keys, and that the sources have no others.
    ///
    /// - Parameter unknownKeys: what becomes of properties that are neither declared nor in a declared table.
    /// - Throws: `PropertyErrors`, with every key that is missing or wrong, each with its place.
    public func verify(unknownKeys: UnknownKeys = .ignored) throws(PropertyErrors) {
        let snapshot = snapshot
        let declarations = snapshot.declarations
        let problems = declarations.compactMap { $0.problem(snapshot) }
        let refused = unknownKeys.take(snapshot.undeclared(declarations))
        guard problems.isEmpty, refused.isEmpty else { throw PropertyErrors(problems: problems + refused) }
    }

    private func declare(_ declarations: [KeyDeclaration]) {
        change { state in
            for declaration in declarations { state.declarations[declaration.key] = declaration }
        }
    }
}

extension PropertySnapshot {
    /// The declarations of this store and those above, sorted by name.
    var declarations: [KeyDeclaration] {
        var all = state.declarations
        var next = above
        while let snapshot = next {
            all.merge(snapshot.state.declarations) { own, _ in own }
            next = snapshot.above
        }
        return all.values.sorted { $0.key.rawValue.utf8.lexicographicallyPrecedes($1.key.rawValue.utf8) }
    }

    /// The properties that nobody declared, each with the nearest declared name that no source has.
    fileprivate func undeclared(_ declarations: [KeyDeclaration]) -> [PropertyError] {
        let known = Set(declarations.map(\.key))
        let free = declarations.map(\.key).filter { find($0) == nil }.map(\.rawValue)
        return tree.elements.indices
            .filter { tree.elements[$0].firstChild == PropertyTree.none && !isKnown($0, known) }
            .map { index in
                let element = tree.elements[index]
                let name = tree.name(of: index)
                let origin = PropertyOrigin(source: element.node.origin.source, place: element.keyPlace)
                return PropertyError(
                    unknown: name, at: origin, nearest: Suggestions.nearest(to: name, among: free), self)
            }
    }

    // A declared table is read as a whole.
    private func isKnown(_ index: Int, _ known: Set<PropertyKey>) -> Bool {
        var current = Int32(index)
        while current != PropertyTree.none {
            if known.contains(PropertyKey(tree.name(of: Int(current)))) { return true }
            current = tree.elements[Int(current)].parent
        }
        return false
    }
}

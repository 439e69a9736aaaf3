import Properties

/// Gives the names of loose sources, which are environment variables and `.env` files, the spelling of exact sources.
///
/// A loose name matches a name of an exact source or of a declared key if the two differ only in case, `_` and `-`. It
/// takes the spelling of its match. If the whole name has no match, its longest leading part that has one is respelled.
/// A name that exists exactly as written stays. Several matches are an error. The name also takes the path of its
/// match, no matter which source is applied first: with `{"hosts": {"db.internal": 1}}`, the variable
/// `HOSTS__DB__INTERNAL` sets the key with a dot.
struct ModelLooseNames {
    private var spellings: [Name: Set<Name>] = [:]
    /// The path of each exact name, from the first source that has the name: the known path of its table, then its last
    /// key.
    private var paths: [Name: [Name]] = [:]

    init(_ layers: [ModelLayer], declared: [Name]) {
        for layer in layers where !layer.source.isLoose {
            for leaf in layer.leaves {
                for length in 1...leaf.path.count { add(leaf.path[..<length]) }
            }
        }
        for name in declared { add(name.parts[...]) }
    }

    private mutating func add(_ path: ArraySlice<Name>) {
        let name = Name(path: path)
        spellings[Self.folded(name), default: []].insert(name)
        if paths[name] == nil { paths[name] = known(path.dropLast()) + path.suffix(1) }
    }

    // Replaces the longest leading part of the path that is known by its known path. The tables of a source are always
    // known, but those of a declared name may not be.
    private func known(_ path: ArraySlice<Name>) -> [Name] {
        guard let last = path.last else { return [] }
        return paths[Name(path: path)] ?? known(path.dropLast()) + [last]
    }

    private static func folded(_ name: Name) -> Name {
        Name(name.text.lowercased().replacing("_", with: "").replacing("-", with: ""))
    }

    /// Respells the names of a layer. A name with several matches stays as it is written.
    ///
    /// - Returns: the layer with its final names, and all errors in its names.
    func spelled(_ layer: ModelLayer) -> (ModelLayer, Set<ModelFailure>) {
        guard layer.source.isLoose else { return (layer, []) }
        var (spelled, failures) = (layer, Set<ModelFailure>())
        for index in layer.leaves.indices {
            if let path = self.spelled(layer.leaves[index].path) {
                spelled.leaves[index].path = path
            } else {
                failures.insert(ModelFailure(.ambiguous))
            }
        }
        // Two variables that were different may have the same name now.
        do throws(ModelFailure) { _ = try ModelNode.all(of: spelled.leaves) } catch { failures.insert(error) }
        return (spelled, failures)
    }

    private func spelled(_ path: [Name]) -> [Name]? {
        for length in (1...path.count).reversed() {
            let name = Name(path: path[..<length])
            guard let found = spellings[Self.folded(name)] else { continue }
            guard let only = found.contains(name) ? name : found.first, found.contains(name) || found.count == 1 else {
                return nil
            }
            return (paths[only] ?? only.parts) + path[length...]
        }
        return path
    }
}

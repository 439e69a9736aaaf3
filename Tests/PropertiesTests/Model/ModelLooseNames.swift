import Properties

/// Spells the names of loose sources as the others do.
///
/// A name becomes that name of an exact source, or of a declared key, which differs from it only in case, `_` and `-`:
/// the whole name, or else its longest prefix. A name that another source spells in the same way stays. Several matches
/// are an error. The name also takes the path of the match, whichever source is applied first: `{"hosts":
/// {"db.internal": 1}}` gives `HOSTS__DB__INTERNAL` its key with a dot.
struct ModelLooseNames {
    private var spellings: [Name: Set<Name>] = [:]
    /// The path of each name: that of the first source which has the name.
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

    // The longest prefix with a path: all tables of a source have one, but not those of a declared name.
    private func known(_ path: ArraySlice<Name>) -> [Name] {
        guard let last = path.last else { return [] }
        return paths[Name(path: path)] ?? known(path.dropLast()) + [last]
    }

    private static func folded(_ name: Name) -> Name {
        Name(name.text.lowercased().replacing("_", with: "").replacing("-", with: ""))
    }

    /// The same layer in its final spelling. An ambiguous name stays as it is written.
    ///
    /// - Returns: the layer and all that is wrong with its names.
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
        // Two variables may have the same name now.
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

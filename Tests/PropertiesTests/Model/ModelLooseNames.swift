import Properties

/// How the names of loose sources get the spelling of the others.
///
/// A name becomes that name of an exact source, or of a declared key, which differs from it by case, `_` and `-` alone: the
/// whole name, or else the longest part of it from the start. One that is there as it is written stays. Several others are an
/// error.
struct ModelLooseNames {
    private var spellings: [Name: Set<Name>] = [:]

    init(_ layers: [ModelLayer], declared: [Name]) {
        for layer in layers where !layer.source.isLoose {
            for leaf in layer.leaves {
                for length in 1...leaf.path.count { add(Name(path: leaf.path[..<length])) }
            }
        }
        for name in declared { add(name) }
    }

    private mutating func add(_ name: Name) { spellings[Self.folded(name), default: []].insert(name) }

    private static func folded(_ name: Name) -> Name {
        Name(name.text.lowercased().replacing("_", with: "").replacing("-", with: ""))
    }

    /// The same layer in its final spelling.
    func spelled(_ layer: ModelLayer) throws(ModelFailure) -> ModelLayer {
        guard layer.source.isLoose else { return layer }
        var spelled = layer
        for index in layer.leaves.indices {
            spelled.leaves[index].path = try self.spelled(layer.leaves[index].path)
        }
        // Two variables may mean one name now.
        _ = try ModelNode.all(of: spelled.leaves)
        return spelled
    }

    private func spelled(_ path: [Name]) throws(ModelFailure) -> [Name] {
        for length in (1...path.count).reversed() {
            let name = Name(path: path[..<length])
            guard let found = spellings[Self.folded(name)] else { continue }
            if found.contains(name) { return path }
            guard found.count == 1, let only = found.first else { throw ModelFailure(.ambiguous) }
            // The source is flat by nature, so dots part what it now says, too.
            return only.parts + path[length...]
        }
        return path
    }
}

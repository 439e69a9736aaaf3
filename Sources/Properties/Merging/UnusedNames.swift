import SharedState

// Variables and arguments that set no known name.
extension MergedState {
    /// The warnings about variables of an environment without a prefix, perhaps of other programs, that override undeclared
    /// names of one word, such as `path`.
    var overriddenWords: [PropertyLoadError] {
        layers.enumerated().filter(\.element.given.mayBeForeign).flatMap { index, layer -> [PropertyLoadError] in
            let earlier = layers[..<index].flatMap { $0.table.entries.map { (PropertyKey($0.key), $0.node.origin) } }
            let others = Dictionary(earlier) { $1 }
            return layer.table.entries.compactMap { entry in
                guard let other = others[PropertyKey(entry.key)], declarations.root.child(entry.key).isEmpty,
                    !entry.node.isTable
                else { return nil }
                return PropertyLoadError(
                    .ambiguous, "this overrides '\(entry.key)' (\(other)), which nothing declares",
                    at: entry.node.origin, remedy: "Declare it or rename it, or give the environment a prefix")
            }
        }
    }

    /// Returns the error that explains why a name is missing, or nil. A value may be in place of the table around it. Or a
    /// variable or an argument has the letters of the name and still does not set it, because no other source has the name
    /// and nothing declares it.
    func miss(of key: PropertyKey) -> PropertyError? {
        if find(key) != nil { return nil }
        if let error = valueInPlaceOfTable(around: key) { return error }
        guard let known else { return nil }
        let unused = unusedNames.value { findUnusedNames(known) }
        if unused.isEmpty { return nil }
        guard let found = unused[PropertyKey(RelaxedName.letters(of: key.rawValue))] else { return nil }
        let layer = loaded[found.layer], name = key.rawValue
        // Only known names are loaded from an environment without a prefix.
        let way = layer.given.mayBeForeign ? nil : layer.given.howToSet?(name, false)
        let cause = PropertyLoadError(
            .ignored, "this was not used: no source has '\(name)', and nothing declares it", at: found.origin,
            remedy: way.map { "Set it \($0), or declare it" } ?? "Declare it")
        return PropertyError(unused: name, cause, self)
    }

    private func valueInPlaceOfTable(around key: PropertyKey) -> PropertyError? {
        // No source has a longer name.
        guard key.rawValue.utf8.count <= LayerWalk.nameLimit,
            let outer = key.tables.last(where: { node($0) != nil }), let node = node(outer), !node.isTable, !node.isNull
        else { return nil }
        return PropertyError(PropertyError(.wrongType, node, expected: "a table"), at: outer.rawValue, self)
    }

    /// Returns the variables and arguments whose letters no known name has, by these letters.
    private func findUnusedNames(_ known: KnownNames) -> [PropertyKey: (origin: PropertyOrigin, layer: Int)] {
        var names: [PropertyKey: (origin: PropertyOrigin, layer: Int)] = [:]
        let own = Set(declarations.variables.map { PropertyKey($0.name) })
        for (index, layer) in loaded.enumerated() where layer.given.spelling == .relaxed {
            for named in PropertyTree(layer.table).all where named.isLeaf {
                let origin = named.entry.keyOrigin, letters = RelaxedName.letters(of: named.name)
                let isOwn = origin.label.map { own.contains(PropertyKey($0)) } ?? false
                if !isOwn, known.names(like: [letters]).isEmpty { names[PropertyKey(letters)] = (origin, index) }
            }
        }
        return names
    }
}

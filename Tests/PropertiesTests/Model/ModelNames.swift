import Properties

/// Gives the names of flat sources their paths.
///
/// A flat name that another source has at a path with dots in its keys takes that path: with
/// `{"hosts": {"db.internal": 1}}`, the argument `--hosts.db.internal=2` sets the key with a dot. If no source has the
/// whole name, its longest leading part is looked for.
///
/// A relaxed name, from the environment, a `.env` file, a directory or the arguments, matches a name of another source or
/// of a declared key if the two differ only in case, `_` and `-`, or in that it has one of these in place of a dot. It
/// takes the spelling of its match. A name that exists exactly as written stays. Several matches are an error.
///
/// A variable of an environment without a prefix may be that of another program. It is not loaded if its name is that of a
/// table of another source, or of declared keys and in no declared value, unless it is declared itself.
struct ModelNames {
    /// The paths with dots in their keys.
    private var dotted: [Name: [Name]] = [:]
    private var spellings: Set<Name> = []

    /// Changes the paths of flat layers. Returns all errors in the names.
    static func place(
        _ layers: inout [ModelLayer], declared: [Name], keys: Set<Name>
    ) -> Set<ModelFailure> {
        var names = ModelNames(), failures: Set<ModelFailure> = []
        // The path in a source that is not flat is preferred.
        let ordered = layers.filter(\.source.isFlat) + layers.filter { !$0.source.isFlat }
        for path in ordered.flatMap(\.paths) where path.contains(where: { $0.parts.count > 1 }) {
            names.dotted[Name(path: path)] = path
        }
        for index in layers.indices where layers[index].source.isFlat && !layers[index].source.isUntyped {
            for leaf in layers[index].leaves.indices {
                layers[index].leaves[leaf].path = names.known(layers[index].leaves[leaf].path)
            }
        }
        let exact = layers.filter { !$0.source.isUntyped }.flatMap(\.paths).map { Name(path: $0) }
        names.spellings = Set(exact + declared)
        for index in layers.indices where layers[index].source.isUntyped {
            for leaf in layers[index].leaves.indices {
                if let path = names.spelled(layers[index].leaves[leaf].path) {
                    layers[index].leaves[leaf].path = path
                } else {
                    failures.insert(ModelFailure(.ambiguous))
                }
            }
            if !layers[index].source.isShared { layers[index].leaves = keptApart(layers[index].leaves, keys) }
        }
        let tables = Set(layers.filter { !$0.source.isShared }.flatMap(\.tables).map { Name(path: $0) })
        for index in layers.indices where layers[index].source.isShared {
            let own = layers[index].leaves.filter { !isForeign($0.path, tables, declared, keys) }
            layers[index].leaves = keptApart(own)
        }
        // Each name has one path, in all sources together.
        var paths: [Name: [Name]] = [:]
        for path in layers.flatMap(\.paths) {
            if let other = paths.updateValue(path, forKey: Name(path: path)), other != path {
                failures.insert(ModelFailure(.duplicate))
            }
        }
        return failures
    }

    /// If a layer sets two declared keys of which one is inside the other, the inner one is a single key with dots.
    private static func keptApart(_ leaves: [ModelLayer.Leaf], _ keys: Set<Name>) -> [ModelLayer.Leaf] {
        let values = Set(leaves.filter { !$0.value.isTable }.map(\.path))
        return leaves.map { leaf in
            guard keys.contains(Name(path: leaf.path)), leaf.path.count > 1 else { return leaf }
            let isInside = (1..<leaf.path.count).contains { count in
                let outer = Array(leaf.path[..<count])
                return values.contains(outer) && keys.contains(Name(path: outer))
            }
            return isInside ? ModelLayer.Leaf(path: [Name(path: leaf.path)], value: leaf.value) : leaf
        }
    }

    /// Whether a variable that anybody may have set is not loaded, because its name is that of a table.
    private static func isForeign(
        _ path: [Name], _ tables: Set<Name>, _ declared: [Name], _ keys: Set<Name>
    ) -> Bool {
        let name = Name(path: path)
        let isInValue = path.indices.contains { declared.contains(Name(path: path[...$0])) }
        let isTableOfKeys = !isInValue && declared.contains { name.covers($0) }
        return isTableOfKeys || tables.contains(name) && !keys.contains(name)
    }

    /// Of two variables that anybody may have set, one of which is inside the other, the inner one is a single key with
    /// dots.
    private static func keptApart(_ leaves: [ModelLayer.Leaf]) -> [ModelLayer.Leaf] {
        var values: Set<[Name]> = []
        return leaves.sorted { $0.path.count < $1.path.count }.map { leaf in
            var leaf = leaf
            let isInside = leaf.path.indices.dropFirst().contains { values.contains(Array(leaf.path[..<$0])) }
            if isInside { leaf.path = [Name(path: leaf.path)] }
            values.insert(leaf.path)
            return leaf
        }
    }

    private func known(_ path: [Name]) -> [Name] {
        for length in (1...path.count).reversed() {
            if let known = dotted[Name(path: path[..<length])] { return known + path[length...] }
        }
        return path
    }

    private func spelled(_ path: [Name]) -> [Name]? {
        for length in (1...path.count).reversed() {
            let name = Name(path: path[..<length])
            let found = spellings.contains(name) ? [name] : spellings.filter { Self.matches(name, $0) }
            guard let only = found.first else { continue }
            return found.count == 1 ? known(only.parts) + path[length...] : nil
        }
        return path
    }

    private static func matches(_ spelling: Name, _ name: Name) -> Bool {
        matches(spelling.text.lowercased()[...], name.text.lowercased()[...])
    }

    private static func matches(_ spelling: Substring, _ name: Substring) -> Bool {
        guard let next = spelling.first else { return name.allSatisfy { $0 == "_" || $0 == "-" } }
        if let skipped = name.first, skipped == "_" || skipped == "-" { return matches(spelling, name.dropFirst()) }
        let isLevel = name.first == "." && matches(spelling.dropFirst(), name.dropFirst())
        if next == "." { return isLevel }
        if next == "_" || next == "-" { return isLevel || matches(spelling.dropFirst(), name) }
        return name.first == next && matches(spelling.dropFirst(), name.dropFirst())
    }
}

extension ModelLayer {
    /// The paths of all tables and leaves.
    fileprivate var paths: [[Name]] {
        leaves.flatMap { leaf in (1...leaf.path.count).map { Array(leaf.path[..<$0]) } }
    }

    /// The paths of all tables.
    fileprivate var tables: [[Name]] {
        leaves.flatMap { leaf in
            (1...leaf.path.count).map { Array(leaf.path[..<$0]) }.filter { leaf.value.isTable || $0 != leaf.path }
        }
    }
}

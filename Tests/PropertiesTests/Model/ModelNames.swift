import Properties

/// Gives the names of flat sources their paths.
///
/// A flat name that a source with tables has at a path with dots in its keys takes that path: with
/// `{"hosts": {"db.internal": 1}}`, the argument `--hosts.db.internal=2` sets the key with a dot. If no source has the
/// whole name, its longest leading part is looked for.
///
/// A relaxed name, from the environment, a `.env` file, a directory or the arguments, means the name of another source or
/// of a declared key that has the same letters, whatever their case and the `.`, `_` and `-` between them, if each of its
/// dots is at a dot of that. A name that exists exactly as written stays. Several matches are an error.
///
/// A variable of an environment without a prefix is loaded only if its name means that of a value, and each dot of that is
/// at a separator of the variable, or if it is one in a declared dictionary.
struct ModelNames {
    /// The paths with dots in their keys.
    private var dotted: [Name: [Name]] = [:]
    private var spellings: Set<Name> = []
    /// The names of values, which a variable of another program can mean.
    private var values: Set<Name> = []
    /// The declared dictionaries.
    private var dictionaries: Set<Name> = []

    /// Changes the paths of flat layers. Returns all errors in the names.
    static func place(
        _ layers: inout [ModelLayer], _ declarations: [ModelDeclaration]
    ) -> Set<ModelFailure> {
        let declared = declarations.map(\.name)
        let dictionaries = Set(declarations.filter { $0.type == .table }.map(\.name))
        var names = ModelNames(dictionaries: dictionaries), failures: Set<ModelFailure> = []
        for path in layers.filter({ !$0.source.isFlat }).flatMap(\.paths)
        where path.contains(where: { $0.parts.count > 1 }) {
            names.dotted[Name(path: path)] = path
        }
        for index in layers.indices where layers[index].source.isFlat && !layers[index].source.isUntyped {
            for leaf in layers[index].leaves.indices {
                layers[index].leaves[leaf].path = names.known(layers[index].leaves[leaf].path)
            }
        }
        let exact = layers.filter { !$0.source.isUntyped }
        names.spellings = Set(exact.flatMap(\.paths).map { Name(path: $0) } + declared)
        names.values = Set(exact.flatMap(\.leaves).filter { !$0.value.isTable }.map { Name(path: $0.path) } + declared)
        for index in layers.indices where layers[index].source.isUntyped {
            let isShared = layers[index].source.isShared
            layers[index].leaves = layers[index].leaves.compactMap { leaf in
                var leaf = leaf
                switch names.spelled(leaf.path, isStrict: isShared) {
                case .path(let path): leaf.path = path
                case .none: return nil
                case .several: failures.insert(ModelFailure(.ambiguous))
                }
                let name = Name(path: leaf.path)
                guard case .text(let text) = leaf.value, dictionaries.contains(name) else { return leaf }
                // Empty text is the empty dictionary.
                if text.isEmpty { (leaf.value, leaf.isEmptied) = (.table([]), true) }
                let hasOnlyTables = declarations.allSatisfy {
                    $0.name == name ? $0.type == .table || $0.type == nil : !$0.name.covers(name)
                }
                let isOther = hasOnlyTables && !text.allSatisfy(\.isWhitespace)
                return isOther && layers[index].source.hasNoPrefix ? nil : leaf
            }
            // Two variables of other programs may have the same value.
            if isShared {
                var seen: [ModelLayer.Leaf] = []
                for leaf in layers[index].leaves
                where !seen.contains(where: { $0.path == leaf.path && $0.value == leaf.value }) {
                    seen.append(leaf)
                }
                layers[index].leaves = seen
            }
            if layers[index].hasEntriesOfEmptied { failures.insert(ModelFailure(.duplicate)) }
        }
        return failures
    }

    private init(dictionaries: Set<Name>) { self.dictionaries = dictionaries }

    private func known(_ path: [Name]) -> [Name] {
        for length in (1...path.count).reversed() {
            if let known = dotted[Name(path: path[..<length])] { return known + path[length...] }
        }
        return path
    }

    private enum Spelled { case path([Name]), none, several }

    private func spelled(_ path: [Name], isStrict: Bool) -> Spelled {
        let spellings = isStrict ? values : spellings
        for length in (1...path.count).reversed() {
            let name = Name(path: path[..<length])
            let found = spellings.contains(name) ? [name] : spellings.filter { Self.matches(name, $0, isStrict) }
            guard let only = found.first else { continue }
            if found.count > 1 { return .several }
            if isStrict, length < path.count, !dictionaries.contains(only) { return .none }
            return .path(known(only.parts) + path[length...])
        }
        return isStrict ? .none : .path(path)
    }

    private static func matches(_ spelling: Name, _ name: Name, _ isStrict: Bool) -> Bool {
        let letters = { (name: Name) in name.text.lowercased().filter { !".-_".contains($0) } }
        // The numbers of letters before each separator.
        let places = { (name: Name, separators: String) in
            name.text.indices.filter { separators.contains(name.text[$0]) }
                .map { letters(Name(String(name.text[..<$0]))).count }
        }
        guard letters(spelling) == letters(name) else { return false }
        let dots = places(name, ".")
        return includes(dots, places(spelling, ".")) && (!isStrict || includes(places(spelling, ".-_"), dots))
    }

    private static func includes(_ all: [Int], _ some: [Int]) -> Bool {
        Set(some).allSatisfy { place in all.count { $0 == place } >= some.count { $0 == place } }
    }
}

extension ModelLayer {
    /// Whether it has an entry of a dictionary that it declares as empty.
    fileprivate var hasEntriesOfEmptied: Bool {
        leaves.contains { emptied in
            emptied.isEmptied
                && leaves.contains {
                    $0.path.count > emptied.path.count && $0.path.starts(with: emptied.path) && $0.value != .null
                }
        }
    }

    /// The paths of all tables and leaves.
    fileprivate var paths: [[Name]] { (try? tree(0))?.paths ?? [] }
}

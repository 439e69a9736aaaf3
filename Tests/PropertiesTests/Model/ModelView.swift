import Properties

/// The properties that a store should have, from its own sources and its parents' sources.
struct ModelView {
    /// The layers, after the names of relaxed sources were respelled.
    private(set) var layers: [ModelLayer]
    let declarations: [ModelDeclaration]
    private(set) var merge = ModelMerge([], [])
    /// The value of each name after its placeholders were replaced, or the errors in it.
    private(set) var outcomes: [Name: ModelPlaceholders.Outcome] = [:]
    /// The errors that the sources cause together. A store rejects a change of its own sources that causes one, but a
    /// change of a parent may cause one.
    private(set) var failures: Set<ModelFailure> = []
    /// Whether a key with dots is beside a value, for which there is no rule, or a layer merges what is beside a value, whose
    /// history the model does not know.
    private(set) var hasDotsBeside = false
    /// Whether the names are known. If a name is ambiguous or has two paths, no rule defines what the store contains.
    var isKnown = true

    init(_ stores: ArraySlice<ModelStores.Store>) {
        declarations = stores.flatMap(\.declarations)
        layers = stores.flatMap { $0.applied.map(\.layer) }
        failures = ModelNames.place(
            &layers, declared: declarations.map(\.name),
            dictionaries: Set(declarations.filter { $0.type == .table }.map(\.name)))
        var trees: [ModelTree] = []
        for (number, layer) in layers.enumerated() {
            do throws(ModelFailure) { trees.append(try layer.tree(number)) } catch { failures.insert(error) }
        }
        hasDotsBeside = trees.contains { $0.hasDotsBeside() } || Self.hasMergedBeside(trees)
        isKnown = failures.isEmpty
        guard isKnown else { return }
        merge = ModelMerge(trees, layers.map(\.source.rule))
        hasDotsBeside = hasDotsBeside || merge.steps.contains { $0.merged.hasDotsBeside() }
        if merge.hasTwoPaths {
            failures.insert(ModelFailure(.duplicate))
            isKnown = false
            return
        }
        replacePlaceholders()
        entries = listed()
        // A table that no layer writes may be in the merged tree: what was beside a value is in a table that replaces it.
        // The path in the last layer that has the name comes before the path of such a table. A layer may have several
        // paths, of which the path with the shorter first key counts.
        let searched = merge.steps.map(\.merged) + merge.steps.map(\.layer)
        let known = searched.flatMap { tree in
            tree.paths.sorted { $1.lexicographicallyPrecedes($0) { $0.text.utf8.count < $1.text.utf8.count } }
        }
        paths = Dictionary(known.map { (Name(path: $0), $0) }) { $1 }
            .merging(merge.places.mapValues(\.path)) { $1 }
    }

    /// Whether a source has a value and names that begin with its name, and another source has the same name of the first
    /// level. `BesideTests` has these merges.
    private static func hasMergedBeside(_ trees: [ModelTree]) -> Bool {
        let names = trees.map { tree in Set(tree.inner.filter(\.value.hasBeside).keys) }
        return trees.indices.contains { index in
            !names[index].isEmpty
                && trees.indices.contains { $0 != index && !names[index].isDisjoint(with: trees[$0].inner.keys) }
        }
    }

    private mutating func replacePlaceholders() {
        let pass = ModelPlaceholders(places: merge.places, layers: layers) { [self] in isDeclaredSecret($0, $1) }
        for (name, place) in merge.places {
            let outcome = pass.value(of: name, place)
            outcomes[name] = outcome
            if case .failure(let more) = outcome { failures.formUnion(more.all) }
        }
    }

    /// Whether a property has a placeholder that cannot be replaced.
    var hasUnresolved: Bool { outcomes.values.contains { if case .failure = $0 { true } else { false } } }

    /// Whether a name, or a table that contains it, was declared secret in this store or a parent. So is a value in place
    /// of a table with secret names, because it may contain them in another form.
    func isDeclaredSecret(_ name: Name, _ value: ModelValue) -> Bool {
        if declarations.contains(where: { $0.isSecret && $0.name.covers(name) }) { return true }
        return !value.isTable && value != .null
            && declarations.contains { $0.isSecret && name.covers($0.name) }
            && !declarations.contains { $0.type != nil && $0.name == name }
    }

    // MARK: - Listed properties

    /// A listed property: its value, the source that set it, and whether it is masked.
    struct Entry: Equatable {
        let name: Name
        let value: ModelValue
        let source: String
        let isSecret: Bool
    }

    /// All properties except tables with contents, sorted by name.
    private(set) var entries: [Entry] = []

    private func listed() -> [Entry] {
        let tables = Set(merge.places.values.map { $0.path.dropLast() })
        return merge.places.filter { !$1.isTable || !tables.contains($1.path[...]) }
            .map { entry(of: $0.key, $0.value) }
            .sorted { $0.name.text.utf8.lexicographicallyPrecedes($1.name.text.utf8) }
    }

    // A property whose placeholder cannot be replaced is listed as null.
    private func entry(of name: Name, _ place: ModelMerge.Place) -> Entry {
        let replaced = try? outcomes[name]?.get()
        let source = layers[place.layer].source
        return Entry(
            name: name, value: replaced?.value ?? .null, source: source.sourceName,
            isSecret: replaced?.isSecret ?? (source.isSecret || isDeclaredSecret(name, place.value)))
    }

    /// The path of each name in the layers.
    private var paths: [Name: [Name]] = [:]

    /// Returns the values that the layers set for a name, the latest first. Only the current value has its placeholders
    /// replaced. If a later layer replaced a table that contained the name, the first entry is the value of that table.
    func history(of name: Name) -> [Entry] {
        guard let path = paths[name] else { return [] }
        var entries: [Entry] = []
        var removal: Entry?
        for (number, step) in merge.steps.enumerated() {
            let before = number == 0 ? nil : merge.steps[number - 1].merged[path[...]]
            // A layer with only names beside a value does not set the value.
            if let own = step.layer[path[...]], !own.isTable || step.merged[path[...]]?.isTable == true {
                removal = nil
                let current = number == merge.places[name]?.layer ? merge.places[name] : nil
                entries.append(current.map { entry(of: name, $0) } ?? past(name, own.value, number))
            } else if before != nil, step.merged[path[...]] == nil {
                let length = (0...path.count).reversed().first { step.layer[path[..<$0]] != nil } ?? 0
                let table = path[..<length]
                removal = step.layer[table].map { past(Name(path: table), $0.value, number) }
            }
        }
        return (entries + [removal].compactMap(\.self)).reversed()
    }

    private func past(_ name: Name, _ value: ModelValue, _ layer: Int) -> Entry {
        let source = layers[layer].source
        return Entry(
            name: name, value: value, source: source.sourceName,
            isSecret: source.isSecret || isDeclaredSecret(name, value))
    }

    /// The listed names that are not declared, and are in no declared table. An empty table with declared keys is known, and so is null in its place.
    var undeclared: [Name] {
        let declared = Set(declarations.map(\.name))
        return entries.filter { !($0.value.isTable || $0.value == .null) || !declared.contains(where: $0.name.covers) }
            .map(\.name).filter {
                name in
                guard let place = merge.places[name] else { return true }
                let path = place.path
                // What is beside a value is not in it.
                let outer = (1..<path.count).last { merge.tree[path[..<$0]]?.isTable == false } ?? 0
                return !(outer + 1...path.count).contains { count in
                    let name = Name(path: path[..<count])
                    return declared.contains(name) && (count == path.count || merge.places[name]?.isTable == true)
                }
            }
    }

    // MARK: - Secrets

    /// The tokens that no text about this store may contain.
    var hiddenTokens: Set<String> {
        var tokens: Set<String> = []
        let isReplacing = layers.contains(where: \.source.replacesPlaceholders)
        if isReplacing { tokens.formUnion(ModelToken.all(in: ModelPlaceholders.secretLookup.text)) }
        for layer in layers {
            for leaf in layer.leaves where layer.source.isSecret || isDeclaredSecret(Name(path: leaf.path), leaf.value)
            {
                tokens.formUnion(leaf.value.tokens)
            }
        }
        return tokens
    }
}

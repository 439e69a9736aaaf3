import Properties

/// The properties that a store should have, from its own sources and those of its parents.
struct ModelView {
    /// The layers, after the names of loose sources were respelled.
    private(set) var layers: [ModelLayer]
    let declarations: [ModelDeclaration]
    private(set) var merge = ModelMerge()
    /// The value of each name after its placeholders were replaced, or the errors in it.
    private(set) var outcomes: [Name: ModelPlaceholders.Outcome] = [:]
    /// The errors that the sources cause together. A store rejects a change of its own sources that causes one, but a
    /// change of a parent may cause one.
    private(set) var failures: Set<ModelFailure> = []
    /// Whether the names are known. If a name is ambiguous or has two paths, no rule defines what the store contains.
    var isKnown = true

    init(_ stores: ArraySlice<ModelStores.Store>) {
        declarations = stores.flatMap(\.declarations)
        layers = stores.flatMap { $0.applied.map(\.layer) }
        // The setting of a store applies to the changes of kind that its own sources cause. Its children report these
        // too.
        let refusals = stores.flatMap { store in store.applied.map { _ in store.refusesKindChanges } }
        spell()
        guard isKnown else { return }
        for layer in layers {
            do throws(ModelFailure) {
                merge.add(try ModelNode.all(of: layer.leaves), layer.source.rule)
            } catch {
                failures.insert(error)
                isKnown = false
                return
            }
        }
        replacePlaceholders()
        entries = listed()
        if failures.isEmpty, merge.kindChanges.contains(where: { refusals[$0] }) {
            failures = [ModelFailure(.kindChange)]
        }
    }

    private mutating func spell() {
        guard layers.contains(where: \.source.isLoose) else { return }
        let names = ModelLooseNames(layers, declared: declarations.map(\.name))
        for index in layers.indices {
            let (spelled, wrong) = names.spelled(layers[index])
            layers[index] = spelled
            failures.formUnion(wrong)
        }
        isKnown = failures.isEmpty
    }

    private mutating func replacePlaceholders() {
        let pass = ModelPlaceholders(places: merge.places, layers: layers) { [self] in isDeclaredSecret($0) }
        for (name, place) in merge.places {
            let outcome = pass.value(of: name, place)
            outcomes[name] = outcome
            if case .failure(let more) = outcome { failures.formUnion(more.all) }
        }
    }

    /// Whether a property has a placeholder that cannot be replaced.
    var hasUnresolved: Bool { outcomes.values.contains { if case .failure = $0 { true } else { false } } }

    /// Whether a name, or a table that contains it, was declared secret in this store or a parent.
    func isDeclaredSecret(_ name: Name) -> Bool {
        declarations.contains { $0.isSecret && $0.name.covers(name) }
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
        return merge.places.filter { !tables.contains($1.path[...]) }
            .map { entry(of: $0.key, $0.value) }
            .sorted { $0.name.text.utf8.lexicographicallyPrecedes($1.name.text.utf8) }
    }

    // A property whose placeholder cannot be replaced is listed as null.
    private func entry(of name: Name, _ place: ModelMerge.Place) -> Entry {
        let replaced = try? outcomes[name]?.get()
        let source = layers[place.layer].source
        return Entry(
            name: name, value: replaced?.value ?? .null, source: source.sourceName,
            isSecret: replaced?.isSecret ?? (source.isSecret || isDeclaredSecret(name)))
    }

    /// Returns the values that the layers set for a name, the latest first. Only the current value has its placeholders
    /// replaced.
    ///
    /// If the name was removed, the first entry shows what removed it. That is a replacement of a table that contained
    /// it, under the name of that table, or a table with the name itself that was left out because its contents have
    /// paths elsewhere.
    func history(of name: Name) -> [Entry] {
        let entries = merge.past.indices.reversed().compactMap { layer -> Entry? in
            guard let place = merge.past[layer][name], place.layer == layer else { return nil }
            if let current = merge.places[name], current.layer == layer { return entry(of: name, current) }
            return past(name, place.value, layer)
        }
        return [removal(of: name)].compactMap(\.self) + entries
    }

    private func past(_ name: Name, _ value: ModelValue, _ layer: Int) -> Entry {
        let source = layers[layer].source
        return Entry(
            name: name, value: value, source: source.sourceName, isSecret: source.isSecret || isDeclaredSecret(name))
    }

    private func removal(of name: Name) -> Entry? {
        guard merge.places[name] == nil, let last = merge.past.lastIndex(where: { $0[name] != nil }),
            let place = merge.past[last][name]
        else { return nil }
        let said = merge.said[last + 1]
        let removing = (1...place.path.count).reversed().map { Name(path: place.path[..<$0]) }.first { said[$0] != nil }
        return removing.flatMap { name in said[name].map { past(name, $0, last + 1) } }
    }

    /// The listed names that are not declared and are in no declared table.
    var undeclared: [Name] {
        let declared = Set(declarations.map(\.name))
        return entries.map(\.name).filter { name in
            guard let path = merge.places[name]?.path else { return true }
            return !(1...path.count).contains { declared.contains(Name(path: path[..<$0])) }
        }
    }

    // MARK: - Secrets

    /// The tokens that no text about this store may contain.
    var hiddenTokens: Set<String> {
        var tokens: Set<String> = []
        let isReplacing = layers.contains(where: \.source.replacesPlaceholders)
        if isReplacing { tokens.formUnion(ModelToken.all(in: ModelPlaceholders.secretLookup.text)) }
        for layer in layers {
            for leaf in layer.leaves where layer.source.isSecret || isDeclaredSecret(Name(path: leaf.path)) {
                tokens.formUnion(leaf.value.tokens)
            }
        }
        return tokens
    }
}

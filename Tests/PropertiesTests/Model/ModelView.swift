import Properties

/// How one store reads.
struct ModelView {
    typealias Outcome = Result<ModelPlaceholders.Replaced, ModelFailure>

    /// The layers in their final spelling.
    private(set) var layers: [ModelLayer]
    let declarations: [ModelDeclaration]
    private(set) var merge = ModelMerge()
    /// The value of each name, placeholders replaced.
    private(set) var outcomes: [Name: Outcome] = [:]
    /// What is wrong with the sources together: no change of this store's sources may lead here, one above may.
    private(set) var failures: Set<ModelFailure> = []
    /// Whether the names are known. Where one may mean several, no rule says what the store contains.
    var isKnown = true

    init(_ stores: ArraySlice<ModelStores.Store>) {
        declarations = stores.flatMap(\.declarations)
        layers = stores.flatMap { $0.applied.map(\.layer) }
        let own = layers.count - (stores.last?.applied.count ?? 0)
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
        if failures.isEmpty, stores.last?.refusesKindChanges == true, merge.kindChanges.contains(where: { $0 >= own }) {
            failures = [ModelFailure(.kindChange)]
        }
    }

    private mutating func spell() {
        let names = ModelLooseNames(layers, declared: declarations.map(\.name))
        for index in layers.indices {
            do throws(ModelFailure) {
                layers[index] = try names.spelled(layers[index])
            } catch {
                failures.insert(error)
                isKnown = false
            }
        }
    }

    private mutating func replacePlaceholders() {
        let pass = ModelPlaceholders(places: merge.places, layers: layers) { [self] in isDeclaredSecret($0) }
        for (name, place) in merge.places {
            outcomes[name] = Result { () throws(ModelFailure) in try pass.value(of: name, place) }
            if case .failure(let failure)? = outcomes[name] { failures.insert(failure) }
        }
    }

    /// Whether a name, or a table that it is in, was declared secret here or above.
    func isDeclaredSecret(_ name: Name) -> Bool {
        declarations.contains { $0.isSecret && $0.name.covers(name) }
    }

    // MARK: - What the store lists

    /// A property: its value, what set it, and whether it is masked.
    struct Entry: Equatable {
        let name: Name
        let value: ModelValue
        let source: String
        let isSecret: Bool
    }

    /// All properties but tables that contain others, sorted by name.
    var entries: [Entry] {
        merge.places.filter { !$1.isTable || merge.children(of: $1.path).isEmpty }
            .map { entry(of: $0.key, $0.value) }
            .sorted { $0.name.text.utf8.lexicographicallyPrecedes($1.name.text.utf8) }
    }

    // A placeholder that has no value leaves a null.
    private func entry(of name: Name, _ place: ModelMerge.Place) -> Entry {
        let replaced = try? outcomes[name]?.get()
        let source = layers[place.layer].source
        return Entry(
            name: name, value: replaced?.value ?? .null, source: source.sourceName,
            isSecret: replaced?.isSecret ?? (source.isSecret || isDeclaredSecret(name)))
    }

    /// What each layer made of a name, the latest first. Only the value that counts has its placeholders replaced.
    func history(of name: Name) -> [Entry] {
        merge.past.indices.reversed().compactMap { layer in
            guard let place = merge.past[layer][name], place.layer == layer else { return nil }
            if let current = merge.places[name], current.layer == layer { return entry(of: name, current) }
            let source = layers[layer].source
            return Entry(
                name: name, value: place.value, source: source.sourceName,
                isSecret: source.isSecret || isDeclaredSecret(name))
        }
    }

    // MARK: - Secrets

    /// The tokens that no text about this store may have in it.
    var hiddenTokens: Set<String> {
        var tokens = Set(ModelToken.all(in: ModelPlaceholders.secretLookup.text))
        for layer in layers {
            for leaf in layer.leaves where layer.source.isSecret || isDeclaredSecret(Name(path: leaf.path)) {
                tokens.formUnion(leaf.value.tokens)
            }
        }
        return tokens
    }
}

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
    /// Whether a key with dots is beside a value, for which there is no rule.
    private(set) var hasDotsBeside = false
    /// Whether the names are known. If a name is ambiguous or has two paths, no rule defines what the store contains.
    var isKnown = true

    init(_ stores: ArraySlice<ModelStores.Store>) {
        declarations = stores.flatMap(\.declarations)
        layers = stores.flatMap { $0.applied.map(\.layer) }
        failures = ModelNames.place(
            &layers, declarations)
        var trees: [ModelTree] = []
        for (number, layer) in layers.enumerated() {
            do throws(ModelFailure) { trees.append(try layer.tree(number)) } catch { failures.insert(error) }
        }
        hasDotsBeside = trees.contains { $0.hasDotsBeside() }
        isKnown = failures.isEmpty
        guard isKnown else { return }
        merge = ModelMerge(trees, layers.map(\.source.rule), apart: beginnings)
        hasDotsBeside = hasDotsBeside || merge.steps.contains { $0.merged.hasDotsBeside() }
        if merge.hasTwoPaths {
            failures.insert(ModelFailure(.duplicate))
            isKnown = false
            return
        }
        replacePlaceholders()
        entries = listed()
    }

    private mutating func replacePlaceholders() {
        let pass = ModelPlaceholders(places: merge.places, layers: layers) { [self] in
            isDeclaredSecret($0, $1) || isForeign($0, $1, $2)
        }
        for (name, place) in merge.places {
            let outcome = pass.value(of: name, place)
            outcomes[name] = outcome
            // A value that may be another program's is not checked.
            if case .failure(let more) = outcome,
                declarations.isEmpty || !hasForeignName(name, place.value, place.layer)
            {
                failures.formUnion(more.all)
            }
        }
    }

    /// The names of the values in sources that are not relaxed.
    private var exactValues: Set<Name> {
        Set(
            layers.filter { !$0.source.isUntyped }.flatMap(\.leaves).filter { !$0.value.isTable }
                .map { Name(path: $0.path) })
    }

    /// The declared values whose names are the beginnings of other declared names. Both are kept in the merge.
    var beginnings: Set<Name> {
        let typed = Dictionary(grouping: declarations.filter { $0.type != nil }, by: \.name)
        return Set(
            typed.filter { name, own in
                own.allSatisfy { $0.type != .table }
                    && declarations.contains { $0.name != name && name.covers($0.name) }
            }.keys)
    }

    /// Whether a value is missing because only names that begin with its name are there.
    func isBeside(_ name: Name) -> Bool {
        guard beginnings.contains(name), let place = merge.places[name], place.isTable else { return false }
        let keys = merge.places.values.filter {
            $0.path.count == place.path.count + 1 && $0.path.starts(with: place.path)
        }
        .compactMap(\.path.last)
        return keys.isEmpty
            || keys.contains { key in declarations.contains { $0.name.parts.starts(with: name.parts + [key]) } }
    }

    /// The dictionaries that empty text, in an untyped source, does not empty, because earlier sources have entries.
    var emptied: Set<Name> {
        var names: Set<Name> = []
        for (number, layer) in layers.enumerated() where layer.source.isUntyped {
            for leaf in layer.leaves where leaf.isEmptied {
                let name = Name(path: leaf.path)
                let hasEntries = merge.places.values.contains {
                    $0.path.count > leaf.path.count && $0.path.starts(with: leaf.path) && $0.layer < number
                        && $0.value != .null
                }
                if hasEntries, declarations.contains(where: { $0.name == name && $0.type == .table }) {
                    names.insert(name)
                }
            }
        }
        return names
    }

    /// Whether a value has the place of a table around a name, and a placeholder that cannot be replaced. What the name
    /// would have is not known then.
    func isUnchecked(_ name: Name) -> Bool {
        outcomes.contains { outer, outcome in
            guard outer != name, outer.covers(name), merge.places[outer]?.isTable == false else { return false }
            return if case .failure = outcome { true } else { false }
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

    /// Whether a value of a source without a prefix may be another program's, since nothing declares its name and no source
    /// of another kind has it. It is masked, if anything is declared.
    func isForeign(_ name: Name, _ value: ModelValue, _ layer: Int) -> Bool {
        !declarations.isEmpty && hasForeignName(name, value, layer)
    }

    private func hasForeignName(_ name: Name, _ value: ModelValue, _ layer: Int) -> Bool {
        layers[layer].source.hasNoPrefix && !value.isTable && !exactValues.contains(name)
            && !declarations.contains { $0.name.covers(name) }
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
            isSecret: replaced?.isSecret
                ?? (source.isSecret || isDeclaredSecret(name, place.value) || isForeign(name, place.value, place.layer))
        )
    }

    /// The tables and leaves of a layer by their names, and those of the merged tree after it.
    private typealias NamedStep = (layer: [Name: ModelTree], merged: [Name: ModelTree])

    /// Returns the values that each name had, the latest first. Only the current value has its placeholders replaced. If a
    /// later layer replaced a table that contained the name, the first entry is the value of that table.
    ///
    /// Names that had two paths after a layer are left out.
    func histories(of names: Set<Name>) -> [Name: [Entry]] {
        let steps = merge.steps.map { (layer: $0.layer.named, merged: $0.merged.named) }
        // Where a name has two paths until a later layer replaces them, no rule says which of the values was in force.
        let twice = Set(merge.steps.flatMap { $0.merged.namesWithTwoPaths + $0.layer.namesWithTwoPaths })
        let known = names.filter { name in !twice.contains { $0.covers(name) } }
        return Dictionary(uniqueKeysWithValues: known.map { ($0, history(of: $0, steps)) })
    }

    private func history(of name: Name, _ steps: [NamedStep]) -> [Entry] {
        var entries: [Entry] = []
        var removal: Entry?
        var before: [Name: ModelTree] = [:]
        for (number, (layer, after)) in steps.enumerated() {
            if let new = after[name] {
                // A layer with only names beside a value does not set the value. A name below that of a value makes it a
                // table.
                let isSet = layer[name].map { new.isTable || !$0.isTable } ?? false
                if isSet || before[name] == nil || before[name]?.isTable == false && new.isTable {
                    removal = nil
                    entries.append(past(name, new.value, new.layer))
                }
            } else if before[name] != nil {
                // The longest name of a table around it that the layer has.
                let table = before.keys.filter { $0 != name && $0.covers(name) && layer[$0] != nil }
                    .max { $0.text.utf8.count < $1.text.utf8.count }
                removal = table.flatMap { table in layer[table].map { past(table, $0.value, number) } }
            }
            before = after
        }
        if removal == nil, let place = merge.places[name], !entries.isEmpty {
            entries[entries.count - 1] = entry(of: name, place)
        }
        return (entries + [removal].compactMap(\.self)).reversed()
    }

    private func past(_ name: Name, _ value: ModelValue, _ layer: Int) -> Entry {
        let source = layers[layer].source
        return Entry(
            name: name, value: value, source: source.sourceName,
            isSecret: source.isSecret || isDeclaredSecret(name, value) || isForeign(name, value, layer))
    }

    /// The listed names that are not declared, and are in no declared table. An empty table with declared keys is known, and so is null in its place.
    var undeclared: [Name] {
        let declared = Set(declarations.map(\.name))
        return entries.filter { !($0.value.isTable || $0.value == .null) || !declared.contains(where: $0.name.covers) }
            .map(\.name).filter {
                name in
                guard let place = merge.places[name] else { return true }
                if hasForeignName(name, place.value, place.layer) { return false }
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
        for (number, layer) in layers.enumerated() {
            for leaf in layer.leaves {
                let name = Name(path: leaf.path), value = leaf.value
                if layer.source.isSecret || isDeclaredSecret(name, value) || isForeign(name, value, number) {
                    tokens.formUnion(value.tokens)
                }
            }
        }
        return tokens
    }
}

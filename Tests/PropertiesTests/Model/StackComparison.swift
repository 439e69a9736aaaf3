import Properties

/// Compares a store with the model's view of it.
struct StackComparison {
    let store: PropertyStore
    let view: ModelView
    /// Names to read, whether they exist or not.
    let probes: [Name]

    /// Returns the first difference, or nil if there is none.
    ///
    /// If `isThorough`, it compares all kinds of reads; otherwise only the list of properties.
    func difference(isThorough: Bool, _ seen: inout SeenInStacks) -> String? {
        if let difference = failure() { return difference }
        seen.add("conflicts", view.failures.isEmpty ? 0 : 1)
        if !view.isKnown { return leak(in: [store.entriesText]) }
        if let difference = entries() { return difference }
        seen.add(view)
        guard isThorough else { return nil }
        let names = names
        var texts: [String] = []
        return reads(names, &seen) ?? histories(names, &seen, &texts) ?? checks(&texts) ?? leaks(texts)
    }

    // MARK: - Failures

    /// Compares the error that an action threw with the errors that the model expects.
    static func thrown(_ error: (any Error)?, _ expected: Set<ModelFailure>) -> String? {
        guard let error else { return expected.isEmpty ? nil : "succeeds; expected \(reasons(expected))" }
        // The model has the failure of only one of the loaders that fail.
        if let all = error as? ConfigurationErrors {
            return all.problems.contains { thrown($0.error, expected) == nil }
                ? nil : "throws '\(all)'; expected \(reasons(expected))"
        }
        let failure = ModelFailure(reason: (error as? PropertyLoadError)?.reason)
        return expected.contains(failure) ? nil : "throws '\(error)'; expected \(reasons(expected))"
    }

    private static func reasons(_ failures: Set<ModelFailure>) -> String {
        failures.isEmpty
            ? "success" : failures.map { $0.reason?.description ?? "the loader's error" }.joined(separator: " or ")
    }

    /// Checks that the store warns about its state if it would reject that state as a change of its own sources.
    private func failure() -> String? {
        if view.failures.isEmpty { return nil }
        guard let first = store.warnings.first else { return "no warning; expected \(Self.reasons(view.failures))" }
        return Self.thrown(first, view.failures)
    }

    // MARK: - Values

    private func entries() -> String? {
        let found = store.entries.map { entry(of: $0) }
        return Self.difference("entries", found, view.entries)
    }

    private func entry(of entry: PropertyEntry) -> ModelView.Entry {
        // Each file of a directory is a separate source.
        let source = entry.node.origin.source.name
        let directory = source.split(separator: "/").last { $0.hasPrefix("directory ") }
        return ModelView.Entry(
            name: Name(entry.name), value: ModelValue(entry.node.value) ?? .string("a value of another kind"),
            source: directory.map { String($0) } ?? source, isSecret: entry.isSecret)
    }

    private static func difference(
        _ what: String, _ found: [ModelView.Entry], _ expected: [ModelView.Entry]
    ) -> String? {
        if found == expected { return nil }
        return """
            \(what) are
              \(found.map(\.description).joined(separator: "\n  "))
            and should be
              \(expected.map(\.description).joined(separator: "\n  "))
            """
    }

    /// The names to compare: all that exist, and some that do not.
    private var names: Set<Name> { Set(view.merge.places.keys).union(probes) }

    private func reads(_ names: Set<Name>, _ seen: inout SeenInStacks) -> String? {
        for name in names {
            for type in ModelType.allCases {
                let (found, optional) = StoreReads.read(store, name.text, as: type)
                let expected = view.read(name, as: type).map(\.natural)
                seen.add("reads")
                if found != expected { return "'\(name.text)' as \(type) is \(found); expected \(expected)" }
                if optional != (try? expected.get()) {
                    return "'\(name.text)' as \(type)? is \(optional.map { "\($0)" } ?? "nil"); expected \(expected)"
                }
            }
        }
        return nil
    }

    private func histories(
        _ names: Set<Name>, _ seen: inout SeenInStacks, _ texts: inout [String]
    ) -> String? {
        let hasHidden = !view.hiddenTokens.isEmpty
        for (name, model) in view.histories(of: names) {
            let history = store.history(of: name.text)
            if hasHidden {
                texts += history.map(\.description)
                // The description of an error costs more than all other comparisons of a name together, so only names
                // that may show a secret get one.
                let mayShowSecret = view.merge.places[name]?.isTable == true || model.contains(where: \.isSecret)
                if mayShowSecret { texts += StoreReads.errors(store, name.text) }
            }
            // Tables are compared without their contents, which are compared by reading, and without masks, which their
            // leaves have.
            let found = history.map { entry(of: $0) }.map { $0.value.isTable ? $0.emptied : $0 }
            let expected = model.map { $0.value.isTable ? $0.emptied : $0 }
            seen.add("overridden", max(0, expected.count - 1))
            if let difference = Self.difference("the history of '\(name.text)'", found, expected) { return difference }
        }
        return nil
    }

    // MARK: - Declarations

    private func checks(_ texts: inout [String]) -> String? {
        var found: Set<String> = []
        do throws(ConfigurationErrors) {
            try store.verify(unknownKeys: .refused)
        } catch {
            if !view.hiddenTokens.isEmpty { texts.append(error.description) }
            found = Set(error.found.map { $0.cause == nil ? "\($0.name): \($0.reason)" : "conflict" })
        }
        let conflict: [String] = view.failures.isEmpty ? [] : ["conflict"]
        let emptied = view.emptied.filter { !view.isUnchecked($0) }
            .map { "\($0.text): \(PropertyError.Reason.refused)" }
        let expected = Set(
            conflict + view.declarations.compactMap { problem($0) } + emptied + view.undeclared.map(Self.unknown))
        return found == expected ? nil : "verify throws \(found.sorted()); expected \(expected.sorted())"
    }

    private func problem(_ declaration: ModelDeclaration) -> String? {
        guard let type = declaration.type, !view.isUnchecked(declaration.name) else { return nil }
        if view.isEmptyText(declaration.name), !declaration.hasDefault { return "\(declaration.name.text): missing" }
        guard case .failure(let failure) = view.read(declaration.name, as: type) else { return nil }
        if failure == .missing, declaration.hasDefault { return nil }
        return failure == .conflict ? "conflict" : "\(declaration.name.text): \(failure)"
    }

    private static func unknown(_ name: Name) -> String { "\(name.text): \(PropertyError.Reason.unknownKey)" }

    // MARK: - Texts

    private func leaks(_ others: [String]) -> String? {
        view.hiddenTokens.isEmpty ? nil : leak(in: others + texts)
    }

    /// All texts about the store that a service may print.
    private var texts: [String] {
        var dumped = ""
        dump(store, to: &dumped)
        var texts = [store.entriesText, store.description, dumped, (try? store.json()) ?? ""]
        for warning in store.warnings { texts += [warning.description, warning.longDescription] }
        return texts
    }

    private func leak(in texts: [String]) -> String? { Self.leak(in: texts, view.hiddenTokens) }

    private static func leak(in texts: [String], _ hidden: Set<String>) -> String? {
        guard !hidden.isEmpty else { return nil }
        let text = texts.first { !hidden.isDisjoint(with: ModelToken.all(in: $0)) }
        return text.map { "a text shows one of the secrets \(hidden.sorted()): \($0)" }
    }

    /// Looks in the error of a failed step for secrets of the store and of the step's own sources.
    static func leak(in error: any Error, _ step: RandomStack.Step, _ view: ModelView) -> String? {
        var hidden = view.hiddenTokens
        if case .apply(let sources) = step.action {
            for source in sources where source.isSecret { hidden.formUnion(source.entries.flatMap(\.value.tokens)) }
        }
        var dumped = ""
        dump(error, to: &dumped)
        let problems = (error as? ConfigurationErrors)?.problems ?? []
        let long = problems.compactMap { ($0.error as? PropertyLoadError)?.longDescription }
        return leak(in: ["\(error)", dumped] + long, hidden)
    }
}

extension ModelView.Entry: CustomStringConvertible {
    var description: String {
        "\(name.text) = \(ModelText.text(value)) (\(source))\(isSecret ? " secret" : "")"
    }

    fileprivate var emptied: Self { Self(name: name, value: .table([]), source: source, isSecret: false) }
}

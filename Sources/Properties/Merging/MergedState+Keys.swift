extension NamedRule {
    /// Returns the value, or nil if it is missing.
    func read(_ state: MergedState) throws(PropertyError) -> Value? {
        try checkPlaceholders(state)
        guard let node = state.node(key), !node.isNull else { return nil }
        return try value(of: node, state)
    }

    /// Returns the value, or the default if it is missing.
    func require(_ state: MergedState) throws(PropertyError) -> Value {
        try checkPlaceholders(state)
        // Without an optional value, whose metadata would be looked up.
        if let node = state.node(key), !node.isNull { return try value(of: node, state) }
        guard let value = rule.defaultValue else {
            throw PropertyError(missing: key.rawValue, expected: rule.noun, state, isSecret: rule.isSecret)
        }
        return value
    }

    private func checkPlaceholders(_ state: MergedState) throws(PropertyError) {
        guard let cause = state.cause(of: key) else { return }
        // Redacted, because a line of the source may contain the value.
        let shown = rule.isSecret ? cause.redacted() : cause
        throw PropertyError(shown, at: key.rawValue, expected: rule.noun, state)
    }

    /// Converts and checks a value.
    private func value(of node: PropertyNode, _ state: MergedState) throws(PropertyError) -> Value {
        do throws(PropertyError) {
            return try rule.value(of: node)
        } catch {
            let known = error.path.isEmpty ? error.expecting(rule.noun) : error
            throw PropertyError(known, at: key.rawValue, state, isSecret: rule.isSecret)
        }
    }
}

// MARK: - Checks

extension DeclaredKey {
    /// Returns the problems with the value of the key.
    func problems(in state: MergedState) -> [PropertyError] {
        var search = ProblemSearch(state: state)
        visit(&search)
        return search.problems
    }
}

private struct ProblemSearch: KeyVisitor {
    let state: MergedState
    private(set) var problems: [PropertyError] = []

    init(state: MergedState) { self.state = state }

    mutating func visit<Value>(_ key: NamedRule<Value>) {
        do throws(PropertyError) { _ = try key.require(state) } catch { problems += error.all }
    }
}

// MARK: - Values in force

extension MergedState {
    /// The values in force of all declared keys, sorted by name.
    var values: [PropertyEntry] { declarations.compactMap { value(of: $0) } }

    /// Returns the value in force of a declared key, or nil if it has none.
    func value(of declaration: DeclaredKey) -> PropertyEntry? {
        let name = declaration.key.rawValue
        if !isMissing(declaration.key), let node = node(declaration.key) {
            return PropertyEntry(name: name, node: declaration.isList ? node.list : node.single)
        }
        // Of a name that was only declared secret, nothing is known unless a source has it.
        return declaration.isRequired || !declaration.isDescribed ? nil : masked(declaration).defaultEntry
    }

    /// Whether no source has a value for a name. A value that cannot be read is not missing.
    func isMissing(_ key: PropertyKey) -> Bool { (node(key)?.isNull ?? true) && cause(of: key) == nil }

    /// Returns a declared key without its default if that is secret, or contains the value of a secret key.
    func masked(_ key: DeclaredKey) -> DeclaredKey {
        let node = declared.node(key.key)
        if node.isSecret { return key.masked }
        return node.hasSecretNames ? key.withoutDefault : key
    }
}

extension DeclaredKey {
    /// The default as an entry. It is null if there is none, and for a secret.
    package var defaultEntry: PropertyEntry {
        let node = PropertyNode(defaultValue ?? .null, origin: Self.defaultOrigin)
        // That an optional secret is not set is no secret.
        return PropertyEntry(name: key.rawValue, node: isSecret && hasDefault ? node.markedSecret : node)
    }

    /// The origin of values that no source has.
    static let defaultOrigin = PropertyOrigin(source: PropertySource(name: "default"))
}

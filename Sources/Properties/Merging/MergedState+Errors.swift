extension MergedState {
    /// Whether a value is from an environment without a prefix, and so may belong to another program.
    fileprivate func mayBeForeign(_ node: PropertyNode) -> Bool {
        let identity = node.origin.source.identity
        return identity != nil && layers.contains { $0.given.mayBeForeign && $0.given.source?.identity == identity }
    }

    /// Whether one of the names belongs to a declared setting or key.
    func declares(_ names: String?...) -> Bool {
        let keys = names.compactMap { $0.map { PropertyKey($0) } }
        return keys.contains { declarations.node($0).isKey }
    }
}

extension PropertyError {
    /// Creates the error about a value that a conversion did not accept.
    ///
    /// - Parameters:
    ///   - error: the error of the conversion, with the path inside the value that was read.
    ///   - name: the flat name that was read, or nil for all properties.
    ///   - state: the state that the value was read from.
    ///   - isSecret: whether the value was read by a secret key.
    init(_ error: PropertyError, at name: String?, _ state: MergedState, isSecret: Bool = false) {
        if let name, error.reason == .missing, error.node == nil {
            self.init(missing: name, expected: error.expected, state, isSecret: isSecret)
            return
        }
        let isAboutAll = name == nil && error.path.isEmpty
        let inner = isAboutAll ? nil : name.joined(path: error.path)
        let node = error.node ?? PropertyNode(nil)
        let cause = node.isNull ? state.cause(of: PropertyKey(inner ?? "")) : nil
        // Elements of an array that a loader created from literals have no source. For them, the origin of the name
        // that was read is used.
        let hasOrigin = !node.origin.source.isUnknown
        let own = error.reason == .wrongType ? node.placedOrigin : node.origin
        let origin = hasOrigin ? own : name.flatMap { state.origin(of: PropertyKey($0)) }
        // A conversion may throw a node of its own, which has no mark, and a missing value has no node.
        let isSecretPlace = inner.map { state.declarations.root.descendant(path: $0).isSecret } ?? false
        let isSecretInside = !hasOrigin && state.nodeOrRoot(name)?.holdsSecret == true
        let isMasked = isSecret || node.holdsSecret || isSecretPlace || isSecretInside
        // The remedy of another module's conversion, and the error that a type has thrown, may quote the value.
        let isDeclared = state.declares(name, inner)
        let disclosure = isMasked ? .masked : node.disclosure(isDeclared: isDeclared)
        var parts = error.parts
        (parts.name, parts.origin, parts.history) = (name, origin, state)
        (parts.isSecret, parts.isDeclared, parts.mayBeForeign) = (isMasked, isDeclared, state.mayBeForeign(node))
        if let cause { (parts.reason, parts.cause) = (.conflict, cause) }
        let isMissing = error.reason == .missing
        (parts.node, parts.isEmptyText) = (isMissing ? nil : node, isMissing && node.isEmptyText)
        parts.expected = error.checkExpectation(about: node, disclosure) ?? error.expected
        if disclosure >= .values { parts.remedy = parts.quotedRemedy ?? parts.remedy } else { parts.thrownError = nil }
        if disclosure == .masked, !parts.isPlainRemedy { parts.remedy = nil }
        parts.involved = parts.involved.map { setting in
            let inner = (setting.name ?? name).joined(path: setting.path)
            let declared = state.declarations.root.descendant(path: inner)
            var setting = setting.read(at: name, isSecret: declared.isSecret)
            // Text is shown as the number that a read returns, like the defaults in the same message.
            setting.node = setting.node.map { declared.rule?.form.shown($0) ?? $0 }
            return setting
        }
        parts.others = error.all.dropFirst().map { PropertyError($0, at: name, state, isSecret: isSecret) }
        self.init(parts)
    }

    /// Returns the expectation of the key's check, or nil if it quotes a value that the message must not show.
    private func checkExpectation(about node: PropertyNode, _ disclosure: PropertySource.Disclosure) -> String? {
        let text = disclosure < .values ? node.single.value.plainText ?? "" : ""
        return parts.checkExpectation.flatMap { !text.isEmpty && $0.firstIndex(ofText: text) != nil ? nil : $0 }
    }

    /// Creates the error about a name that no source has, or that a null hides.
    init(missing name: String, expected: String, _ state: MergedState, isSecret: Bool = false) {
        let key = PropertyKey(name), declared = state.declarations.node(key)
        let node = state.node(key).flatMap { $0.isNull ? $0 : nil }
        // A null itself is not secret, but the value that it hides may be.
        self.init(
            Parts(
                reason: .missing, name: name, origin: node?.origin, node: node, expected: expected,
                remedy: declared.rule?.openDefault.map { _ in
                    "Read it by its settings type or its key: a read by name does not use its default"
                }, isSecret: isSecret || declared.isSecret,
                isDeclared: state.declares(name), history: state))
    }

    /// Creates the error about a key that nobody reads. Services read only keys outside of the tables of settings.
    init(
        unknown name: String, at origin: PropertyOrigin?, isInSettings: Bool = true, _ candidates: Candidates,
        _ state: MergedState
    ) {
        self.init(
            Parts(
                reason: .unknownKey, name: name, origin: origin,
                expected: isInSettings ? "a key that is read" : Self.declaredOrRead,
                candidates: candidates, history: state))
    }

    /// Creates the error about a variable or an argument that was probably meant to set a name.
    init(unused name: String, _ cause: PropertyLoadError, _ state: MergedState) {
        self.init(
            Parts(
                reason: .unknownKey, name: name, origin: cause.origin, expected: "a key that is read", cause: cause,
                history: state))
    }

    /// Creates the error about sources that contradict each other. The name belongs to the property that has no value
    /// for this reason, or is nil for all properties.
    init(_ cause: PropertyLoadError, at name: String?, expected: String, _ state: MergedState) {
        self.init(
            Parts(
                reason: .conflict, name: name, origin: cause.origin, expected: expected, remedy: cause.remedy,
                isSecret: name.map { state.declarations.node(PropertyKey($0)).isSecret } ?? false
                    || cause.origin.source.isSecret, cause: cause, history: state))
    }
}

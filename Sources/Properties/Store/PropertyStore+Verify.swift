import SharedState
import Synchronization

extension PropertyStore {
    /// Checks all declared keys, and that the sources do not contradict each other.
    ///
    /// If `unknownKeys` is `.refused` and this method succeeds, later changes with unknown keys are refused, too.
    ///
    /// - Parameter unknownKeys: what happens to properties that are neither declared nor have been read by a service at
    ///   its start. By default they are refused if a key is declared, and ignored otherwise. In the table of a settings
    ///   type, only declared keys are known.
    /// - Throws: `ConfigurationErrors` with every key that is missing, wrong or refused, each with its place.
    public func verify(unknownKeys: UnknownKeys? = nil) throws(ConfigurationErrors) {
        try verify([], unknownKeys ?? defaultForUnknownKeys)
    }

    /// Checks the current state, and adds the failures of the function that has read it.
    ///
    /// - Returns: the report of all problems, or nil if there are none.
    func report(
        _ reads: [ReadLog.Read], _ unknownKeys: UnknownKeys, _ failures: [any Error], _ pending: PendingReaders?
    ) -> ConfigurationErrors? {
        do throws(ConfigurationErrors) {
            try verify(reads, unknownKeys, remembers: failures.isEmpty)
            return failures.isEmpty ? nil : ConfigurationErrors(failures)
        } catch {
            // A reader that has failed reads nothing more.
            let isUncertain =
                !failures.isEmpty && error.problems.contains { ($0.error as? PropertyError)?.reason == .unknownKey }
            return ConfigurationErrors([error] + failures, isUncertain ? pending?.unknownKeys : nil)
        }
    }

    /// Checks the current state. If `remembers` is true and there are no problems, later changes must pass the same
    /// checks.
    private func verify(
        _ reads: [ReadLog.Read], _ unknownKeys: UnknownKeys, remembers: Bool = true
    ) throws(ConfigurationErrors) {
        while true {
            let state = current
            var checks = ownChecks
            checks.add(reads, refusesUnknownKeys: false)
            let found = state.problems(checks, reads.compactMap(\.problem), unknownKeys)
            let failures = state.failures(checks).map {
                PropertyError($0, at: nil, expected: "sources that do not contradict each other", state)
            }
            let problems = failures + found
            guard problems.isEmpty else { throw ConfigurationErrors(problems) }
            if !remembers { return }
            let isDone = check(since: state) {
                $0.add(reads, refusesUnknownKeys: unknownKeys == .refused)
            }
            if isDone { return keepStartValues() }
        }
    }
}

extension MergedState {
    /// Returns the problems with declared keys, the given problems, and the unknown keys that are refused, but not the
    /// contradictions between the sources.
    ///
    /// - Parameters:
    ///   - checks: the checks of the store in addition to the declared keys.
    ///   - others: further problems.
    ///   - unknownKeys: what happens to keys that are neither declared nor read.
    ///   - inSettingsOnly: whether only the unknown keys in tables of settings are refused.
    /// - Returns: the problems. A problem may occur repeatedly.
    func problems(
        _ checks: ChangeChecks, _ others: [PropertyError], _ unknownKeys: UnknownKeys, inSettingsOnly: Bool = false
    ) -> [PropertyError] {
        if declarations.traits.isEmpty, merged.failure == nil, unknownKeys == .ignored { return others }
        let own = declarations.keys.flatMap { self.problems(of: $0) } + brokenRules
        var problems = addingMisplaced(to: own).filter { $0.cause != nil || !isUnchecked($0.name) } + others
        if checks.acceptsMissingSecrets {
            problems.removeAll { $0.lacksSecret || $0.cause.map(lacksSecret) == true }
        }
        if merged.failure != nil {
            // A contradiction may be the reason why a name is missing or unknown.
            problems.removeAll { $0.reason == .missing }
            return problems
        }
        return unknownKeys == .ignored ? problems : problems + self.unknownKeys(checks, inSettingsOnly)
    }

    /// The contradictions between the sources, and the placeholders without a value, that the checks do not accept. An
    /// error may occur repeatedly.
    func failures(_ checks: ChangeChecks) -> [PropertyLoadError] {
        checks.acceptsMissingSecrets ? allFailures.filter { !lacksSecret($0) } : allFailures
    }

    /// Whether the only problem of an error is that a placeholder in a secret, or for a secret, has no value.
    private func lacksSecret(_ error: PropertyLoadError) -> Bool {
        let isSecret =
            error.origin.source.isSecret || error.missingName.map { declarations.root.descendant($0).isSecret } == true
        return isSecret && error.reason == .unresolved
    }
}

// MARK: - Rules of several settings

extension MergedState {
    /// The errors about rules that settings do not obey together.
    ///
    /// A state that keeps values until a restart has the errors of the state after the restart.
    fileprivate var brokenRules: [PropertyError] {
        if let stateAfterRestart { return stateAfterRestart.brokenRules }
        return declarations.tables.filter { $0.schema.traits.contains(.settingsRules) }.flatMap(brokenRules)
    }

    /// Returns the errors about rules that the settings of a table do not obey.
    private func brokenRules(of declaration: SettingsDeclaration) -> [PropertyError] {
        let reader = reader(of: declaration)
        func read<T: Settings>(_ type: T.Type) { _ = try? reader.decode(type) }
        read(declaration.settings)
        return problems(of: reader, declaration).filter { $0.reason == .brokenRule }
    }
}

// MARK: - Errors

extension PropertyError {
    /// The identity of the mistake. Two errors about the same mistake have equal identities.
    var identity: [PropertyKey] {
        (cause.map { [$0.description] } ?? [name, reason.description, expected]).map { PropertyKey($0) }
    }
}

import SharedState
import Synchronization

extension PropertyStore {
    /// Checks all declared keys, and that the sources do not contradict each other.
    ///
    /// If `unknownKeys` is `.refused` and this method succeeds, later changes with unknown keys are refused, too.
    ///
    /// - Parameter unknownKeys: what happens to properties that are neither declared nor have been read by a service at
    ///   its start. By default they are refused if a key is declared, and ignored otherwise.
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
            checks.add(knownKeys: reads.map(\.key), refusesUnknownKeys: false)
            let problems = state.problems(checks, reads.compactMap(\.problem), unknownKeys)
            guard problems.isEmpty else { throw ConfigurationErrors(problems) }
            if !remembers { return }
            let isDone = check(since: state) {
                $0.add(knownKeys: reads.map(\.key), refusesUnknownKeys: unknownKeys == .refused)
            }
            if isDone { return keepStartValues() }
        }
    }
}

extension MergedState {
    /// Returns the contradictions between the sources, the problems with declared keys, the given problems, and the
    /// unknown keys that are refused.
    ///
    /// - Parameters:
    ///   - checks: the checks of the store in addition to the declared keys.
    ///   - others: further problems.
    ///   - unknownKeys: what happens to keys that are neither declared nor read.
    /// - Returns: the problems. One of them may occur repeatedly.
    func problems(_ checks: ChangeChecks, _ others: [PropertyError], _ unknownKeys: UnknownKeys) -> [PropertyError] {
        let declarations = declarations, tables = tableProblems
        var problems = conflicts + declarations.flatMap { $0.problems(in: self) } + tables + others
        if checks.acceptsMissingSecrets {
            problems.removeAll { $0.isSecret && ($0.reason == .missing || $0.cause?.reason == .unresolved) }
        }
        if unknownKeys == .ignored { return problems }
        let known = checks.knownKeys.union(declarations.map(\.key)).union(tables.map { PropertyKey($0.name) })
        return problems + (known.contains(nil) ? [] : undeclared(Set(known.compactMap(\.self))))
            + declarations.flatMap { $0.unknownKeys(in: self) }
    }

    /// The declarations of this store and of those above, sorted by name.
    var declarations: [DeclaredKey] {
        var all: [PropertyKey: DeclaredKey] = [:]
        for snapshot in sequence(first: self, next: \.above) {
            for declaration in snapshot.contents.declarations.values { all.combine(declaration) }
        }
        return all.values.sorted(byName: \.key.rawValue)
    }

    /// The error about a contradiction between the sources, or an empty array.
    fileprivate var conflicts: [PropertyError] {
        failure.map { [PropertyError($0, at: nil, expected: "sources that do not contradict each other", self)] } ?? []
    }

    /// Returns an error for each property that is neither known nor in a known table. Known names that its source does
    /// not set are the candidates for its suggestion. Those that another source sets may have been meant to override
    /// it.
    fileprivate func undeclared(_ known: Set<PropertyKey>) -> [PropertyError] {
        let all = known.map(\.rawValue).sorted(byName: \.self)
        let found = Set(known.compactMap { find($0) }), tables = Self.tables(of: all)
        let shared = Set(layers.filter(\.isShared).map(\.number))
        return names.all.indices.filter { index in
            let named = names.all[index]
            // An empty table, or null, whose keys are known is a section without settings.
            let isSection = (named.node.isTable || named.node.isNull) && tables.contains(PropertyKey(named.name))
            return named.isLeaf && !isSection && !names.isInside(index, found) && !shared.contains(named.entry.layer)
        }.map { index in
            let named = names.all[index], source = named.entry.keyOrigin.source
            let candidates = Candidates(written: named.name, names: all) { [self] name in
                // Whether the value of a name, or the first key of a table of this name, is in another source.
                find(PropertyKey(name)).map { !names.all[$0].entry.keyOrigin.source.name.isSame(as: source.name) }
                    ?? true
            }
            return PropertyError(unknown: named.name, at: named.entry.keyOrigin, candidates, self)
        }
    }

    /// Returns the names of all tables that the paths of names lead through.
    private static func tables(of names: [String]) -> Set<PropertyKey> {
        var tables: Set<PropertyKey> = []
        for name in names {
            for dot in name.utf8.indices where name.utf8[dot] == UInt8(ascii: ".") {
                tables.insert(PropertyKey(String(name[..<dot])))
            }
        }
        return tables
    }
}

extension PropertyError {
    /// The identity of the mistake. Two errors about the same mistake have equal identities.
    var identity: [PropertyKey] {
        (cause.map { [$0.description] } ?? [name, reason.description, expected]).map { PropertyKey($0) }
    }
}

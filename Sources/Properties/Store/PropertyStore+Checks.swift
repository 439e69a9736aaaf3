import SharedState
import Synchronization

extension PropertyStore {
    /// Publishes later reloads and sources of this store and its children without checks of their values.
    ///
    /// By default, a change that would break a declared key is refused. After this call, `verify` still reports such
    /// problems. This is for tools that show wrong values.
    package func acceptUncheckedChanges() {
        owner.checks.withLock { $0.isOff = true }
    }

    /// Accepts that secrets have no value, for a check where they are not available.
    func acceptMissingSecrets() {
        owner.checks.withLock { $0.acceptsMissingSecrets = true }
    }

    /// Changes the sources if the new state passes all checks.
    ///
    /// - Parameters:
    ///   - acceptsOldProblems: whether problems are accepted that the current state has, too.
    ///   - body: changes the contents of the store itself.
    /// - Returns: the result of the body.
    /// - Throws: the contradiction between the new layers, or the problems. The store does not change.
    func changeChecked(
        acceptsOldProblems: Bool = false, _ body: (inout StoreContents) -> Bool
    ) throws(ConfigurationErrors) -> Bool {
        let isOff = acceptsUncheckedChanges
        return try publish(body) { (new, checks) throws(ConfigurationErrors) in
            let failures = new.failures(checks)
            if isOff {
                if !failures.isEmpty { throw ConfigurationErrors(failures) }
                return
            }
            let unknownKeys = checks.refusesUnknownKeys ? UnknownKeys.refused : .ignored
            var problems = checks.problems(with: new, unknownKeys)
            if acceptsOldProblems, !problems.isEmpty {
                let old = Set(checks.problems(with: current, unknownKeys).map(\.identity))
                problems.removeAll { old.contains($0.identity) }
            }
            if !failures.isEmpty || !problems.isEmpty { throw ConfigurationErrors(failures + problems) }
        }
    }

    /// The checks of this store in addition to the declared keys. Keys that the services of its parents have read are
    /// known here, too.
    var ownChecks: ChangeChecks {
        var checks = owner.checks.withLock { $0 }
        for store in sequence(first: owner, next: \.parent).dropFirst() {
            checks.know(store.checks.withLock { $0.knownKeys })
        }
        return checks
    }

    /// Changes the checks after a state has passed them, unless another state has been published meanwhile.
    ///
    /// - Returns: whether the checks were changed.
    func check(since state: MergedState, _ change: (inout ChangeChecks) -> Void) -> Bool {
        // The old checks are released after unlocking: see `Lock`.
        let former = owner.checks.withLock { checks -> ChangeChecks? in
            guard isCurrent(state) else { return nil }
            let former = checks
            change(&checks)
            return former
        }
        return former != nil
    }

    private var acceptsUncheckedChanges: Bool {
        sequence(first: self, next: \.parent).contains { $0.ownChecks.isOff }
    }
}

/// The checks that a store makes before it publishes a change, in addition to the declared keys.
struct ChangeChecks: Sendable {
    /// The keys that were read while a start was checked, in addition to declared keys. Nil is all keys.
    private(set) var knownKeys: Set<PropertyKey?> = []
    /// The reads of the services of a start, which a change must not break.
    private var reads: [ReadCheck.ID: ReadCheck] = [:]
    /// Whether `verify` has refused unknown keys.
    private(set) var refusesUnknownKeys = false
    /// Whether changes are published without checks.
    var isOff = false
    /// Whether a secret without a value is not a problem.
    var acceptsMissingSecrets = false
    /// Increases when a check is added.
    private(set) var version = 0

    /// Adds keys that the services of a parent have read.
    mutating func know(_ keys: Set<PropertyKey?>) { if !keys.isEmpty { knownKeys.formUnion(keys) } }

    /// Adds the checks of a successful `verify`.
    mutating func add(_ reads: [ReadLog.Read], refusesUnknownKeys refuses: Bool) {
        refusesUnknownKeys = refusesUnknownKeys || refuses
        knownKeys.formUnion(reads.map(\.key))
        for check in reads.compactMap(\.check) { self.reads[check.id] = check }
        version += 1
    }

    /// Returns the problems with a new state: those of the declared keys, and the reads of services that would fail.
    func problems(with state: MergedState, _ unknownKeys: UnknownKeys) -> [PropertyError] {
        let own = state.problems(self, [], unknownKeys)
        if reads.isEmpty { return own }
        let names = Set(own.map(\.name))
        let broken = reads.values.compactMap { $0.problem(in: state) }.filter { !names.contains($0.name) }
        return own + broken.sorted(byName: \.name)
    }
}

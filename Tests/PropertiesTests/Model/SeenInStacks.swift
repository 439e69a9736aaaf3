import Properties

/// Counts what the random stacks contained, so that the test cannot pass without covering it.
struct SeenInStacks {
    var stacks = 0
    var reads = 0
    /// Values in the compared histories that later values override.
    var histories = 0
    /// States that are invalid because a parent changed or a key was declared.
    var conflicts = 0
    private(set) var properties = 0
    private(set) var secrets = 0
    private(set) var nulls = 0
    private(set) var reloads = 0
    private(set) var declarations = 0
    private(set) var sources: [ModelSource.Kind: Int] = [:]
    private(set) var failures: [ModelFailure: Int] = [:]

    mutating func add(_ step: RandomStack.Step, _ thrown: Set<ModelFailure>) {
        for failure in thrown { failures[failure, default: 0] += 1 }
        switch step.action {
        case .apply(let new): for source in new { sources[source.kind, default: 0] += 1 }
        case .reload: reloads += 1
        case .declare: declarations += 1
        case .replacePlaceholders: break
        }
    }

    mutating func add(_ view: ModelView) {
        let entries = view.entries
        properties += entries.count
        secrets += entries.count(where: \.isSecret)
        nulls += entries.count { $0.value == .null }
    }

    mutating func add(_ other: SeenInStacks) {
        stacks += other.stacks
        reads += other.reads
        histories += other.histories
        conflicts += other.conflicts
        properties += other.properties
        secrets += other.secrets
        nulls += other.nulls
        reloads += other.reloads
        declarations += other.declarations
        sources.merge(other.sources) { $0 + $1 }
        failures.merge(other.failures) { $0 + $1 }
    }
}

extension SeenInStacks: CustomStringConvertible {
    /// All counts, for the output of the test.
    var description: String {
        let sources = sources.map { "\($0) \($1)" }.sorted().joined(separator: ", ")
        let failures = failures.map { "\($0.reason?.description ?? "of a loader") \($1)" }.sorted().joined(
            separator: ", ")
        return """
            \(stacks) stacks; sources: \(sources)
            reloads \(reloads), declarations \(declarations), failures: \(failures)
            properties \(properties), secrets \(secrets), nulls \(nulls), reads \(reads), overridden \(histories), \
            conflicts \(conflicts)
            """
    }
}

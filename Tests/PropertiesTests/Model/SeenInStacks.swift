import Properties

/// Counts what the random stacks contained, so that the test cannot pass without covering it.
struct SeenInStacks {
    private(set) var counts: [String: Int] = [:]

    mutating func add(_ what: String, _ count: Int = 1) { counts[what, default: 0] += count }

    mutating func add(_ step: RandomStack.Step, _ thrown: Set<ModelFailure>) {
        for failure in thrown { add(Self.name(of: failure.reason)) }
        switch step.action {
        case .apply(let new): for source in new { add(source.isShared ? "shared environment" : "\(source.kind)") }
        case .reload: add("reloads")
        case .declare: add("declarations")
        case .replacePlaceholders: break
        }
    }

    mutating func add(_ view: ModelView) {
        add("properties", view.entries.count)
        add("secrets", view.entries.count(where: \.isSecret))
        add("nulls", view.entries.count { $0.value == .null })
    }

    mutating func add(_ other: SeenInStacks) { counts.merge(other.counts) { $0 + $1 } }

    /// The name of the count of a failure. The error of a loader has no reason.
    private static func name(of reason: PropertyLoadError.Reason?) -> String {
        "failure: \(reason?.description ?? "of a loader")"
    }

    /// The least counts in 5,000 stacks.
    static let least: [String: Int] = {
        let reasons: [PropertyLoadError.Reason?] = [
            nil, .duplicate, .ambiguous, .unresolved, .cycle, .syntax, .unsupported,
        ]
        let failures = reasons.map { (name(of: $0), 20) }
        let kinds = ModelSource.Kind.allCases.map { ("\($0)", 100) }
        return [
            "properties": 30_000, "secrets": 5000, "nulls": 2000, "reads": 60_000, "overridden": 1000, "reloads": 500,
            "declarations": 1000, "conflicts": 40, "shared environment": 100,
        ].merging(failures + kinds) { $1 }
    }()
}

extension SeenInStacks: CustomStringConvertible {
    /// All counts, for the output of the test.
    var description: String { counts.map { "\($0) \($1)" }.sorted().joined(separator: ", ") }
}

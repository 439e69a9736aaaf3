import Explorer

/// Prints what the explorations find.
struct Report {
    private(set) var hasFailed = false

    /// Explores programs with known outcomes, to check the explorer itself.
    mutating func exploreLitmusTests() {
        print("Programs with known outcomes")
        for test in LitmusTest.all {
            let verdict = test.program.explore()
            let found = verdict.failure == nil ? "\(verdict.outcomes.count) outcomes" : "a data race"
            add(test.accepts(verdict), "\(test.program.name): \(found)", verdict)
        }
    }

    mutating func exploreModels(_ orderings: Orderings) {
        print("\nThe models, with the orderings of the sources")
        for model in models(orderings) {
            let verdict = model.explore()
            add(verdict.failure == nil, "\(model.name): \(verdict.executions) executions", verdict)
        }
    }

    mutating func exploreMutations(_ orderings: Orderings) {
        print("\nEach ordering one step weaker, and the model that then fails")
        for point in Point.allCases {
            for weaker in orderings.weaker(at: point) {
                let finder = models(orderings.with(weaker, at: point)).first { $0.explore().failure != nil }
                add(finder != nil, "\(point.rawValue), \(weaker): \(finder?.name ?? "none")")
            }
        }
    }

    mutating func exploreMistakes(_ orderings: Orderings) {
        print("\nMistakes that no ordering mends")
        for mistake in HazardModels(orderings: orderings).mistakes {
            add(mistake.explore().failure != nil, "\(mistake.name) fails")
        }
    }

    private func models(_ orderings: Orderings) -> [Program] {
        HazardModels(orderings: orderings).all + SlotModels(orderings: orderings).all
    }

    private mutating func add(_ isRight: Bool, _ line: String, _ verdict: Verdict? = nil) {
        print((isRight ? "ok      " : "FAILED  ") + line)
        if isRight { return }
        hasFailed = true
        if let failure = verdict?.failure { print(failure) }
    }
}

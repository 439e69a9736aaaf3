import Explorer

/// Prints what the explorations find.
struct Report {
    private(set) var hasFailed = false

    /// Explores programs with known outcomes, to check the explorer itself.
    mutating func exploreLitmusTests() {
        print("Programs with known outcomes")
        for test in LitmusTest.all {
            for model in MemoryModel.allCases {
                let verdict = test.program.explore(model)
                let found = verdict.failure == nil ? "\(verdict.outcomes.count) outcomes" : "a data race"
                add(test.accepts(verdict, model), "\(test.program.name), \(model.rawValue): \(found)", verdict)
            }
        }
    }

    mutating func exploreModels(_ orderings: Orderings) {
        print("\nThe models, with the orderings of the sources")
        for program in models(orderings) {
            for model in MemoryModel.allCases {
                let verdict = program.explore(model)
                let line = "\(program.name), \(model.rawValue): \(verdict.executions) executions"
                add(verdict.failure == nil, line, verdict)
            }
        }
    }

    mutating func exploreMutations(_ orderings: Orderings) {
        print("\nEach ordering one step weaker, and the model that then fails")
        for point in Point.allCases {
            for weaker in orderings.weaker(at: point) {
                let finder = models(orderings.with(weaker, at: point)).first { $0.explore(.rc11).failure != nil }
                add(finder != nil, "\(point.rawValue), \(weaker): \(finder?.name ?? "none")")
            }
        }
    }

    mutating func exploreMistakes(_ orderings: Orderings) {
        print("\nMistakes that no ordering mends")
        for mistake in HazardModels(orderings: orderings).mistakes {
            add(mistake.explore(.rc11).failure != nil, "\(mistake.name) fails")
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

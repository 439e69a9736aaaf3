import Explorer

/// A small program whose outcomes are known. It checks the explorer itself.
struct LitmusTest {
    enum Step: Sendable {
        case store(Int, Int, MemoryOrdering)
        case load(Int, MemoryOrdering)
        case add(Int, Int, MemoryOrdering)
    }

    /// The number of outcomes: of different values that the threads read and leave in the variables.
    let outcomes: [MemoryModel: Int]
    let program: Program

    /// Creates a test.
    ///
    /// - Parameters:
    ///   - name: the name for reports.
    ///   - outcomes: the number of outcomes in RC11.
    ///   - imm: the number of outcomes in IMM, if it is another one.
    ///   - variables: the number of variables, which are initially 0.
    ///   - threads: the steps of each thread.
    private init(_ name: String, outcomes: Int, imm: Int? = nil, variables: Int = 2, _ threads: [Step]...) {
        self.outcomes = [.rc11: outcomes, .imm: imm ?? outcomes]
        // After the variables, there is a place for what each step reads.
        var (next, bodies) = (variables, [@Sendable (inout Thread) throws -> Void]())
        for steps in threads {
            let results = next
            next += steps.count
            bodies.append { thread in
                for (index, step) in steps.enumerated() {
                    if let value = try Self.run(step, &thread) { try thread.store(value, results + index) }
                }
            }
        }
        program = Program(name, memory: Array(repeating: 0, count: next), threads: bodies)
    }

    /// Runs a step.
    ///
    /// - Returns: the value that it has read, or nil for a store.
    private static func run(_ step: Step, _ thread: inout Thread) throws -> Int? {
        switch step {
        case .store(let value, let variable, let ordering):
            try thread.store(value, variable, ordering)
            return nil
        case .load(let variable, let ordering): return try thread.load(variable, ordering)
        case .add(let value, let variable, let ordering): return try thread.add(value, variable, ordering)
        }
    }
}

// MARK: - The tests

extension LitmusTest {
    static var all: [LitmusTest] {
        [
            storeBuffering(.releasing, .acquiring, outcomes: 4),
            storeBuffering(.sequentiallyConsistent, .sequentiallyConsistent, outcomes: 3),
            storeBuffering(.sequentiallyConsistent, .acquiring, outcomes: 4),
            messagePassing(.relaxed, .acquiring, outcomes: 4),
            messagePassing(.releasing, .relaxed, outcomes: 4),
            messagePassing(.releasing, .acquiring, outcomes: 3),
            independentReads(.releasing, .acquiring, outcomes: 16),
            independentReads(.sequentiallyConsistent, .sequentiallyConsistent, outcomes: 15),
            twoWrites(.releasing, outcomes: 4),
            twoWrites(.sequentiallyConsistent, outcomes: 3),
            loadBuffering(.relaxed, .relaxed, imm: 4),
            loadBuffering(.acquiring, .relaxed, imm: 3),
            loadBuffering(.relaxed, .releasing, imm: 3),
            // Only one of the two stores waits for its load.
            LitmusTest(
                "load buffering with one acquiring load", outcomes: 3, imm: 4,
                [.load(0, .acquiring), .store(1, 1, .relaxed)], [.load(1, .relaxed), .store(1, 0, .relaxed)]),
            LitmusTest(
                "load buffering by additions", outcomes: 3, imm: 4,
                [.add(1, 0, .relaxed), .store(1, 1, .relaxed)], [.load(1, .relaxed), .add(1, 0, .relaxed)]),
            LitmusTest(
                "coherence of reads", outcomes: 6, variables: 1,
                [.store(1, 0, .relaxed), .store(2, 0, .relaxed)], [.load(0, .relaxed), .load(0, .relaxed)]),
            LitmusTest("additions", outcomes: 2, variables: 1, [.add(1, 0, .relaxed)], [.add(1, 0, .relaxed)]),
            releaseSequence(.releasing, isRace: false),
            releaseSequence(.relaxed, isRace: true),
        ]
    }

    private static func storeBuffering(_ store: MemoryOrdering, _ load: MemoryOrdering, outcomes: Int) -> LitmusTest {
        LitmusTest(
            "store buffering, \(store) and \(load)", outcomes: outcomes,
            [.store(1, 0, store), .load(1, load)], [.store(1, 1, store), .load(0, load)])
    }

    /// Both threads load what the other one stores afterwards.
    private static func loadBuffering(_ load: MemoryOrdering, _ store: MemoryOrdering, imm: Int) -> LitmusTest {
        LitmusTest(
            "load buffering, \(load) and \(store)", outcomes: 3, imm: imm,
            [.load(0, load), .store(1, 1, store)], [.load(1, load), .store(1, 0, store)])
    }

    private static func messagePassing(_ store: MemoryOrdering, _ load: MemoryOrdering, outcomes: Int) -> LitmusTest {
        LitmusTest(
            "message passing, \(store) and \(load)", outcomes: outcomes,
            [.store(1, 0, .relaxed), .store(1, 1, store)], [.load(1, load), .load(0, .relaxed)])
    }

    /// Sequential consistency forbids that two threads see two stores in different orders.
    private static func independentReads(_ store: MemoryOrdering, _ load: MemoryOrdering, outcomes: Int) -> LitmusTest {
        LitmusTest(
            "independent reads of independent writes, \(store) and \(load)", outcomes: outcomes,
            [.store(1, 0, store)], [.store(1, 1, store)],
            [.load(0, load), .load(1, load)], [.load(1, load), .load(0, load)])
    }

    /// Two threads write two variables in different orders. The outcomes are the last values.
    private static func twoWrites(_ store: MemoryOrdering, outcomes: Int) -> LitmusTest {
        LitmusTest(
            "two writes of two variables, \(store)", outcomes: outcomes,
            [.store(1, 0, store), .store(2, 1, store)], [.store(1, 1, store), .store(2, 0, store)])
    }

    /// A relaxed update between the release and the load passes the message on. Expects a race, which has no outcomes,
    /// or none.
    private static func releaseSequence(_ store: MemoryOrdering, isRace: Bool) -> LitmusTest {
        let program = Program(
            "a relaxed update after a \(store) store", memory: [0, 0],
            threads: [
                { thread in
                    try thread.store(1, 0)
                    try thread.store(1, 1, store)
                },
                { _ = try $0.add(1, 1, .relaxed) },
                { if try $0.load(1, .acquiring) == 2 { _ = try $0.load(0) } },
            ])
        return LitmusTest(outcomes: isRace ? 0 : 2, program: program)
    }

    private init(outcomes: Int, program: Program) {
        (self.outcomes, self.program) = ([.rc11: outcomes, .imm: outcomes], program)
    }

    /// Whether the explorer has found just the outcomes of the test.
    func accepts(_ verdict: Verdict, _ model: MemoryModel) -> Bool {
        let expected = outcomes[model] ?? 0
        return expected == 0 ? verdict.failure != nil : verdict.failure == nil && verdict.outcomes.count == expected
    }
}

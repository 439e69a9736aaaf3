/// What the exploration of a program has found.
public struct Verdict: Sendable {
    /// The number of executions in which every thread has ended or waits for ever.
    public internal(set) var executions = 0
    /// The last values of those in which every thread has ended.
    public internal(set) var outcomes: Set<[Int]> = []
    /// The first failure with its accesses, or nil.
    public internal(set) var failure: String?
}

extension Program {
    /// Runs the program in every way that a memory model allows, until one fails.
    public func explore(_ model: MemoryModel) -> Verdict {
        // A promise may lead to values that no other execution writes, and that can then be promised too.
        var exploration = Exploration(program: self, model: model)
        var known: Set<Exploration.Write>
        repeat {
            known = exploration.writes
            exploration.run()
        } while model == .imm && exploration.verdict.failure == nil && exploration.writes != known
        return exploration.verdict
    }
}

private struct Exploration {
    /// The maximum number of executions that are kept. The events of an execution are at most 64, the bits of a word.
    private static let limit = 20_000_000

    struct Write: Hashable {
        let thread: Int, location: Int, value: Int
    }

    let program: Program
    let model: MemoryModel
    /// What the threads write in any execution without open promises.
    private(set) var writes: Set<Write> = []
    private(set) var verdict = Verdict()

    init(program: Program, model: MemoryModel) { (self.program, self.model) = (program, model) }

    mutating func run() {
        verdict = Verdict()
        var seen: Set<[Int]> = []
        var open = [Execution(memory: program.memory, model: model)]
        while verdict.failure == nil, let execution = open.popLast() {
            for next in successors(of: execution) where seen.insert(next.identity).inserted { open.append(next) }
            precondition(seen.count < Self.limit, "\(program.name) has too many executions")
        }
    }

    /// The consistent executions with one more event. Records an execution that cannot go on, and a failure.
    private mutating func successors(of execution: Execution) -> [Execution] {
        var (next, isOver, isWaiting) = ([Execution](), true, false)
        for (thread, body) in program.threads.enumerated() {
            do {
                var run = Thread(done: execution.done(by: thread))
                try body(&run)
            } catch Thread.Stop.access(let access) {
                isOver = false
                next += execution.extended(by: access, of: thread, promises: promises(for: access, of: thread))
                    .filter(\.isConsistent)
            } catch Thread.Stop.wait {
                isWaiting = true
            } catch {
                // While a promised value has not been written, the other threads go on: it may never be.
                if execution.isComplete { verdict.failure = "\(error)\n\(execution.trace)" }
            }
        }
        for execution in next {
            if execution.isComplete { noteWrites(of: execution) }
            if let race = execution.race { verdict.failure = verdict.failure ?? "\(race)\n\(execution.trace)" }
        }
        if isOver, execution.isComplete { record(execution, hasEnded: !isWaiting) }
        return next
    }

    private mutating func noteWrites(of execution: Execution) {
        for event in execution.events {
            guard let thread = event.thread, let value = event.written else { continue }
            writes.insert(Write(thread: thread, location: event.location, value: value))
        }
    }

    /// The values that other threads write.
    ///
    /// None for a read that acquires: the stores after it wait for it, so that it is in no cycle. None for a read that
    /// is not atomic: a write that does not happen before it is a data race with it, whatever it reads.
    private func promises(for access: Access, of thread: Int) -> Set<Int> {
        if model == .rc11 || access.ordering.acquires || access.ordering == .none { return [] }
        return Set(writes.filter { $0.location == access.location && $0.thread != thread }.map(\.value))
    }

    private mutating func record(_ execution: Execution, hasEnded: Bool) {
        verdict.executions += 1
        guard hasEnded else { return }
        verdict.outcomes.insert(execution.memory)
        if let end = program.end, !end(execution.memory) {
            verdict.failure = verdict.failure ?? "the threads end with \(execution.memory)\n\(execution.trace)"
        }
    }
}

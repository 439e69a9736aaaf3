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
    /// The maximum number of executions that are kept. The events of an execution are at most 64, the bits of a word.
    private static let limit = 20_000_000

    /// Runs the program in every way that the memory model allows, until one fails.
    public func explore() -> Verdict {
        var verdict = Verdict()
        var seen: Set<[Int]> = []
        var open = [Execution(memory: memory)]
        while verdict.failure == nil, let execution = open.popLast() {
            for next in successors(of: execution, &verdict) where seen.insert(next.identity).inserted {
                open.append(next)
            }
            precondition(seen.count < Self.limit, "\(name) has too many executions")
        }
        return verdict
    }

    /// The consistent executions with one more event. Records an execution that cannot go on, and a failure.
    private func successors(of execution: Execution, _ verdict: inout Verdict) -> [Execution] {
        var (next, isOver, isWaiting) = ([Execution](), true, false)
        for (thread, body) in threads.enumerated() {
            do {
                var run = Thread(done: execution.done(by: thread))
                try body(&run)
            } catch Thread.Stop.access(let access) {
                isOver = false
                next += execution.extended(by: access, of: thread).filter(\.isConsistent)
            } catch Thread.Stop.wait {
                isWaiting = true
            } catch {
                verdict.failure = "\(error)\n\(execution.trace)"
            }
        }
        for execution in next {
            if let race = execution.race { verdict.failure = verdict.failure ?? "\(race)\n\(execution.trace)" }
        }
        if isOver { record(execution, hasEnded: !isWaiting, &verdict) }
        return next
    }

    private func record(_ execution: Execution, hasEnded: Bool, _ verdict: inout Verdict) {
        verdict.executions += 1
        guard hasEnded else { return }
        verdict.outcomes.insert(execution.memory)
        if let end, !end(execution.memory) {
            verdict.failure = verdict.failure ?? "the threads end with \(execution.memory)\n\(execution.trace)"
        }
    }
}

import Container
import Foundation
import TestSupport
import Testing

/// Random programs whose services have user code at every place where a container runs some.
@Suite("Random programs", .serialized, .hangLimit)
struct RandomProgramTests {
    /// `GRAPHS=100000` is a long run. `GRAPH_SEED` repeats one program instead.
    private static let environment = ProcessInfo.processInfo.environment
    static let rounds = Int(environment["GRAPHS"] ?? "") ?? LongRun.rounds(400)
    static let seed = UInt64(environment["GRAPH_SEED"] ?? "")
    /// The time after which a program hangs. It takes about a millisecond, and longer on a loaded machine.
    static let patience = Double(environment["GRAPH_PATIENCE"] ?? "") ?? 600

    /// The seed of a round. The first rounds are for each pair twice.
    private static func seed(_ round: Int, _ random: inout some RandomNumberGenerator) -> UInt64 {
        if let seed { return seed }
        let number = UInt64.random(in: 0 ... .max / 1000, using: &random)
        let count = UInt64(Program.pairs.count)
        return round < 2 * Program.pairs.count ? (number * count + UInt64(round) % count) * 4 : number
    }

    @Test(
        "Whatever user code does anywhere, nothing hangs, and instances are complete, closed and released",
        arguments: [false, true])
    func programs(forTasks: Bool) async throws {
        var random = SystemRandomNumberGenerator()
        let counts = PairCounts()
        var wrong = 0
        for round in 0..<Self.rounds {
            let program = Program(seed: Self.seed(round, &random), forTasks: forTasks)
            let trial = Trial(program, patience: Self.patience)
            let hasEnded = await trial.run(counts)
            if !trial.wrong.isEmpty {
                Issue.record("\(trial.wrong.joined(separator: "\n"))\nround \(round), \(program)")
                wrong += 1
            }
            if !hasEnded || wrong == 10 { return }
        }
        if Self.seed != nil { return }
        if Self.environment["GRAPHS"] != nil {
            print("Random programs for \(forTasks ? "tasks" : "threads"):\n\(counts.description)")
        }
        #expect(counts.missing.isEmpty, "\(counts.description)")
    }
}

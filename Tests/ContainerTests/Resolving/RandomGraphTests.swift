import Container
import Foundation
import TestSupport
import Testing

/// Random services that several threads resolve at once. A turnstile decides which thread goes on.
@Suite("Random graphs of services", .hangLimit)
struct RandomGraphTests {
    /// `GRAPH_ROUNDS=100000` is a long run.
    static let rounds = Int(ProcessInfo.processInfo.environment["GRAPH_ROUNDS"] ?? "") ?? LongRun.rounds(300)

    /// The containers of a plan, and the threads that resolve.
    struct World: Sendable {
        let record: GraphRecord
        let turnstile = Turnstile()

        init(_ plan: GraphPlan) {
            record = GraphRecord(plan)
            for index in plan.needs.indices { register(index) }
        }

        private func register(_ index: Int) {
            let (record, plan, turnstile) = (record, record.plan, turnstile)
            let resolve = { @Sendable (r: Resolver, services: [Int]) in
                try services.map { service in
                    turnstile.pass()
                    return try r.require(GraphNode.self, name: "\(service)")
                }
            }
            let entry = record.root.register(GraphNode.self, name: "\(index)") { r in
                let needs = try resolve(r, plan.needs[index])
                turnstile.pass()
                return record.add(index, needs)
            }
            record.setScope(of: entry, index)
            entry.initCompleted { r, node in
                let taken = try resolve(r, plan.takes[index])
                turnstile.pass()
                try record.fail(index)
                node.take(taken)
            }
        }

        func resolve(_ root: (container: Int, service: Int)) -> Outcome {
            do throws(ResolutionError) {
                let node = try record.containers[root.container].require(GraphNode.self, name: "\(root.service)")
                let isComplete = node.all.allSatisfy { $0.taken != nil }
                return isComplete ? .complete(node) : .incomplete("\(node.all.map { "\($0.index)" })")
            } catch {
                return error.reason == .circular ? .circular : .failed("\(error)")
            }
        }
    }

    /// The result of a thread's resolve.
    enum Outcome: Sendable {
        case complete(GraphNode)
        case incomplete(String)
        case circular
        case failed(String)
    }

    @Test("In every schedule, threads get the same instances, circles and closing as one thread")
    func random() async throws {
        var seeds = SystemRandomNumberGenerator()
        for _ in 0..<Self.rounds {
            let number = UInt64.random(in: 0 ... .max, using: &seeds)
            var random = SplitMix(state: number)
            let plan = GraphPlan(&random, forTasks: false)
            let comment = Comment(rawValue: "seed \(number): \(plan)")
            let world = World(plan)
            let outcomes = Results<(root: Int, outcome: Outcome)>()
            let bodies = plan.roots.map { root in { @Sendable in outcomes.add((root.service, world.resolve(root))) } }
            let seed = random.next()
            let hasEnded = await offPool {
                var random = SplitMix(state: seed)
                return world.turnstile.run(bodies, &random)
            }
            world.turnstile.open()
            try #require(hasEnded, comment)
            check(outcomes.all, plan, comment)
            world.record.checkMade(comment)
            await world.record.checkClosing(comment)
            world.record.release()
        }
    }

    private func check(_ outcomes: [(root: Int, outcome: Outcome)], _ plan: GraphPlan, _ comment: Comment) {
        // The instances of each service in `.container` that somebody got.
        var kept: [Int: Set<ObjectIdentifier>] = [:]
        for (root, outcome) in outcomes {
            switch outcome {
            case .complete(let node):
                #expect(!plan.leadsToCircle(root), comment)
                for node in node.all where plan.kinds[node.index] == .container {
                    kept[node.index, default: []].insert(ObjectIdentifier(node))
                }
            case .incomplete(let nodes): Issue.record("incomplete \(nodes), \(comment)")
            case .circular: #expect(plan.leadsToCircle(root), comment)
            case .failed(let error): #expect(plan.failing != nil, "\(error), \(comment)")
            }
        }
        if plan.failing == nil { #expect(kept.values.allSatisfy { $0.count == 1 }, comment) }
    }
}

import Container
import TestSupport
import Testing

/// Random services, some of them asynchronous, that several tasks resolve at once. A gate decides which task goes on.
@Suite("Random graphs of asynchronous services", .hangLimit)
struct AsyncRandomGraphTests {
    /// Lets tasks go on one after another, in random order.
    actor RandomGate {
        private var waiting: [CheckedContinuation<Void, Never>] = []
        private var isOpen = false
        private var random: SplitMix

        init(_ random: SplitMix) { self.random = random }

        /// Waits until the gate lets this task go on.
        func pass() async {
            if isOpen { return }
            await withCheckedContinuation { waiting.append($0) }
        }

        /// Lets one task go on, if any waits.
        func letOneGo() {
            if waiting.isEmpty { return }
            waiting.remove(at: Int.random(in: waiting.indices, using: &random)).resume()
        }

        /// Lets all go on from now on.
        func open() {
            isOpen = true
            for continuation in waiting { continuation.resume() }
            waiting = []
        }
    }

    /// The containers of a plan, and the tasks that resolve.
    struct World {
        let record: GraphRecord
        let gate: RandomGate

        init(_ plan: GraphPlan, _ random: SplitMix) {
            (record, gate) = (GraphRecord(plan), RandomGate(random))
            for index in plan.needs.indices {
                if plan.isAsync[index] { registerAsync(index) } else { registerSync(index) }
            }
        }

        private func registerSync(_ index: Int) {
            let (record, plan) = (record, record.plan)
            let entry = record.root.register(GraphNode.self, name: "\(index)") { r in
                let needs = try plan.needs[index].map { try r.require(GraphNode.self, name: "\($0)") }
                try record.fail(index)
                return record.add(index, needs)
            }
            record.setScope(of: entry, index)
            entry.initCompleted { r, node in
                node.take(try plan.takes[index].map { try r.require(GraphNode.self, name: "\($0)") })
            }
        }

        private func registerAsync(_ index: Int) {
            let (record, plan, gate) = (record, record.plan, gate)
            let entry = record.root.register(GraphNode.self, name: "\(index)") { (r: AsyncResolver) async throws in
                await gate.pass()
                var needs: [GraphNode] = []
                if plan.usesChildTasks[index] {
                    needs = try await Self.inChildTasks(plan.needs[index], r.require(Container.self))
                } else {
                    for need in plan.needs[index] {
                        needs.append(try await r.require(GraphNode.self, name: "\(need)"))
                        await gate.pass()
                    }
                }
                try record.fail(index)
                return record.add(index, needs)
            }
            record.setScope(of: entry, index)
            entry.initCompleted { (r: AsyncResolver, node: GraphNode) async throws in
                await gate.pass()
                var taken: [GraphNode] = []
                for take in plan.takes[index] { taken.append(try await r.require(GraphNode.self, name: "\(take)")) }
                node.take(taken)
            }
        }

        private static func inChildTasks(_ services: [Int], _ container: Container) async throws -> [GraphNode] {
            try await withThrowingTaskGroup(of: GraphNode.self) { group in
                for service in services {
                    group.addTask { try await container.require(async: GraphNode.self, name: "\(service)") }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }

        /// Resolves all roots, each in a task of its own.
        func resolveAll() async -> [(root: Int, error: ResolutionError?)] {
            await withTaskGroup(of: (Int, ResolutionError?).self) { group in
                for root in record.plan.roots {
                    let (gate, plan, container) = (gate, record.plan, record.containers[root.container])
                    group.addTask {
                        await gate.pass()
                        do throws(ResolutionError) {
                            let node = try await container.require(async: GraphNode.self, name: "\(root.service)")
                            #expect(node.all.allSatisfy { $0.taken != nil }, "\(plan)")
                            return (root.service, nil)
                        } catch {
                            return (root.service, error)
                        }
                    }
                }
                let driver = Task { [gate] in
                    while !Task.isCancelled {
                        await gate.letOneGo()
                        await Task.yield()
                    }
                }
                defer { driver.cancel() }
                return await group.reduce(into: []) { $0.append(($1.0, $1.1)) }
            }
        }
    }

    @Test("In every schedule, tasks get what one task would get: one instance each, or an error of the circle")
    func random() async throws {
        var seeds = SystemRandomNumberGenerator()
        for _ in 0..<RandomGraphTests.rounds {
            let number = UInt64.random(in: 0 ... .max, using: &seeds)
            var random = SplitMix(state: number)
            let plan = GraphPlan(&random, forTasks: true)
            let comment = Comment(rawValue: "seed \(number): \(plan)")
            let released = await { () -> (Int, Counter) in
                let world = World(plan, random)
                for (root, error) in await world.resolveAll() {
                    if plan.failing == nil {
                        #expect((error == nil) == !plan.leadsToCircle(root), "\(String(describing: error)), \(comment)")
                    }
                    #expect(error == nil || error?.reason == .circular || plan.failing != nil, comment)
                }
                world.record.checkMade(comment)
                await world.gate.open()
                await world.record.checkClosing(comment)
                world.record.release()
                return (world.record.built.all.count, world.record.released)
            }()
            await until { released.0 == released.1.count }
            try #require(released.0 == released.1.count, comment)
        }
    }
}

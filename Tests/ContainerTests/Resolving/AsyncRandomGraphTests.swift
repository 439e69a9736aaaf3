import Container
import TestSupport
import Testing

/// Random services, some of them asynchronous, that several tasks resolve at once from a container and from children of
/// it. A gate decides which task goes on.
@Suite("Random graphs of asynchronous services", .hangLimit)
struct AsyncRandomGraphTests {
    typealias Node = RandomGraphTests.Node

    /// A random set of services and the tasks that resolve them. A synchronous service needs only synchronous ones.
    struct Plan: Sendable, CustomStringConvertible {
        enum Kind { case container, child, graph }

        var isAsync: [Bool] = []
        /// For each service, the services that its factory resolves.
        var needs: [[Int]] = []
        /// For each service, the services that its completion resolves.
        var takes: [[Int]] = []
        /// Whether the factory resolves its services in child tasks, by service.
        var usesChildTasks: [Bool] = []
        var kinds: [Kind] = []
        /// For each task, the container that it asks and the service that it resolves.
        var roots: [(container: Int, service: Int)] = []
        /// The service whose factory throws when it runs for the first time, or nil.
        var failing: Int?

        init(_ random: inout SplitMix) {
            let count = Int.random(in: 2...6, using: &random)
            let odds = Int.random(in: 3...7, using: &random)
            isAsync = (0..<count).map { _ in Int.random(in: 0..<3, using: &random) > 0 }
            for index in 0..<count {
                let possible = (0..<count).filter { $0 != index && (isAsync[index] || !isAsync[$0]) }
                needs.append(possible.filter { _ in Int.random(in: 0..<odds, using: &random) == 0 })
                takes.append(possible.filter { _ in Int.random(in: 0..<6, using: &random) == 0 })
                usesChildTasks.append(isAsync[index] && Int.random(in: 0..<3, using: &random) == 0)
                let kinds: [Kind] = isAsync[index] ? [.container, .container, .child] : [.container, .child, .graph]
                self.kinds.append(kinds.randomElement(using: &random) ?? .container)
            }
            roots = (0..<Int.random(in: 2...8, using: &random)).map { _ in
                (Int.random(in: 0..<3, using: &random), Int.random(in: 0..<count, using: &random))
            }
            if Int.random(in: 0..<5, using: &random) == 0 { failing = Int.random(in: 0..<count, using: &random) }
        }

        var description: String {
            "async \(isAsync), needs \(needs), takes \(takes), child tasks \(usesChildTasks), kinds \(kinds), "
                + "roots \(roots), failing \(failing.map(String.init) ?? "none")"
        }

        /// Whether a service leads to a circle of factories, or to any circle through an asynchronous service.
        func leadsToCircle(_ root: Int) -> Bool {
            RandomGraphTests.reached(from: [root], by: { needs[$0] + takes[$0] }).contains { service in
                RandomGraphTests.reached(from: needs[service], by: { needs[$0] }).contains(service)
                    || isAsync[service] && isInCircle(service)
            }
        }

        private func isInCircle(_ service: Int) -> Bool {
            RandomGraphTests.reached(from: needs[service] + takes[service], by: { needs[$0] + takes[$0] }).contains(
                service)
        }
    }

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

    /// What happens to the services of a plan.
    struct Record: Sendable {
        let plan: Plan
        /// The factory calls that returned, by service.
        let made: [Counter]
        let built = Results<Node>()
        let closed = Results<Node>()
        let released = Counter()
        let failures = Counter()

        init(_ plan: Plan) { (self.plan, made) = (plan, plan.needs.map { _ in Counter() }) }

        func new(_ index: Int, _ needs: [Node]) throws -> Node {
            if plan.failing == index, failures.increment() == 1 { throw Failure("early") }
            let node = Node(index, needs, released)
            made[index].increment()
            built.add(node)
            return node
        }
    }

    /// The containers of a plan.
    struct World {
        let plan: Plan
        let record: Record
        let gate: RandomGate
        let root = Container()
        let containers: [Container]

        init(_ plan: Plan, _ random: SplitMix) {
            (self.plan, record, gate) = (plan, Record(plan), RandomGate(random))
            containers = [root, Container(parent: root), Container(parent: root)]
            root.onFailure { _ in }
            for index in plan.needs.indices {
                if plan.isAsync[index] { registerAsync(index) } else { registerSync(index) }
            }
        }

        private func registerSync(_ index: Int) {
            let (plan, record) = (plan, record)
            let entry = root.register(Node.self, name: "\(index)") { r in
                try record.new(index, plan.needs[index].map { try r.require(Node.self, name: "\($0)") })
            }
            finish(entry, index).initCompleted { r, node in
                node.take(try plan.takes[index].map { try r.require(Node.self, name: "\($0)") })
            }
        }

        private func registerAsync(_ index: Int) {
            let (plan, record, gate) = (plan, record, gate)
            let entry = root.register(Node.self, name: "\(index)") { (r: AsyncResolver) async throws in
                await gate.pass()
                if plan.usesChildTasks[index] {
                    return try record.new(
                        index, await Self.inChildTasks(plan.needs[index], r.require(Container.self)))
                }
                var needs: [Node] = []
                for need in plan.needs[index] {
                    needs.append(try await r.require(Node.self, name: "\(need)"))
                    await gate.pass()
                }
                return try record.new(index, needs)
            }
            finish(entry, index).initCompleted { (r: AsyncResolver, node: Node) async throws in
                await gate.pass()
                var taken: [Node] = []
                for take in plan.takes[index] { taken.append(try await r.require(Node.self, name: "\(take)")) }
                node.take(taken)
            }
        }

        private static func inChildTasks(_ services: [Int], _ container: Container) async throws -> [Node] {
            try await withThrowingTaskGroup(of: Node.self) { group in
                for service in services {
                    group.addTask { try await container.require(async: Node.self, name: "\(service)") }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }

        private func finish(_ entry: RegistrationEntry<Node>, _ index: Int) -> RegistrationEntry<Node> {
            let closed = record.closed
            return switch plan.kinds[index] {
            case .container: entry.inObjectScope(.container).onClose { closed.add($0) }
            case .child: entry.inObjectScope(.child).onClose { closed.add($0) }
            case .graph: entry
            }
        }

        /// Resolves all roots, each in a task of its own.
        func resolveAll() async -> [(root: Int, error: ResolutionError?)] {
            await withTaskGroup(of: (Int, ResolutionError?).self) { group in
                for root in plan.roots {
                    let (gate, plan, container) = (gate, plan, containers[root.container])
                    group.addTask {
                        await gate.pass()
                        do throws(ResolutionError) {
                            let node = try await container.require(async: Node.self, name: "\(root.service)")
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
            let plan = Plan(&random)
            let comment = Comment(rawValue: "seed \(number): \(plan)")
            let released = await { () -> (Int, Counter) in
                let world = World(plan, random)
                for (root, error) in await world.resolveAll() {
                    if plan.failing == nil {
                        #expect((error == nil) == !plan.leadsToCircle(root), "\(String(describing: error)), \(comment)")
                    }
                    #expect(error == nil || error?.reason == .circular || plan.failing != nil, comment)
                }
                check(world, comment)
                await world.gate.open()
                await checkClosing(world, comment)
                for node in world.record.built.all { node.take(nil) }
                return (world.record.built.all.count, world.record.released)
            }()
            await until { released.0 == released.1.count }
            try #require(released.0 == released.1.count, comment)
        }
    }

    private func check(_ world: World, _ comment: Comment) {
        let plan = world.plan
        if plan.failing != nil || plan.needs.indices.contains(where: plan.leadsToCircle) { return }
        for index in plan.needs.indices where plan.kinds[index] == .container {
            #expect(world.record.made[index].count <= 1, comment)
        }
    }

    private func checkClosing(_ world: World, _ comment: Comment) async {
        let shared = world.record.built.all.count { world.plan.kinds[$0.index] != .graph }
        let closed = await RandomGraphTests.close(world.containers, expecting: shared, comment) {
            world.record.closed.all
        }
        RandomGraphTests.checkOrder(closed, comment)
    }
}

import Container
import Foundation
import Synchronization
import TestSupport
import Testing

/// Random services that need each other, in their factories and in their completions, resolved by several threads at
/// once, from a container and from children of it. A turnstile decides which thread goes on.
@Suite("Random graphs of services", .hangLimit)
struct RandomGraphTests {
    /// A random set of services and the threads that resolve them.
    struct Plan: Sendable, CustomStringConvertible {
        enum Kind: CaseIterable { case container, child, graph }

        /// For each service, the services that its factory resolves.
        var needs: [[Int]] = []
        /// For each service, the services that its completion resolves.
        var takes: [[Int]] = []
        var kinds: [Kind] = []
        /// For each thread, the container that it asks and the service that it resolves.
        var roots: [(container: Int, service: Int)] = []
        /// The service whose completion throws when it runs for the first time, or nil.
        var failing: Int?

        init(_ random: inout some RandomNumberGenerator) {
            let count = Int.random(in: 2...6, using: &random)
            let odds = Int.random(in: 3...6, using: &random)
            for index in 0..<count {
                needs.append((0..<count).filter { $0 != index && Int.random(in: 0..<odds, using: &random) == 0 })
                takes.append((0..<count).filter { $0 != index && Int.random(in: 0..<4, using: &random) == 0 })
                kinds.append([.container, .container, .container, .child, .graph].randomElement(using: &random)!)
            }
            roots = (0..<Int.random(in: 2...4, using: &random)).map { _ in
                (Int.random(in: 0..<3, using: &random), Int.random(in: 0..<count, using: &random))
            }
            if Int.random(in: 0..<5, using: &random) == 0 { failing = Int.random(in: 0..<count, using: &random) }
        }

        var description: String {
            "needs \(needs), takes \(takes), kinds \(kinds), roots \(roots), failing \(failing.map(String.init) ?? "none")"
        }

        /// Whether a service leads to a circle of factories. Completions open circles, since they run later.
        func leadsToCircle(_ root: Int) -> Bool {
            reached(from: [root], by: { needs[$0] + takes[$0] }).contains { service in
                reached(from: needs[service], by: { needs[$0] }).contains(service)
            }
        }
    }

    /// Some services and all that they lead to.
    static func reached(from roots: [Int], by edges: (Int) -> [Int]) -> Set<Int> {
        var (found, open) = (Set(roots), roots)
        while let next = open.popLast() {
            for other in edges(next) where found.insert(other).inserted { open.append(other) }
        }
        return found
    }

    final class Node: @unchecked Sendable {
        // @unchecked: the lock guards `takes`. It is not a `Mutex`, because that causes false reports of
        // ThreadSanitizer.
        let index: Int
        let needs: [Node]
        private let alive: Counter
        private let lock = NSLock()
        private var takes: [Node]?
        init(_ index: Int, _ needs: [Node], _ alive: Counter) {
            (self.index, self.needs, self.alive) = (index, needs, alive)
        }
        deinit { alive.increment() }
        var taken: [Node]? { lock.withLock { takes } }
        func take(_ nodes: [Node]?) { lock.withLock { takes = nodes } }

        /// This node and all nodes that are reachable from it.
        var all: [Node] {
            var (seen, found, next) = (Set([ObjectIdentifier(self)]), [self], 0)
            while next < found.count {
                for node in found[next].needs + (found[next].taken ?? [])
                where seen.insert(ObjectIdentifier(node)).inserted { found.append(node) }
                next += 1
            }
            return found
        }
    }

    /// The containers of a plan, and what happens in them.
    final class World: Sendable {
        let plan: Plan
        let root = Container()
        let containers: [Container]
        let turnstile = Turnstile()
        /// The factory calls that returned, by service.
        let made: [Counter]
        let (built, released, failures) = (Results<Node>(), Counter(), Counter())
        let closed = Results<Node>()

        init(_ plan: Plan) {
            self.plan = plan
            containers = [root, Container(parent: root), Container(parent: root)]
            made = plan.needs.map { _ in Counter() }
            root.onFailure { _ in }
            for index in plan.needs.indices { register(index) }
        }

        private func register(_ index: Int) {
            let (plan, turnstile, made, released, failures, closed) = (
                plan, turnstile, made, released, failures, closed
            )
            let built = built
            let resolve = { @Sendable (r: Resolver, services: [Int]) in
                try services.map { service in
                    turnstile.pass()
                    return try r.require(Node.self, name: "\(service)")
                }
            }
            let entry = root.register(Node.self, name: "\(index)") { r in
                let node = Node(index, try resolve(r, plan.needs[index]), released)
                turnstile.pass()
                made[index].increment()
                built.add(node)
                return node
            }
            switch plan.kinds[index] {
            case .container: entry.inObjectScope(.container).onClose { closed.add($0) }
            case .child: entry.inObjectScope(.child).onClose { closed.add($0) }
            case .graph: break
            }
            entry.initCompleted { r, node in
                let taken = try resolve(r, plan.takes[index])
                turnstile.pass()
                if plan.failing == index, failures.increment() == 1 { throw Failure("late") }
                node.take(taken)
            }
        }

        func resolve(_ root: (container: Int, service: Int)) -> Outcome {
            do throws(ResolutionError) {
                let node = try containers[root.container].require(Node.self, name: "\(root.service)")
                let isComplete = node.all.allSatisfy { $0.taken != nil }
                return isComplete ? .complete(node) : .incomplete("\(node.all.map { "\($0.index)" })")
            } catch {
                return error.reason == .circular ? .circular : .failed("\(error)")
            }
        }

        var waiting: Int { containers.reduce(0) { $0 + $1.waitingThreads } }
    }

    /// The result of a thread's resolve.
    enum Outcome: Sendable {
        case complete(Node)
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
            let plan = Plan(&random)
            let comment = Comment(rawValue: "seed \(number): \(plan)")
            let world = World(plan)
            let outcomes = Results<(root: Int, outcome: Outcome)>()
            let bodies = plan.roots.map { root in { @Sendable in outcomes.add((root.service, world.resolve(root))) } }
            let seed = random.next()
            let hasEnded = await offPool {
                var random = SplitMix(state: seed)
                return world.turnstile.run(bodies, &random) { world.waiting }
            }
            world.turnstile.open()
            try #require(hasEnded, comment)
            check(outcomes.all, world, comment)
            await checkClosing(world, comment)
            // Breaks the circles that completions have made, so that everything is released.
            for node in world.built.all { node.take(nil) }
        }
    }

    private func check(_ outcomes: [(root: Int, outcome: Outcome)], _ world: World, _ comment: Comment) {
        let plan = world.plan
        for (root, outcome) in outcomes {
            switch outcome {
            case .complete: #expect(!plan.leadsToCircle(root), comment)
            case .incomplete(let nodes): Issue.record("incomplete \(nodes), \(comment)")
            case .circular: #expect(plan.leadsToCircle(root), comment)
            case .failed(let error): #expect(plan.failing != nil, "\(error), \(comment)")
            }
        }
        if plan.failing == nil, !plan.needs.indices.contains(where: plan.leadsToCircle) {
            for index in plan.needs.indices where plan.kinds[index] == .container {
                #expect(world.made[index].count <= 1, comment)
            }
        }
        // One instance for each container that may have one.
        var kept: [String: Set<ObjectIdentifier>] = [:]
        for case (_, .complete(let node)) in outcomes {
            for node in node.all where plan.kinds[node.index] == .container {
                kept["\(node.index)", default: []].insert(ObjectIdentifier(node))
            }
        }
        if plan.failing == nil { #expect(kept.values.allSatisfy { $0.count == 1 }, comment) }
    }

    private func checkClosing(_ world: World, _ comment: Comment) async {
        let shared = world.built.all.count { world.plan.kinds[$0.index] != .graph }
        let closed = await Self.close(world.containers, expecting: shared, comment) { world.closed.all }
        if world.plan.failing == nil { Self.checkOrder(closed, comment) }
    }

    /// Closes containers, and checks that each shared instance is closed once.
    static func close(
        _ containers: [Container], expecting count: Int, _ comment: Comment, _ closed: () -> [Node]
    ) async -> [Node] {
        for container in containers.reversed() {
            #expect(await container.close(timeout: .seconds(3600)).isEmpty, comment)
        }
        #expect(Set(closed().map { ObjectIdentifier($0) }).count == closed().count, comment)
        #expect(closed().count == count, comment)
        return closed()
    }

    /// Checks that each instance was closed before what its factory has taken.
    static func checkOrder(_ closed: [Node], _ comment: Comment) {
        for (place, node) in closed.enumerated() {
            for need in node.needs where !need.all.contains(where: { $0 === node }) {
                guard let other = closed.firstIndex(where: { $0 === need }) else { continue }
                #expect(
                    place < other,
                    "\(node.index) after \(need.index) in \(closed.map { "\($0.index):\($0.needs.map(\.index))\($0.taken?.map(\.index) ?? [])" }), \(comment)"
                )
            }
        }
    }

    @Test("All instances are released when their container is")
    func released() async {
        var random = SplitMix(state: 1)
        for _ in 0..<200 {
            let plan = Plan(&random)
            let (made, released) = await { () -> (Int, Counter) in
                let world = World(plan)
                world.turnstile.open()
                for root in plan.roots { _ = world.resolve(root) }
                await checkClosing(world, "\(plan)")
                for node in world.built.all { node.take(nil) }
                return (world.built.all.count, world.released)
            }()
            // The task that has closed a container releases it a moment later.
            await until { released.count == made }
            #expect(made == released.count, "\(plan)")
        }
    }

    /// 1,000 in the gate. `GRAPH_ROUNDS=100000` is a long run.
    static let rounds = Int(ProcessInfo.processInfo.environment["GRAPH_ROUNDS"] ?? "") ?? 1_000
}

import Container
import Foundation
import Synchronization
import Testing

/// Random services that need each other, in their factories and in their completions, resolved by several threads at
/// once.
@Suite("Random graphs of services", .hangLimit)
struct RandomGraphTests {
    /// A random set of services and the threads that resolve them.
    struct Plan: Sendable, CustomStringConvertible {
        /// For each service, the services that its factory resolves.
        var needs: [[Int]] = []
        /// For each service, the services that its completion resolves.
        var takes: [[Int]] = []
        var isShared: [Bool] = []
        /// For each thread, the service that it resolves.
        var roots: [Int] = []
        /// For each service, how long its factory sleeps before it returns, and how long its factory and its completion
        /// use what they have taken, in microseconds. The threads thus meet in different places.
        var pauses: [UInt32] = []
        /// The service whose completion throws when it runs for the first time, or nil.
        var failing: Int?
        /// Whether the completion of service 0 resets the shared scope.
        var isReset = false

        init(_ random: inout some RandomNumberGenerator) {
            let count = Int.random(in: 2...4, using: &random)
            for _ in 0..<count {
                needs.append((0..<count).filter { _ in Int.random(in: 0..<4, using: &random) == 0 })
                takes.append((0..<count).filter { _ in Int.random(in: 0..<4, using: &random) == 0 })
                isShared.append(Int.random(in: 0..<4, using: &random) > 0)
                pauses.append(UInt32.random(in: 0..<4, using: &random) * 20)
            }
            roots = (0..<Int.random(in: 2...4, using: &random)).map { _ in Int.random(in: 0..<count, using: &random) }
            if Int.random(in: 0..<4, using: &random) == 0 { failing = Int.random(in: 0..<count, using: &random) }
            isReset = Int.random(in: 0..<4, using: &random) == 0
        }

        var description: String {
            "needs \(needs), takes \(takes), shared \(isShared), roots \(roots), failing \(failing.map(String.init) ?? "none"), reset \(isReset)"
        }

        /// Whether the services have a cycle of `needs`, or of `needs` and `takes`.
        func hasCircle(withTakes: Bool) -> Bool {
            var (done, open) = (Set<Int>(), Set<Int>())
            func visit(_ index: Int) -> Bool {
                if open.contains(index) { return true }
                if !done.insert(index).inserted { return false }
                open.insert(index)
                defer { open.remove(index) }
                return (needs[index] + (withTakes ? takes[index] : [])).contains(where: visit)
            }
            return needs.indices.contains { visit($0) }
        }
    }

    final class Node: @unchecked Sendable {
        // @unchecked: the lock guards `takes`. It is not a `Mutex`, because that causes false reports of
        // ThreadSanitizer.
        let index: Int
        let needs: [Node]
        private let lock = NSLock()
        private var takes: [Node]?
        /// The identity of the thread that uses it in a factory or completion, or 0.
        private let user = Atomic<UInt>(0)
        init(_ index: Int, _ needs: [Node]) { (self.index, self.needs) = (index, needs) }
        var taken: [Node]? { lock.withLock { takes } }
        func take(_ nodes: [Node]?) { lock.withLock { takes = nodes } }

        /// Whether no other thread uses the node during the closure.
        func isAlone(_ body: () -> Bool) -> Bool {
            let thread = UInt(pthread_self())
            let (isFree, former) = user.compareExchange(expected: 0, desired: thread, ordering: .sequentiallyConsistent)
            defer { if isFree { user.store(0, ordering: .sequentiallyConsistent) } }
            return (isFree || former == thread) && body()
        }

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

    /// Creates the container of a plan. `made` counts the factory calls of each service, and `conflicts` counts the
    /// unshared instances that two threads use at the same time.
    private func container(_ plan: Plan, _ made: [Counter], _ conflicts: Counter) -> Container {
        let (container, completed) = (Container(), Counter())
        let use = { @Sendable (nodes: [Node], pause: UInt32) in
            let areAlone = nodes.reversed().reduce({ pause == 0 || usleep(pause) == 0 }) { body, node in
                plan.isShared[node.index] ? body : { node.isAlone(body) }
            }
            if !areAlone() { conflicts.increment() }
        }
        container.onFailure { _ in }
        for index in plan.needs.indices {
            let entry = container.register(Node.self, name: "\(index)") { r in
                made[index].increment()
                let needs = try plan.needs[index].map { try r.require(Node.self, name: "\($0)") }
                use(needs, plan.pauses[index])
                return Node(index, needs)
            }
            if plan.isShared[index] { entry.inObjectScope(.container) }
            entry.initCompleted { [weak container] r, node in
                if plan.isReset, index == 0 { container?.reset(.container) }
                let taken = try plan.takes[index].map { try r.require(Node.self, name: "\($0)") }
                use(taken, plan.pauses[index])
                if plan.failing == index, completed.increment() == 1 { throw Failure("late") }
                node.take(taken)
            }
        }
        return container
    }

    /// The result of a thread's resolve.
    private enum Outcome: Sendable {
        case complete(Node)
        case incomplete(String)
        case failed(String)
    }

    private func resolve(_ root: Int, in container: Container) -> Outcome {
        do {
            let node = try container.require(Node.self, name: "\(root)")
            return node.all.allSatisfy { $0.taken != nil }
                ? .complete(node)
                : .incomplete(
                    "\(node.all.map { "\($0.index) \($0.needs.map(\.index)) \($0.taken?.map(\.index) as Any)" })")
        } catch {
            return .failed("\(error)")
        }
    }

    /// Whether a single thread can resolve the roots, in each of several orders.
    private func succeedsAlone(_ plan: Plan) -> Bool {
        let permutations = [plan.roots, plan.roots.reversed()] + plan.roots.map { [$0] + plan.roots }
        return permutations.allSatisfy { roots in
            let container = container(plan, plan.needs.map { _ in Counter() }, Counter())
            return roots.allSatisfy { root in
                guard case .complete(let node) = resolve(root, in: container) else { return false }
                defer { for node in node.all { node.take(node.taken) } }
                return true
            }
        }
    }

    @Test("Threads get only complete instances, unshared ones of their own, and errors that a single thread would get")
    func random() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<Self.rounds {
            let plan = Plan(&random)
            let (made, conflicts) = (plan.needs.map { _ in Counter() }, Counter())
            let container = container(plan, made, conflicts)
            let threads = plan.roots.map { root in Running { resolve(root, in: container) } }
            let outcomes = threads.compactMap { $0.result() }
            try #require(outcomes.count == plan.roots.count, "a thread waits for ever: \(plan)")
            #expect(conflicts.count == 0, "two threads use an unshared instance: \(plan)")
            for case .incomplete(let nodes) in outcomes {
                Issue.record("a thread got an incomplete instance: \(nodes) \(plan)")
            }
            for case .complete(let node) in outcomes { for node in node.all { node.take(nil) } }
            if plan.failing != nil { continue }
            if !plan.isReset, !plan.hasCircle(withTakes: true) {
                #expect(zip(made, plan.isShared).allSatisfy { !$1 || $0.count <= 1 }, "made twice: \(plan)")
            }
            for case .failed(let error) in outcomes where succeedsAlone(plan) {
                Issue.record("\(error), only with threads: \(plan)")
            }
        }
    }

    private static let rounds = Int(ProcessInfo.processInfo.environment["GRAPH_ROUNDS"] ?? "") ?? 2_000
}

import Container
import Foundation
import Synchronization
import Testing

/// Random services, some of which are built asynchronously, that need each other in their factories and in their
/// completions. Tasks and threads resolve them at once, and some of the tasks are cancelled.
@Suite("Random graphs of services that are built asynchronously", .hangLimit)
struct AsyncRandomGraphTests {
    typealias Node = RandomGraphTests.Node

    struct Plan: Sendable, CustomStringConvertible {
        /// The services that resolve each other, as for threads.
        var base: RandomGraphTests.Plan
        /// For each service, whether its factory is asynchronous.
        var isAsync: [Bool]
        /// For each service, whether its asynchronous factory awaits what it needs from the captured container.
        var isCaptured: [Bool]
        /// For each root, how long its task runs before it is cancelled, in microseconds, or nil.
        var cancellations: [Int?]
        /// The service that a thread resolves synchronously at the same time.
        var threadRoot: Int

        init(_ random: inout some RandomNumberGenerator, captures: Bool) {
            base = RandomGraphTests.Plan(&random)
            isAsync = base.needs.map { _ in Bool.random(using: &random) }
            isCaptured = base.needs.map { _ in captures && Bool.random(using: &random) }
            let isCancelled = Int.random(in: 0..<3, using: &random) == 0
            cancellations = base.roots.map { _ in
                isCancelled && Bool.random(using: &random) ? Int.random(in: 0..<200, using: &random) : nil
            }
            threadRoot = Int.random(in: 0..<base.needs.count, using: &random)
        }

        var description: String {
            "\(base), async \(isAsync), captured \(isCaptured), cancellations \(cancellations), thread \(threadRoot)"
        }
    }

    /// What the factories of one container have done.
    private struct Made: Sendable {
        let calls = Counter()
        let nodes = Results<Node>()

        func node(_ index: Int, _ needs: [Node]) -> Node {
            let node = Node(index, needs)
            nodes.add(node)
            return node
        }

        /// Breaks the reference cycles of nodes, which would otherwise keep the memory of all rounds.
        func release() { for node in nodes.all { node.take(nil) } }
    }

    private func container(_ plan: Plan, _ made: Made) -> Container {
        let (container, completed, base) = (Container(), Counter(), plan.base)
        container.onFailure { _ in }
        for index in base.needs.indices {
            let (needs, pause) = (base.needs[index].map(String.init), base.pauses[index])
            let isCaptured = plan.isCaptured[index]
            let entry =
                plan.isAsync[index]
                ? container.register(Node.self, name: "\(index)") { [weak container] r in
                    made.calls.increment()
                    var found: [Node] = []
                    for need in needs {
                        let node =
                            isCaptured
                            ? try await container?.require(async: Node.self, name: need)
                            : try await r.require(Node.self, name: need)
                        if let node { found.append(node) }
                    }
                    if pause > 0 { try await Task.sleep(for: .microseconds(pause)) }
                    return made.node(index, found)
                }
                : container.register(Node.self, name: "\(index)") { r in
                    made.calls.increment()
                    let found = try needs.map { try r.require(Node.self, name: $0) }
                    if pause > 0 { usleep(pause) }
                    return made.node(index, found)
                }
            if base.isShared[index] { entry.inObjectScope(.container) }
            let takes = base.takes[index].map(String.init)
            if base.takes[index].contains(where: { plan.isAsync[$0] }) || plan.isAsync[index] {
                entry.initCompleted { [weak container] r, node async throws in
                    if base.isReset, index == 0 { container?.reset(.container) }
                    var found: [Node] = []
                    for take in takes { found.append(try await r.require(Node.self, name: take)) }
                    if base.failing == index, completed.increment() == 1 { throw Failure("late") }
                    node.take(found)
                }
            } else {
                entry.initCompleted { [weak container] r, node in
                    if base.isReset, index == 0 { container?.reset(.container) }
                    let found = try takes.map { try r.require(Node.self, name: $0) }
                    if base.failing == index, completed.increment() == 1 { throw Failure("late") }
                    node.take(found)
                }
            }
        }
        return container
    }

    private enum Outcome: Sendable {
        case complete(Node)
        case incomplete(String)
        case failed(ResolutionError)
    }

    private func resolve(_ root: Int, in container: Container) async -> Outcome {
        do {
            return outcome(try await container.require(async: Node.self, name: "\(root)"))
        } catch {
            return .failed(error)
        }
    }

    private func outcome(_ node: Node) -> Outcome {
        node.all.allSatisfy { $0.taken != nil }
            ? .complete(node)
            : .incomplete("\(node.all.map { "\($0.index) \($0.needs.map(\.index)) \($0.taken?.map(\.index) as Any)" })")
    }

    /// Whether a single task can resolve the roots, in each of several orders.
    private func succeedsAlone(_ plan: Plan) async -> Bool {
        let all = plan.base.roots + [plan.threadRoot]
        let orders = [all, all.reversed()] + all.map { [$0] + all }
        for roots in orders {
            let made = Made()
            defer { made.release() }
            let container = container(plan, made)
            for root in roots {
                guard case .complete = await resolve(root, in: container) else { return false }
            }
        }
        return true
    }

    /// Runs the tasks and the thread of a plan, and returns their outcomes, those of the tasks first. Nil if one of
    /// them waits for ever.
    private func run(_ plan: Plan, in container: Container) async -> [Outcome]? {
        let results = Results<(Int, Outcome)>()
        let tasks = plan.base.roots.indices.map { index in
            Task { results.add((index, await resolve(plan.base.roots[index], in: container))) }
        }
        let thread = Running {
            let node = Result { () throws(ResolutionError) in
                try container.require(Node.self, name: "\(plan.threadRoot)")
            }
            switch node {
            case .success(let node): results.add((tasks.count, outcome(node)))
            case .failure(let error): results.add((tasks.count, .failed(error)))
            }
        }
        for (task, delay) in zip(tasks, plan.cancellations) {
            guard let delay else { continue }
            try? await Task.sleep(for: .microseconds(delay))
            task.cancel()
        }
        guard await waits({ results.all.count <= tasks.count }) else { return nil }
        _ = thread.result()
        return results.all.sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// Waits while a condition holds, and returns false if it still holds after 20,000 turns of this task.
    ///
    /// It counts turns and not seconds: other tests may block all threads of the pool for a long time, and then this
    /// task waits as long for its next turn as the tasks under test.
    private func waits(_ condition: () -> Bool) async -> Bool {
        for _ in 0..<20_000 {
            if !condition() { return true }
            try? await Task.sleep(for: .milliseconds(1))
        }
        return false
    }

    /// With captured containers, each resolve may meet other circles than a single task, so errors are not compared.
    @Test(
        "Tasks and threads get only complete instances, and only errors that a single task would also get",
        arguments: [false, true])
    func random(captures: Bool) async throws {
        var random = SystemRandomNumberGenerator()
        var calls: [(Plan, Counter)] = []
        for _ in 0..<Self.rounds / (captures ? 2 : 1) {
            let plan = Plan(&random, captures: captures)
            let made = Made()
            calls.append((plan, made.calls))
            defer { made.release() }
            let container = container(plan, made)
            guard let outcomes = await run(plan, in: container) else {
                Issue.record("a task waits for ever: \(plan)")
                return
            }
            var shared: [Int: Node] = [:]
            for outcome in outcomes {
                switch outcome {
                case .incomplete(let nodes): Issue.record("an incomplete instance: \(nodes) \(plan)")
                case .complete(let root):
                    for node in root.all where plan.base.isShared[node.index] && !plan.base.isReset {
                        let known = shared[node.index] ?? node
                        shared[node.index] = known
                        #expect(known === node, "two instances of \(node.index): \(plan)")
                    }
                case .failed: break
                }
            }
            let isCancelled = plan.cancellations.map { $0 != nil } + [false]
            for (outcome, isCancelled) in zip(outcomes, isCancelled) {
                guard case .failed(let error) = outcome, plan.base.failing == nil, !captures else { continue }
                if isCancelled && error.reason == .cancelled || error.reason == .asynchronous { continue }
                let alone = Results<Bool>()
                Task { alone.add(await succeedsAlone(plan)) }
                guard await waits({ alone.all.isEmpty }) else {
                    Issue.record("a task alone waits for ever: \(plan)")
                    return
                }
                if alone.all == [true] { Issue.record("\(error), only with others: \(plan)") }
            }
        }
        // Constructions that start each other for ever go on after their tasks have ended.
        for (plan, calls) in calls { #expect(calls.count < 1_000, "\(plan)") }
    }

    private static let rounds = Int(ProcessInfo.processInfo.environment["GRAPH_ROUNDS"] ?? "") ?? 1_000
}

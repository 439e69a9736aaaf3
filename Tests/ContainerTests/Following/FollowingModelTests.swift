import Container
import Foundation
import TestSupport
import Testing

/// Random services that follow their settings and hold each other, while the settings change, factories fail, and tasks
/// resolve them. After each burst of changes, the instances must be those that a model expects.
@Suite("Random services that follow their settings", .serialized, .hangLimit)
struct FollowingModelTests {
    /// A random set of services. A service needs only services with lower numbers, and completions add circles.
    struct Plan: Sendable, CustomStringConvertible {
        enum Kind: CaseIterable { case synchronous, asynchronous, ordinary, graph }

        var kinds: [Kind] = []
        var needs: [[Int]] = []
        /// For each service, the services that its completion resolves.
        var takes: [[Int]] = []
        var settings: [[Int]] = []
        var drains: [Bool] = []

        init(_ random: inout SplitMix) {
            for index in 0..<Int.random(in: 2...8, using: &random) {
                let all: [Kind] = [.synchronous, .synchronous, .asynchronous, .ordinary, .graph]
                kinds.append(all.randomElement(using: &random) ?? .graph)
                needs.append((0..<index).filter { _ in Int.random(in: 0..<3, using: &random) == 0 })
                settings.append((0..<5).filter { _ in Int.random(in: 0..<4, using: &random) == 0 })
                drains.append(Bool.random(using: &random))
            }
            takes = kinds.indices.map { index in
                kinds[index] != .synchronous
                    ? []
                    : kinds.indices.filter { kinds[$0] == .synchronous && Int.random(in: 0..<6, using: &random) == 0 }
            }
        }

        func follows(_ index: Int) -> Bool { kinds[index] == .synchronous || kinds[index] == .asynchronous }

        var description: String { "kinds \(kinds), needs \(needs), takes \(takes), settings \(settings)" }
    }

    /// An instance, with what it was built from.
    final class Node: @unchecked Sendable {
        // @unchecked: the lock guards the state. It is not a `Mutex`, because that causes false reports of
        // ThreadSanitizer.
        let index: Int
        let serial: Int
        let values: [Int: Int]
        private var later: [Provider<Node>]
        private let lock = NSLock()
        private var nodes: [Node]
        private var closings = 0
        private let released: Counter

        init(
            _ index: Int, _ serial: Int, _ values: [Int: Int], _ held: [Node], _ providers: [Provider<Node>],
            _ released: Counter
        ) {
            (self.index, self.serial, self.values, self.released) = (index, serial, values, released)
            (nodes, later) = (held, providers)
        }
        deinit { released.increment() }

        var held: [Node] { lock.withLock { nodes } }
        var closed: Int { lock.withLock { closings } }
        func hold(_ more: [Node]) { lock.withLock { nodes += more } }
        func close() { lock.withLock { closings += 1 } }
        var providers: [Provider<Node>] { lock.withLock { later } }
        /// Breaks the circles through other nodes, and through factories, which refer to the world.
        func release() { lock.withLock { (nodes, later) = ([], []) } }
    }

    final class World: Sendable {
        let plan: Plan
        let container = Container()
        let (made, released, started) = (Counter(), Counter(), Counter())
        let (built, wrong) = (Results<Node>(), Results<String>())
        let failing = Results<Set<Int>>()
        let timer = ManualTimer()
        private let checks = Results<Check>()

        /// What a check has found.
        struct Check: Sendable {
            let outdated: Set<Int>
            let settings: [Int]
            /// The serial numbers of the current instances.
            let serials: [Int: Int]
        }

        init(_ plan: Plan) {
            self.plan = plan
            container.onFailure { [wrong] error in
                if error.reason != .replacementFailed { wrong.add("\(error)") }
            }
            container.setFollowingTimer { [timer] in timer.add($0, $1) }
            for index in plan.kinds.indices { register(index) }
        }

        private func values(_ index: Int, _ r: some PropertyReading) -> [Int: Int] {
            var values: [Int: Int] = [:]
            for setting in plan.settings[index] { values[setting] = r.property("s\(setting)") ?? 0 }
            return values
        }

        private func node(
            _ index: Int, _ values: [Int: Int], _ parts: [Node], _ providers: [Provider<Node>] = []
        ) throws -> Node {
            if failing.all.last?.contains(index) == true { throw Failure("no route") }
            // An unshared service is a part of the one that holds it.
            let unshared = parts.filter { plan.kinds[$0.index] == .graph }
            let all = unshared.reduce(into: values) { all, part in all.merge(part.values) { one, _ in one } }
            let held = parts.filter { plan.kinds[$0.index] != .graph } + unshared.flatMap(\.held)
            let node = Node(index, made.increment(), all, held, providers + unshared.flatMap(\.providers), released)
            if plan.kinds[index] != .graph { built.add(node) }
            return node
        }

        private func register(_ index: Int) {
            let needs = plan.needs[index].map(String.init)
            let kind = plan.kinds[index], plan = plan
            let make = { @Sendable (r: Resolver) throws -> Node in
                // An ordinary shared service must not hold one that is replaced. An unshared one may be a part of it.
                let values = self.values(index, r)
                if kind == .synchronous || kind == .graph && !plan.kinds.contains(.ordinary) {
                    return try self.node(index, values, try needs.map { try r.require(Node.self, name: $0) })
                }
                let held = needs.filter { Int($0).map { plan.kinds[$0] == .ordinary } ?? false }
                return try self.node(
                    index, values, try held.map { try r.require(Node.self, name: $0) },
                    try needs.map { try r.require(Provider<Node>.self, name: $0) })
            }
            let entry =
                kind != .asynchronous
                ? container.register(Node.self, name: "\(index)", factory: make)
                : container.register(Node.self, name: "\(index)") { (r: AsyncResolver) async throws in
                    let values = self.values(index, r)
                    var held: [Node] = []
                    for need in needs {
                        held.append(try await r.require(Node.self, name: need))
                        await Task.yield()
                    }
                    return try self.node(index, values, held)
                }
            if kind == .graph { return }
            entry.inObjectScope(.container).onClose { node in
                node.close()
                let current = try? self.container.require(Node.self, name: "\(index)")
                if current === node, self.started.count > 0 { self.wrong.add("\(index) is closed and current") }
            }
            if !plan.takes[index].isEmpty {
                entry.initCompleted { r, node in
                    node.hold(try plan.takes[index].map { try r.require(Node.self, name: "\($0)") })
                }
            }
            if plan.follows(index) { entry.followsSettings(draining: plan.drains[index] ? .seconds(100_000) : .zero) }
        }

        /// Compares the current instances with the current settings.
        ///
        /// - Parameters:
        ///   - step: the name of the step.
        ///   - isRequested: whether the step has tried all failed replacements again.
        /// - Throws: the error of a service that cannot be resolved.
        func check(_ step: String, isRequested: Bool = false) throws {
            var current: [Int: Node] = [:]
            for index in plan.kinds.indices where plan.kinds[index] != .graph {
                current[index] = try container.require(Node.self, name: "\(index)")
            }
            let followers = current.keys.filter(plan.follows).sorted()
            let held = { (index: Int) in (current[index]?.held ?? []).map(\.index).filter(self.plan.follows) }
            var outdated = Set(
                followers.filter { index in
                    current[index]?.values.contains { container.property("s\($0.key)") ?? 0 != $0.value } == true
                        || current[index]?.held.contains { plan.follows($0.index) && $0 !== current[$0.index] } == true
                })
            var count = -1
            while outdated.count != count {
                count = outdated.count
                outdated.formUnion(followers.filter { held($0).contains { outdated.contains($0) } })
            }
            let names = outdated.sorted().map { "Node \"\($0)\"" }
            let services = container.outdatedServices.map(\.service)
            if names != services { wrong.add("\(step): outdated \(services) instead of \(names)") }
            let settings = (0..<5).map { container.property("s\($0)") ?? 0 }
            let last = isRequested ? nil : checks.all.last
            checks.add(Check(outdated: outdated, settings: settings, serials: current.mapValues(\.serial)))
            // Only a service that fails is outdated, and those that hold one. One that has failed before is not tried again
            // if nothing that it has read or holds has changed since then.
            for index in outdated where !failing.all.last!.contains(index) {
                if let last, last.outdated.contains(index), let node = current[index],
                    node.values.keys.allSatisfy({ last.settings[$0] == settings[$0] }),
                    held(index).allSatisfy({ last.serials[$0] == current[$0]?.serial })
                {
                    continue
                }
                if !held(index).contains(where: outdated.contains) { wrong.add("\(step): \(index) is outdated") }
            }
            for (index, node) in current {
                if node.closed > 0 { wrong.add("\(step): \(index) is closed") }
                for other in node.held where other.closed > 0 {
                    wrong.add("\(step): \(index) holds \(other.index), which is closed")
                }
            }
        }
    }

    /// The first seed of each part. `FOLLOWING_SEED=1000` begins with other sets of services.
    private static let firstSeed = ProcessInfo.processInfo.environment["FOLLOWING_SEED"].flatMap { Int($0) } ?? 0

    @Test("The instances are those that the settings demand, and each is closed once", arguments: 0..<8)
    func model(_ part: Int) async throws {
        for seed in Self.firstSeed..<(Self.firstSeed + LongRun.rounds(8)) {
            var random = SplitMix(state: UInt64(part * 100_000 + seed))
            let plan = Plan(&random)
            let (made, released) = try await run(plan, UInt64(part * 100_000 + seed), &random)
            await until { released.count == made.count }
        }
    }

    /// Starts a container, and returns whether that fails because of a circle through an asynchronous service, or of one of
    /// services that follow their settings.
    private func isCircular(_ container: Container) async -> Bool {
        do throws(ConfigurationErrors) {
            try await container.start()
            return false
        } catch {
            #expect(
                error.services.contains { [.circular, .asynchronous, .outdatedDependency].contains($0.reason) },
                "\(error)")
            return true
        }
    }

    private func run(_ plan: Plan, _ seed: UInt64, _ random: inout SplitMix) async throws -> (Counter, Counter) {
        let world = World(plan), container = world.container
        if await isCircular(container) {
            for node in world.built.all { node.release() }
            return (world.made, world.released)
        }
        world.started.increment()
        let isDone = Counter()
        defer { isDone.increment() }
        let resolving = (0..<2).map { _ in
            Task.detached {
                var last: [Int: Int] = [:]
                while isDone.count == 0 {
                    for index in plan.kinds.indices where plan.kinds[index] != .graph {
                        guard let node = try? container.require(Node.self, name: "\(index)") else { continue }
                        if node.serial < last[index] ?? 0 { world.wrong.add("\(index) goes back") }
                        last[index] = node.serial
                    }
                    await Task.yield()
                }
            }
        }
        for step in 0..<6 {
            let failing = plan.kinds.indices.filter { plan.follows($0) && Int.random(in: 0..<6, using: &random) == 0 }
            world.failing.add(Set(failing))
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                try container.properties.set(
                    "s\(Int.random(in: 0..<5, using: &random))", to: .integer(Int64.random(in: 1...3, using: &random)))
                if Bool.random(using: &random) { await Task.yield() }
            }
            try container.properties.set("unread", to: .integer(Int64(step)))
            await container.settled()
            try world.check("\(step)")
            guard Bool.random(using: &random) else { continue }
            // Failed replacements are tried again, and fail again. Then those that failed are in order.
            for isLast in [false, true] {
                if isLast { world.failing.add([]) }
                Bool.random(using: &random) ? world.timer.fire() : container.retryReplacements()
                await container.settled()
                try world.check("\(step), tried again", isRequested: true)
            }
            if !container.outdatedServices.isEmpty { world.wrong.add("\(step): \(container.outdatedServices)") }
        }
        let isLast = Bool.random(using: &random)
        if isLast { try container.properties.set("s0", to: 9) }
        await container.close(timeout: .seconds(10_000))
        isDone.increment()
        for task in resolving { await task.value }
        let nodes = world.built.all
        for node in nodes where node.closed != 1 { world.wrong.add("\(node.index) was closed \(node.closed) times") }
        #expect(world.wrong.all.isEmpty, "\(plan), seed \(seed)")
        for node in nodes { node.release() }
        return (world.made, world.released)
    }
}

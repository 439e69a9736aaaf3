import Container
import Dispatch
import Foundation
import Synchronization
import TestSupport

/// The containers of a program, and all that its services do.
final class World: Sendable {
    let program: Program
    let pairs: PairCounts
    let root = Container()
    let containers: [Container]
    /// The lives in the order of the factory calls, and the instances.
    let lives = Results<Life>()
    let built = Results<WeakNode>()
    /// The errors of the results of roots, and all that a check has found.
    let wrong = Results<String>()
    let errors = Results<ResolutionError>()
    /// Threads and tasks that have not ended, apart from those that wait at `last`.
    let activities = DispatchGroup()
    let steps = OpenSteps()
    /// A gate that opens when everything else has ended.
    let last: Gate
    let turnstile: Turnstile
    private let passes = Counter()
    let (closings, values, failures, isEnding) = (Counter(), Counter(), Counter(), Counter())
    private let runs: [[Counter]]
    let inFactory: [Counter]
    /// Instances that are dropped by whoever gets them.
    private let kept = Kept()

    init(_ program: Program, _ pairs: PairCounts, last: Gate) {
        (self.program, self.pairs, self.last) = (program, pairs, last)
        turnstile = Turnstile(threads: program.roots.count)
        containers = [root, Container(parent: root), Container(parent: root)]
        runs = program.services.map { _ in Place.allCases.map { _ in Counter() } }
        inFactory = program.services.map { _ in Counter() }
        for (number, container) in containers.enumerated() {
            container.onFailure { [self] error in runFailureHandler(error, number) }
        }
        for index in program.services.indices {
            let service = program.services[index]
            if !service.isInChild { register(index, in: 0, isFirst: true) }
            if service.isOverridden || service.isInChild { register(index, in: 1, isFirst: true) }
        }
    }

    /// Releases what code has kept, and breaks the circles of instances.
    func release() {
        for container in containers { container.onFailure { _ in } }
        for tier in 0..<3 { withExtendedLifetime(kept.takeAll(tier)) {} }
        for node in built.all.compactMap(\.node) { node.release() }
    }

    /// The number of hooks that have begun.
    var closingCount: Int { closings.count }

    /// The number of hooks that have begun, if the containers are being closed at the end of the program.
    private var closingsAtEnd: Int? { isEnding.count > 0 ? closings.count : nil }

    /// Closes the containers at the end of the program.
    func close() async {
        _ = isEnding.increment()
        for container in containers.reversed() { await container.close(timeout: .seconds(100_000)) }
    }

    func check(_ isRight: Bool, _ text: @autoclosure () -> String) { if !isRight { wrong.add(text()) } }

    /// Gives other threads a chance to go on, depending on the seed of the program: until they have made some steps, or
    /// until the system has let them run a number of times.
    func pass() {
        if program.isSerial, Turnstile.isHere { return turnstile.pass() }
        let own = passes.increment()
        var random = SplitMix(state: program.seed &+ UInt64(own))
        if random.oneIn(2) { return }
        let end = own + Int.random(in: 1...6, using: &random)
        for _ in 0..<Int.random(in: 1...40, using: &random) where passes.count < end { sched_yield() }
    }

    func passInTask() async {
        var random = SplitMix(state: program.seed &+ UInt64(passes.increment()))
        for _ in 0..<Int.random(in: 0...4, using: &random) { await Task.yield() }
    }
}

/// The steps that have begun and not ended, for the report of a hang.
final class OpenSteps: @unchecked Sendable {
    // @unchecked: the lock guards the state.
    private let lock = NSLock()
    private var open: [Int: String] = [:]
    private var number = 0

    func begin(_ text: @autoclosure () -> String) -> Int {
        lock.withLock {
            number += 1
            open[number] = text()
            return number
        }
    }
    func end(_ number: Int) { lock.withLock { open[number] = nil } }
    var description: String { lock.withLock { open.sorted { $0.key < $1.key }.map(\.value).joined(separator: "; ") } }
}

/// Instances by tier that code has kept to drop them later.
private final class Kept: @unchecked Sendable {
    // @unchecked: the lock guards the nodes.
    private let lock = NSLock()
    private var nodes: [Int: [Node]] = [:]
    func add(_ node: Node, _ tier: Int) { lock.withLock { nodes[tier, default: []].append(node) } }
    func takeAll(_ tier: Int) -> [Node] { lock.withLock { nodes.removeValue(forKey: tier) ?? [] } }
}

// MARK: - User code

extension World {
    /// The steps of a service at a place, or none if they have run often. A `deinit` that builds an instance of its own
    /// service would otherwise never end.
    private func code(_ place: Place, of index: Int) -> [Program.Step] {
        guard let steps = program.services[index].code[place], !steps.isEmpty else { return [] }
        let count = runs[index][place.rawValue].increment()
        check(program.isRandom || count <= program.maximumRuns, "the \(place) of \(index) runs without end")
        return count > program.maximumRuns ? [] : steps
    }

    func runDeinitializer(of index: Int) { _ = try? run(.deinitializer, of: index, in: 0, nil) }

    private func runFailureHandler(_ error: ResolutionError, _ container: Int) {
        // The service that has failed, whose name is between quotation marks.
        let parts = error.path.last?.split(separator: "\"") ?? []
        guard parts.count > 1, let index = Int(parts[1]) else { return }
        _ = try? run(.failureHandler, of: index, in: container, nil)
    }

    /// Lets an instance read its `Lazy` and `Provider` values.
    private func read(_ node: Node, in container: Int) {
        var deferred = node.readers[...]
        for step in code(.reader, of: node.life.index) {
            let value = step.action.isResolve ? deferred.popFirst() ?? nil : nil
            do {
                guard step.action.isResolve else {
                    _ = try perform(step, at: .reader, of: node.life.index, in: container, nil)
                    continue
                }
                let number = steps.begin("reader of \(node.life.index): \(step)")
                defer { steps.end(number) }
                pairs.add(.reader, step.action)
                pass()
                _ = try value?.get()
            } catch {
                return
            }
        }
    }

    /// Runs the code of a service at a place, and returns what it has taken. The life is that of the instance whose
    /// factory or completion this is. It records at once what is taken, since a completion that throws has taken it, too.
    func run(
        _ place: Place, of index: Int, in container: Int, _ r: Resolver?, for life: Life? = nil
    ) throws -> [Node] {
        try code(place, of: index).compactMap { step in
            let node = try perform(step, at: place, of: index, in: container, r)
            if let node { life?.take(node.life, at: place, isDependency: r != nil && step.way.isOfResolver) }
            return node
        }
    }

    /// Runs the code of a service at a place, and returns what it has taken.
    nonisolated(nonsending) func run(
        _ place: Place, of index: Int, in container: Int, _ r: AsyncResolver?, for life: Life? = nil
    ) async throws -> [Node] {
        var taken: [Node] = []
        let code = code(place, of: index)
        // Plain code resolves all that it takes in child tasks at the same time.
        let children = program.isPlain ? code.filter { $0.way == .childTask } : []
        if !children.isEmpty {
            taken = try await withThrowingTaskGroup(of: Node.self) { group in
                for step in children {
                    pairs.add(place, step.action)
                    group.addTask { [self] in
                        try await containers[container].require(async: Node.self, name: "\(step.service)")
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
        for step in code where children.isEmpty || step.way != .childTask {
            guard let node = try await perform(step, at: place, of: index, in: container, r) else { continue }
            life?.take(node.life, at: place, isDependency: r != nil && step.way.isOfResolver)
            taken.append(node)
        }
        return taken
    }

    /// Does one step, and returns the instance that it has taken, if any.
    func perform(
        _ step: Program.Step, at place: Place?, of index: Int, in container: Int, _ r: Resolver?
    ) throws -> Node? {
        let number = steps.begin("\(place.map { "\($0)" } ?? "root") of \(index): \(step)")
        defer { steps.end(number) }
        pass()
        if let place { pairs.add(place, step.action) }
        let tier = program.services[index].tier
        switch step.action {
        case .nothing: break
        case .shared, .unshared, .asynchronous: return try take(step, in: container, r)
        case .throwError: if step.variant % 2 == 0 || failures.increment() == 1 { throw Failure("injected") }
        case .wait: waitForThread { [self] in visit(step, in: step.container) }
        case .task, .detached, .immediate: _ = start(step)
        case .register: register(step.service, in: step.container == 1 ? 1 : 0, isFirst: false)
        case .reset: containers[step.container].reset(scope(tier))
        case .closeChild: closeChild(step)
        case .set: try? root.properties.set("setting", to: .integer(Int64(values.increment())))
        case .drop:
            if let node = containers[step.container].resolve(Node.self, name: "\(step.service)") {
                kept.add(node, tier)
            }
            withExtendedLifetime(kept.takeAll(tier)) {}
        }
        return nil
    }

    /// Does one step, and returns the instance that it has taken, if any.
    nonisolated(nonsending) func perform(
        _ step: Program.Step, at place: Place?, of index: Int, in container: Int, _ r: AsyncResolver?
    ) async throws -> Node? {
        if step.action.isResolve || step.action == .wait || step.action.startsTask {
            let number = steps.begin("\(place.map { "\($0)" } ?? "root") of \(index): \(step)")
            defer { steps.end(number) }
            await passInTask()
            if let place { pairs.add(place, step.action) }
            if step.action.isResolve { return try await take(step, in: container, r) }
            if step.action == .wait {
                await offPool { [self] in visit(step, in: step.container) }
                return nil
            }
            let task = start(step)
            // A wait for a detached task is not known to the container, which cannot find a circle then.
            if step.action != .detached, step.variant % 3 == 0 { await task?.value }
            return nil
        }
        return try perform(step, at: place, of: index, in: container, nil as Resolver?)
    }

    private func take(_ step: Program.Step, in container: Int, _ r: Resolver?) throws -> Node? {
        let name = "\(step.service)"
        do {
            let node: Node
            switch (step.way, r) {
            case (.lazy, let r?): node = try r.require(Lazy<Node>.self, name: name).get()
            case (.provider, let r?): node = try r.require(Provider<Node>.self, name: name).get()
            case (.resolver, let r?) where step.isTolerant:
                guard let found = r.resolve(Node.self, name: name) else { return nil }
                node = found
            case (.resolver, let r?): node = try r.require(Node.self, name: name)
            case _ where step.isTolerant:
                guard let found = containers[container].resolve(Node.self, name: name) else { return nil }
                node = found
            default: node = try containers[container].require(Node.self, name: name)
            }
            if step.reads { read(node, in: container) }
            return node
        } catch {
            if step.isTolerant { return nil }
            throw error
        }
    }

    nonisolated(nonsending) private func take(
        _ step: Program.Step, in container: Int, _ r: AsyncResolver?
    ) async throws -> Node? {
        let name = "\(step.service)"
        do {
            let node: Node
            switch (step.way, r) {
            case (.lazy, let r?): node = try await r.require(Lazy<Node>.self, name: name).get()
            case (.provider, let r?): node = try await r.require(Provider<Node>.self, name: name).get()
            case (.resolver, let r?): node = try await r.require(Node.self, name: name)
            case (.childTask, _):
                async let child = containers[container].require(async: Node.self, name: name)
                node = try await child
            default: node = try await containers[container].require(async: Node.self, name: name)
            }
            if step.reads { read(node, in: container) }
            return node
        } catch {
            if step.isTolerant { return nil }
            throw error
        }
    }

    private func waitForThread(_ body: @escaping @Sendable () -> Void) {
        let end = DispatchSemaphore(value: 0)
        Thread {
            body()
            end.signal()
        }.start()
        end.wait()
    }

    /// Starts a task that takes a service, or one that waits until everything else has ended.
    private func start(_ step: Program.Step) -> Task<Void, Never>? {
        if step.variant % 5 == 0 {
            let last = last
            switch step.action {
            case .detached: Task.detached { await last.pass() }
            default: Task { await last.pass() }
            }
            return nil
        }
        activities.enter()
        let body = { @Sendable [self] in
            defer { activities.leave() }
            await visitInTask(step)
        }
        let task: Task<Void, Never>
        switch step.action {
        case .detached: task = Task.detached(operation: body)
        case .immediate:
            if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
                task = Task.immediate(operation: body)
            } else {
                task = Task(operation: body)
            }
        default: task = Task(operation: body)
        }
        if step.variant % 7 == 0 { task.cancel() }
        return task
    }

    private func closeChild(_ step: Program.Step) {
        var child = containers[1 + step.variant % 2]
        if step.variant % 3 > 0 {
            child = Container(parent: root)
            _ = child.resolve(Node.self, name: "\(step.service)")
        }
        activities.enter()
        Task.detached { [self, child] in
            await child.close(timeout: .seconds(100_000))
            activities.leave()
        }
    }

    /// Takes a service outside of any construction, and reads it.
    private func visit(_ step: Program.Step, in container: Int) {
        let closings = closingsAtEnd
        guard let node = containers[container].resolve(Node.self, name: "\(step.service)") else { return }
        look(at: node, in: container, step, after: closings)
    }

    private func visitInTask(_ step: Program.Step) async {
        let closings = closingsAtEnd
        guard
            let node = try? await containers[step.container].require(async: Node.self, name: "\(step.service)")
        else { return }
        await passInTask()
        look(at: node, in: step.container, step, after: closings)
    }

    /// Checks an instance that code outside of any construction has got.
    ///
    /// The closings are those before it was asked for, if the containers were being closed. Whoever asks in time then gets
    /// an instance that is closed just afterwards.
    func look(at node: Node, in container: Int, _ step: Program.Step, after closings: Int? = nil) {
        let incomplete = node.life.all.filter { !$0.now.isComplete && $0.isFirstRegistration }
        check(incomplete.isEmpty, "\(node.life.index) was seen before \(incomplete.map(\.index)) was complete")
        if !program.removesInstances, let closing = node.life.now.closings.first {
            check(closing > closings ?? .max, "\(node.life.index) was handed out while it was closed")
        }
        checkParts(of: node.life)
        if step.reads { read(node, in: container) }
        let service = program.services[node.life.index]
        if !service.isShared { kept.add(node, service.tier) }
    }

    /// Checks that an instance was not built from one that had been closed before.
    private func checkParts(of life: Life) {
        // What was begun before a reset may hold a part which that has closed.
        if program.removesInstances || program.codeRemovesInstances || !program.services[life.index].isShared { return }
        let now = life.now
        let former =
            now.needs.filter { $0.now.closings.first ?? .max <= now.closingsBefore }
            + now.takes.filter { $0.now.closings.first ?? .max <= now.closingsBeforeTakes }
        check(former.isEmpty, "\(life.index) has taken \(former.map(\.index)), which had been closed")
    }
}

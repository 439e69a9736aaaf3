import Container
import Dispatch
import Foundation
import Testing

/// What code of the user may do in factories, completions, hooks and tasks.
@Suite("User code that uses the container", .hangLimit)
struct UserCodeTests {
    let container = Container()
    let failures = Failures()
    let log = Log()

    init() { failures.listen(to: container) }

    final class Part: Sendable {}

    final class Whole: Sendable {
        let part: Part?
        init(_ part: Part? = nil) { self.part = part }
    }

    // MARK: Hooks

    @Test("A hook of a service whose completion failed is not in its construction, and gets others, but not its own")
    func hookOfFailure() throws {
        let (container, log, calls) = (container, log, Counter())
        container.register(Part.self) { _ in Part() }.inObjectScope(.container)
            .initCompleted { _, _ in if calls.increment() == 1 { throw Failure("late") } }
            .onClose { _ in
                log.write("own \(failure { _ = try container.require(Part.self) }?.reason.description ?? "found")")
                log.write("other \(container.resolve(Whole.self) == nil ? "missing" : "found")")
            }
        container.register(Whole.self) { _ in Whole() }.inObjectScope(.container)
        #expect(failure { _ = try container.require(Part.self) }?.reason == .completionFailed)
        #expect(log.lines == ["own circular", "other found"])
        #expect(container.resolve(Part.self) != nil && calls.count == 2)
    }

    @Test("A hook that awaits close of its own container does not wait for itself")
    func closeInHook() async {
        let (container, log) = (container, log)
        container.register(Part.self) { _ in Part() }.inObjectScope(.container).onClose { _ in
            log.write("\(await container.closeSlowly().count)")
        }
        _ = container.resolve(Part.self)
        #expect(await container.closeSlowly().isEmpty)
        #expect(log.lines == ["0"])
    }

    @Test("A reset of a child closes a service of the child before the one of the parent that it was built from")
    func resetAcross() async throws {
        let (child, log) = (Container(parent: container), log)
        container.register(Part.self) { _ in Part() }.inObjectScope(.session).onClose { _ in log.write("part") }
        child.register(Whole.self) { r in Whole(try r.require(Part.self)) }.inObjectScope(.session)
            .onClose { _ in
                await Task.yield()
                log.write("whole")
            }
        _ = try child.require(Whole.self)
        child.resetSession()
        await child.closeSlowly()
        await container.closeSlowly()
        #expect(log.lines == ["whole", "part"])
    }

    @Test("What was begun before a reset of its scope is returned to those who asked for it, and is not kept")
    func begunBefore() async throws {
        let child = Container(parent: container)
        let (built, taken, go, log) = (Counter(), Counter(), DispatchSemaphore(value: 0), Log())
        container.register(Shared.self) { _ in Shared(built.increment()) }.inObjectScope(.session)
            .onClose { log.write("part \($0.number)") }
        for (owner, name) in [(container, "parent"), (child, "child")] {
            owner.register(Shared.self, name: name) { r in
                let number = try r.require(Shared.self).number
                if taken.increment() <= 2 { go.wait() }
                return Shared(number)
            }.inObjectScope(.session).onClose { log.write("\(name) \($0.number)") }
        }
        let threads = ["parent", "child"].map { name in Running { child.resolve(Shared.self, name: name)?.number } }
        await until { taken.count == 2 }
        child.resetSession()
        #expect(log.lines == ["part 1"])
        #expect(try child.require(Shared.self, name: "parent").number == 2)
        go.signal()
        go.signal()
        #expect(threads.map { $0.result() } == [1, 1])
        #expect(try child.require(Shared.self, name: "child").number == 2)
        child.resetSession()
        // One order for all that are closed, also what the first reset has left.
        #expect(Set(log.lines.dropFirst()) == ["part 2", "parent 1", "parent 2", "child 1", "child 2"])
        await child.closeSlowly()
        await container.closeSlowly()
        #expect(log.lines.count == 6)
    }

    @Test("A service whose part a reset removes each time that it is built is built once")
    func resetWhileBuilding() throws {
        let (container, built) = (container, Counter())
        container.register(Part.self) { _ in Part() }.inObjectScope(.session)
        container.register(Whole.self) { r in
            let part = try r.require(Part.self)
            built.increment()
            let done = DispatchSemaphore(value: 0)
            DispatchQueue(label: "reset").async {
                container.resetSession()
                done.signal()
            }
            done.wait()
            return Whole(part)
        }.inObjectScope(.container)
        let whole = try container.require(Whole.self)
        #expect(try container.require(Whole.self) === whole && built.count == 1)
        #expect(try container.require(Part.self) !== whole.part)
    }

    @Test("A construction keeps its own part although a reset has removed it, and another thread has built a new one")
    func ownPart() throws {
        let (container, others) = (container, Results<Part?>())
        container.register(Part.self) { _ in Part() }.inObjectScope(.session).initCompleted { _, _ in }
        container.register(Whole.self) { r in
            let part = try r.require(Part.self)
            let done = DispatchSemaphore(value: 0)
            DispatchQueue(label: "reset").async {
                container.resetSession()
                others.add(container.resolve(Part.self))
                done.signal()
            }
            done.wait()
            #expect(try r.require(Part.self) === part)
            return Whole(part)
        }.inObjectScope(.container)
        let part = try container.require(Whole.self).part
        #expect(others.all.count == 1 && others.all[0] !== part)
        #expect(try container.require(Part.self) === others.all[0])
    }

    // MARK: Tasks

    @Test("An asynchronous service that a factory starts by Task.immediate gets no unfinished one")
    func immediate() async throws {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        let (container, calls, tasks) = (container, Counter(), Results<Task<Whole?, Never>>())
        container.register(Part.self) { _ in
            tasks.add(Task.immediate { try? await container.require(async: Whole.self) })
            return Part()
        }.inObjectScope(.container).initCompleted { _, _ in if calls.increment() == 1 { throw Failure("late") } }
        container.register(Whole.self) { (r: AsyncResolver) async throws in Whole(try await r.require(Part.self)) }
            .inObjectScope(.container)
        #expect(container.resolve(Part.self) == nil)
        let whole = await tasks.all[0].value
        #expect(whole?.part === container.resolve(Part.self))
    }

    @Test(
        "A task that a factory starts by Task.immediate gets nothing whose completion fails", arguments: [true, false])
    func immediateFails(takesPart: Bool) async throws {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        let (container, tasks) = (container, Results<Task<Whole?, Never>>())
        container.onFailure { _ in }
        container.register(Part.self) { _ in Part() }.inObjectScope(.container)
            .initCompleted { _, _ in if takesPart { throw Failure("part") } }
        container.register(Whole.self) { r in Whole(takesPart ? try r.require(Part.self) : Part()) }
            .inObjectScope(.container).initCompleted { _, _ in if !takesPart { throw Failure("whole") } }
        container.register(Part.self, name: "outer") { r in
            let part = try r.require(Part.self)
            tasks.add(Task.immediate { try? await container.require(async: Whole.self) })
            return part
        }.inObjectScope(.container)
        #expect((container.resolve(Part.self, name: "outer") == nil) == takesPart)
        #expect(await tasks.all[0].value == nil)
    }

    /// The threads of two constructions wait for each other's services, so that both become one. One of them was begun by a
    /// task in the middle of a factory, for whose service the other thread waits then.
    @Test("A task that a factory starts by Task.immediate, and whose construction joins another one, does not hang")
    func immediateInGroup() async {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        let (container, isWaiting, isBuilt) = (container, Counter(), Counter())
        container.register(Part.self, name: "outer") { _ in
            while isWaiting.count == 0 { sched_yield() }
            _ = Task.immediate { try? await container.require(async: Part.self, name: "inner") }
            return Part()
        }.inObjectScope(.container)
        container.register(Part.self, name: "inner") { _ in
            isBuilt.increment()
            return Part()
        }.inObjectScope(.container).initCompleted { r, _ in _ = r.resolve(Part.self, name: "other") }
        container.register(Part.self, name: "other") { _ in Part() }.inObjectScope(.container)
            .initCompleted { r, _ in
                isWaiting.increment()
                while isBuilt.count == 0 { sched_yield() }
                _ = r.resolve(Part.self, name: "inner")
                _ = r.resolve(Part.self, name: "outer")
            }
        let other = Running { container.resolve(Part.self, name: "other") != nil }
        let outer = Running { container.resolve(Part.self, name: "outer") != nil }
        let results = await offPool { [other.result(), outer.result()] }
        #expect(results == [true, true])
        #expect(container.resolve(Part.self, name: "inner") != nil)
    }

    @Test("A task that an asynchronous factory starts keeps neither the instance nor the container")
    func startedTask() async throws {
        final class Poller: Sendable {
            let (released, task): (Counter, Task<Void, Never>)
            init(_ released: Counter, _ gate: Gate) { (self.released, task) = (released, Task { await gate.pass() }) }
            deinit { released.increment() }
        }
        let (released, gate) = (Counter(), Gate())
        weak var former: Container?
        do {
            let container = Container()
            former = container
            container.register(Poller.self) { _ async throws in Poller(released, gate) }.inObjectScope(.session)
            _ = try await container.require(async: Poller.self)
            container.resetSession()
            await until { released.count == 1 }
            _ = try await container.require(async: Poller.self)
            await container.closeSlowly()
        }
        await until { released.count == 2 && former == nil }
        gate.open()
    }

    @Test("A service that keeps its resolver is released")
    func keptResolver() throws {
        final class Keeper {
            let (resolver, released): (Resolver, Counter)
            init(_ resolver: Resolver, _ released: Counter) { (self.resolver, self.released) = (resolver, released) }
            deinit { released.increment() }
        }
        let released = Counter()
        container.register(Keeper.self) { r in Keeper(r, released) }
        _ = try container.require(Keeper.self)
        #expect(released.count == 1)
    }

    @Test("A weak asynchronous service is built once for all that wait, although nobody else keeps it")
    func weakAsync() async throws {
        let (container, built, gate) = (container, Counter(), Gate())
        container.register(Part.self) { (_: AsyncResolver) async throws in
            if built.increment() == 2 { await gate.pass() }
            return Part()
        }.inObjectScope(.weak)
        do { _ = try await container.require(async: Part.self) }
        #expect(built.count == 1)
        let tasks = (0..<4).map { _ in Task { try await container.require(async: Part.self) } }
        await until { gate.waiting == 1 }
        gate.open()
        for task in tasks { _ = try await task.value }
        #expect(built.count <= 5)
    }

    // MARK: Starts

    private struct Fixed: PropertyLoader {
        let values: PropertyLayer
        func load() -> PropertyLayer { values }
    }

    struct Host: Settings { @Setting("The host") var host = "default" }

    @Test("A start that is refused shows its sources to nobody, and builds nothing again without them")
    func refusedStart() async throws {
        let (container, hosts, seen) = (container, Results<String>(), Counter())
        container.declare(Host.self)
        container.register(Part.self) { (r: AsyncResolver) async throws in
            hosts.add(try r.settings(Host.self).host)
            return Part()
        }.inObjectScope(.container).followsSettings()
        let changes = container.properties.changes(of: "host", as: String.self)
        let reader = Task { for await _ in changes { seen.increment() } }
        await #expect(throws: ConfigurationErrors.self) {
            try await container.start([Fixed(values: ["host": "production", "unknown": 1])])
        }
        await container.settled()
        #expect(Set(hosts.all).isSubset(of: ["production"]) && seen.count == 0)
        #expect(container.property("host") as String? == nil)
        reader.cancel()
    }

    @Test("A start of a child knows the keys that the services of its parent read")
    func startOfChild() async throws {
        container.register(Shared.self) { r in Shared(try r.require("size")) }.inObjectScope(.container)
        container.properties.declare(TypedKey("port", default: 1))
        try await container.start([Fixed(values: ["size": 1, "port": 2])])
        try await Container(parent: container).start([] as [any PropertyLoader])
    }

    @Test("A second start waits for the first, and finds what that has built")
    func twoStarts() async throws {
        let (container, gate, built) = (container, Gate(), Counter())
        container.register(Part.self) { (_: AsyncResolver) async throws in
            built.increment()
            await gate.pass()
            return Part()
        }.inObjectScope(.container)
        async let first: Void = container.start()
        await until { gate.waiting == 1 }
        async let second: Void = container.start()
        gate.open()
        try await first
        try await second
        #expect(built.count == 1)
    }

    // MARK: Words

    @Test("A Lazy or Provider of the container and of an optional service can be resolved")
    func deferredWithoutRegistration() throws {
        #expect(try container.require(Lazy<Container>.self).get() === container)
        #expect(try container.require(Provider<Part?>.self).get() == nil)
        container.register(Part.self) { _ in Part() }
        #expect(try container.require(Provider<Part?>.self).get() != nil)
        #expect(try container.require(Lazy<Part?>.self).get() != nil)
    }
}

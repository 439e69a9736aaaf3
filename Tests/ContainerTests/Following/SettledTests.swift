import Container
import Testing

/// A test changes a setting, and awaits `settled()` before it looks at the services.
@Suite("Waiting until the following services have caught up", .hangLimit)
struct SettledTests {
    typealias Pool = FollowingTests.Pool
    let container = Container()
    let failures = Failures()
    let events = Results<String>()

    init() { failures.listen(to: container) }

    /// Registers a pool whose second construction waits at a gate, and fails for a host that begins with "bad".
    @discardableResult
    private func registerPool() -> Gate {
        let (gate, built, events) = (Gate(), Counter(), events)
        container.register(Pool.self) { (r: AsyncResolver) async throws in
            let host: String = try r.require("host")
            if built.increment() == 2 { await gate.pass() }
            if host.hasPrefix("bad") { throw Failure("no route") }
            events.add("built \(host)")
            return Pool(host)
        }
        .inObjectScope(.container).followsSettings(retrying: nil).onReplace { _ in events.add("replaced") }
        return gate
    }

    /// Begins to wait, and returns the task and the counter of the waits that have ended.
    private func beginWait(for container: Container? = nil) -> (task: Task<Void, Never>, ended: Counter) {
        let (container, ended) = (container ?? self.container, Counter())
        let task = Task {
            await container.settled()
            ended.increment()
        }
        return (task, ended)
    }

    private func beginReplacement() async throws -> Gate {
        let gate = registerPool()
        try container.properties.set("host", to: "a")
        _ = try await container.require(async: Pool.self)
        try container.properties.set("host", to: "b")
        await until { gate.waiting == 1 }
        return gate
    }

    @Test("It returns when the new instance is there and onReplace has run")
    func replaced() async throws {
        let gate = try await beginReplacement()
        let wait = beginWait()
        for _ in 0..<100 { await Task.yield() }
        #expect(wait.ended.count == 0)
        #expect(events.all == ["built a"])
        gate.open()
        await wait.task.value
        #expect(events.all == ["built a", "built b", "replaced"])
        #expect(try container.require(Pool.self).host == "b")
        #expect(!container.isReplacing)
        await container.closeSlowly()
    }

    @Test("It returns after the last of several services that hold each other, and after the last of several changes")
    func chain() async throws {
        let gate = try await beginReplacement()
        container.register(FollowingTests.Repository.self) { r in
            FollowingTests.Repository(try r.require(Pool.self), try r.property("table", default: "none"))
        }
        .inObjectScope(.container).followsSettings()
        container.register(Shared.self) { r in Shared(try r.require(FollowingTests.Repository.self).table.count) }
            .inObjectScope(.container).followsSettings()
        #expect(try container.require(Shared.self).number == 4)
        for host in ["c", "d"] { try container.properties.set("host", to: .string(host)) }
        try container.properties.set("table", to: "users")
        gate.open()
        await container.settled()
        let repository = try container.require(FollowingTests.Repository.self)
        #expect((repository.pool.host, repository.table) == ("d", "users"))
        #expect(try container.require(Shared.self).number == 5)
        #expect(container.outdatedServices.isEmpty)
        await container.closeSlowly()
    }

    @Test("It returns after a replacement that failed, whose service is still outdated")
    func failed() async throws {
        registerPool().open()
        try container.properties.set("host", to: "a")
        _ = try await container.require(async: Pool.self)
        try container.properties.set("host", to: "bad")
        await container.settled()
        #expect(container.outdatedServices.map(\.service) == ["Pool"])
        #expect(failures.all.map(\.reason) == [.replacementFailed])
        try container.properties.set("host", to: "a")
        await container.settled()
        #expect(container.outdatedServices.isEmpty)
        await container.closeSlowly()
    }

    @Test("A child waits for the services of its parents, too")
    func parents() async throws {
        let child = Container(parent: container)
        child.register(Shared.self) { r in Shared(try r.property("size", default: 1)) }.inObjectScope(.container)
            .followsSettings()
        let gate = try await beginReplacement()
        _ = try child.require(Shared.self)
        try container.properties.set("size", to: 2)
        let wait = beginWait(for: child)
        for _ in 0..<100 { await Task.yield() }
        #expect(wait.ended.count == 0)
        gate.open()
        await wait.task.value
        #expect(try child.require(Pool.self).host == "b")
        #expect(try child.require(Shared.self).number == 2)
        await child.closeSlowly()
        await container.closeSlowly()
    }

    @Test("It returns at once if nothing follows, if the task is cancelled, and if the container is closed")
    func ends() async throws {
        await Container().settled()
        let gate = try await beginReplacement()
        let (cancelled, closed) = (beginWait(), beginWait())
        cancelled.task.cancel()
        await cancelled.task.value
        #expect(closed.ended.count == 0)
        async let errors = container.closeSlowly()
        await closed.task.value
        #expect(events.all == ["built a"])
        await container.settled()
        gate.open()
        #expect(await errors.isEmpty)
    }

    @Test("It returns at once in a factory of a new instance, for which it would wait")
    func inFactory() async throws {
        let container = container
        container.register(Pool.self) { (r: AsyncResolver) async throws in
            let host: String = try r.require("host")
            await container.settled()
            return Pool(host)
        }
        .inObjectScope(.container).followsSettings()
        try container.properties.set("host", to: "a")
        _ = try await container.require(async: Pool.self)
        try container.properties.set("host", to: "b")
        await container.settled()
        #expect(try container.require(Pool.self).host == "b")
        await container.closeSlowly()
    }
}

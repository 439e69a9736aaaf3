import Container
import Dispatch
import Testing

/// What is said of a replaced instance until it is closed.
@Suite("The former instance of a following service", .hangLimit)
struct FormerInstanceTests {
    typealias Pool = FollowingTests.Pool

    let container = Container()
    let failures = Failures()
    let events = Results<String>()
    let closings = Results<ClosingFormer>()
    /// Lets the hooks end.
    let gate = Gate()
    let timer = ManualTimer()

    init() throws {
        failures.listen(to: container)
        container.setFollowingTimer(timer.add)
        container.observeFollowing { [events, closings] event in
            switch event {
            case .began, .recovered: break
            case .replaced(let service, _, let changes, let keepsObject):
                let names = changes.map(\.name).joined(separator: ", ")
                events.add("\(service) was replaced: \(names)\(keepsObject ? ", same object" : "")")
            case .closing(let former):
                closings.add(former)
                events.add("closing \(former.service)")
            case .closed(let service, _): events.add("\(service) is closed")
            }
        }
        try container.properties.set("host", to: "a")
    }

    /// Registers a pool whose closing passes the gate if its host is `a`.
    private func registerPool(draining: Duration = .zero, closeTimeout: Duration = .seconds(3600)) {
        let (gate, events) = (gate, events)
        container.register(Pool.self) { r in Pool(try r.require("host")) }
            .inObjectScope(.container)
            .onClose { (pool: Pool) async throws in
                if pool.host == "a" { await gate.pass() }
                events.add("hook of \(pool.host)")
            }
            .followsSettings(draining: draining, closeTimeout: closeTimeout)
    }

    private func replacePool() async throws {
        _ = try container.require(Pool.self)
        try container.properties.set("host", to: "b")
        await container.settled()
    }

    @Test("Its replacement and the end of its closing are events, and until then it is in the status")
    func events() async throws {
        registerPool(draining: .seconds(30))
        try await replacePool()
        #expect(events.all == ["Pool was replaced: host"])
        let draining = try #require(container.status.formerServices.first)
        #expect((draining.service, draining.closing == nil, draining.isLate) == ("Pool", true, false))
        timer.fire()
        await until { gate.waiting == 1 }
        #expect(events.all == ["Pool was replaced: host", "closing Pool"])
        let closing = try #require(container.status.formerServices.first)
        #expect(try #require(closing.closing) > closing.replaced)
        #expect(closings.all.map(\.isRunning) == [true])
        gate.open()
        // The event comes last.
        await until { events.all.last == "Pool is closed" }
        #expect(container.status.formerServices.isEmpty)
        #expect(events.all.suffix(2) == ["hook of a", "Pool is closed"])
        #expect(closings.all.map(\.isRunning) == [false])
        await container.closeSlowly()
        #expect(failures.all.isEmpty)
    }

    @Test("A closing that hangs is let go at its limit, is an error then and at the end, and its late end is an event")
    func limit() async throws {
        registerPool(closeTimeout: .milliseconds(1))
        try await replacePool()
        await until { !failures.all.isEmpty }
        let text = "Pool: the closing of the former Pool did not end within 0.001 seconds. "
        #expect(failures.all.map(\.description).allSatisfy { $0.hasPrefix(text) })
        #expect(container.status.formerServices.map(\.isLate) == [true])
        #expect(closings.all.map(\.isRunning) == [false])
        // It does not wait for the gate.
        let errors = await container.close(timeout: .seconds(3600))
        #expect(errors.map(\.reason) == [.closeFailed] && errors.map(\.isFormer) == [true])
        #expect(errors.first?.description.hasPrefix("Pool: the closing of the former Pool has not ended. ") == true)
        #expect(failures.all.count == 1)
        gate.open()
        await until { events.all.last == "Pool is closed" }
        #expect(container.status.formerServices.isEmpty)
    }

    @Test("What a hanging former instance holds is closed when its limit is reached", arguments: [false, true])
    func held(isSynchronous: Bool) async throws {
        let (events, hanging) = (events, DispatchSemaphore(value: 0))
        container.register(Pool.self) { r in Pool(try r.require("host")) }
            .inObjectScope(.container).onClose { events.add("hook of \($0.host)") }.followsSettings(draining: .zero)
        let entry = container.register(FollowingTests.Repository.self) { r in
            FollowingTests.Repository(try r.require(Pool.self), "")
        }
        .inObjectScope(.container)
        if isSynchronous {
            entry.onClose { if $0.pool.host == "a" { hanging.wait() } }
        } else {
            entry.onClose { [gate] (repository: FollowingTests.Repository) async throws in
                if repository.pool.host == "a" { await gate.pass() }
            }
        }
        entry.followsSettings(draining: .zero, closeTimeout: .milliseconds(1))
        _ = try container.require(FollowingTests.Repository.self)
        try container.properties.set("host", to: "b")
        await container.settled()
        await until { events.all.contains("hook of a") }
        #expect(failures.all.map(\.isFormer) == [true])
        hanging.signal()
        gate.open()
        await container.closeSlowly()
    }

    @Test("A closing that fails is an error about the former instance, and no event says that it is closed")
    func failure() async throws {
        container.register(Pool.self) { r in Pool(try r.require("host")) }
            .inObjectScope(.container).onClose { _ in throw Failure("stuck") }.followsSettings(draining: .zero)
        try await replacePool()
        await until { !failures.all.isEmpty && container.status.formerServices.isEmpty }
        #expect(failures.all.map(\.description) == ["Pool: the closing of the former Pool threw: stuck"])
        #expect(events.all == ["Pool was replaced: host", "closing Pool"])
        let errors = await container.closeSlowly()
        #expect(errors.map(\.description) == ["Pool: the closing of Pool threw: stuck"])
    }

    @Test("An instance without hooks is closed, too, and the same object again is not")
    func withoutHooks() async throws {
        container.register(Pool.self) { r in Pool(try r.require("host")) }
            .inObjectScope(.container).followsSettings(draining: .zero)
        let same = Shared(1)
        container.register(Shared.self) { r in
            _ = try r.property("size", default: 1)
            return same
        }
        .inObjectScope(.container).followsSettings(draining: .zero)
        _ = try container.require(Shared.self)
        try await replacePool()
        await until { events.all.count == 3 }
        #expect(events.all == ["Pool was replaced: host", "closing Pool", "Pool is closed"])
        try container.properties.set("size", to: 2)
        await container.settled()
        #expect(events.all.dropFirst(3) == ["Shared was replaced: size, same object"])
        #expect(container.status.formerServices.isEmpty)
        await container.closeSlowly()
    }

    @Test("A former instance that a reset closes in its drain time is an event, too")
    func reset() async throws {
        registerPool(draining: .seconds(30))
        gate.open()
        try await replacePool()
        await container.close(.container)
        await until { events.all.last == "Pool is closed" }
        #expect(container.status.formerServices.isEmpty)
        #expect(Set(events.all.dropFirst()) == ["hook of a", "hook of b", "Pool is closed"])
        timer.fire()
        await container.closeSlowly()
    }

    @Test("A former instance whose closing uses up the time of the whole closing is told apart from the new one")
    func together() async throws {
        registerPool()
        try await replacePool()
        await until { gate.waiting == 1 }
        let errors = await container.close(timeout: .milliseconds(1))
        #expect(
            errors.map(\.description).first?.hasPrefix(
                "Pool: the closing of the former Pool did not end within 0.001 seconds. ") == true)
        #expect(errors.map(\.isFormer).prefix(2) != [false])
        gate.open()
    }

    @Test("The status has the failures of a replacement, with the cause, the number and the next try")
    func failedReplacement() async throws {
        let isDown = Counter()
        container.register(Pool.self) { r in
            if isDown.count > 0 { throw Failure("no route") }
            return Pool(try r.require("host"))
        }
        .inObjectScope(.container).followsSettings(retrying: .seconds(5)...(.seconds(60)))
        _ = try container.require(Pool.self)
        #expect(container.outdatedServices.isEmpty)
        isDown.increment()
        try container.properties.set("host", to: "b")
        await container.settled()
        let first = try #require(container.outdatedServices.first?.failure)
        #expect(first.count == 1)
        #expect(try #require(first.nextTry) > first.since)
        #expect((first.error.cause as? ResolutionError)?.cause as? Failure == Failure("no route"))
        timer.fire()
        await until { container.outdatedServices.first?.failure?.count == 2 }
        await container.settled()
        let second = try #require(container.outdatedServices.first)
        #expect(second.failure?.since == first.since)
        #expect(second.changes.map(\.name) == ["host"])
        isDown.decrement()
        timer.fire()
        await until { container.outdatedServices.isEmpty }
        await container.closeSlowly()
    }
}

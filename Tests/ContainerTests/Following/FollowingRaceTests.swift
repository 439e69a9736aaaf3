import Container
import TestSupport
import Testing

/// What happens to a replacement while something else happens.
@Suite("Replacements and other changes at the same time", .hangLimit)
struct FollowingRaceTests {
    typealias Pool = FollowingTests.Pool
    let container = Container()
    let failures = Failures()
    let events = Results<String>()

    init() { failures.listen(to: container) }

    func set(_ name: String, _ value: PropertyValue) throws { try container.properties.set(name, to: value) }

    /// Registers a pool whose factory reads `host` and then waits in the calls with some numbers.
    func registerPool(waitingIn calls: Set<Int>, at gate: Gate) {
        let (built, events) = (Counter(), events)
        container.register(Pool.self) { (r: AsyncResolver) async throws in
            let host: String = try r.require("host")
            if calls.contains(built.increment()) { await gate.pass() }
            return Pool(host)
        }
        .inObjectScope(.container).onClose { events.add("close \($0.host)") }.followsSettings(draining: .zero)
    }

    /// Builds a pool, and changes its setting. Returns the gate at which the construction of the new one waits.
    func beginReplacement() async throws -> Gate {
        let gate = Gate()
        registerPool(waitingIn: [2], at: gate)
        try set("host", "a")
        _ = try await container.require(async: Pool.self)
        try set("host", "b")
        await until { gate.waiting == 1 }
        return gate
    }

    // Many times, because who gets the instance may wait before it is compared with what has changed.
    @Test("A change during the first construction replaces its instance", arguments: 0..<LongRun.rounds(50))
    func duringConstruction(round: Int) async throws {
        let gate = Gate()
        registerPool(waitingIn: [1], at: gate)
        try set("host", "a")
        async let first = container.require(async: Pool.self)
        await until { gate.waiting == 1 }
        try set("host", "b")
        await container.settled()
        gate.open()
        // It may have been replaced before this task gets it.
        _ = try await first
        await container.settled()
        #expect(try container.require(Pool.self).host == "b")
        await container.closeSlowly()
        #expect(events.all == ["close a", "close b"])
    }

    @Test("A setting that changes back during a replacement cancels it, and what it builds is closed")
    func changesBack() async throws {
        let gate = try await beginReplacement()
        #expect(container.outdatedServices.map(\.service) == ["Pool"])
        let outdated = container.outdatedServices.first?.description ?? ""
        #expect(outdated.contains(/^Pool: host: "a" \(set at .+\) → "b" \(set at .+\)$/), "\(outdated)")
        let former = try container.require(Pool.self)
        try set("host", "a")
        await container.settled()
        #expect(container.outdatedServices.isEmpty)
        gate.open()
        await until { events.all == ["close b"] }
        #expect(try container.require(Pool.self) === former)
        await container.closeSlowly()
        #expect(events.all == ["close b", "close a"])
    }

    @Test("A replacement that hangs stops no other one, and a later value begins it again")
    func hangs() async throws {
        let gate = try await beginReplacement()
        container.register(Shared.self) { r in Shared(try r.property("size", default: 1)) }.inObjectScope(.container)
            .followsSettings()
        _ = try container.require(Shared.self)
        try set("size", 2)
        await until { (try? container.require(Shared.self).number) == 2 }
        #expect(container.outdatedServices.map(\.service) == ["Pool"])
        try set("host", "c")
        await until { (try? container.require(Pool.self).host) == "c" }
        #expect(container.outdatedServices.isEmpty)
        gate.open()
        await until { events.all.contains("close b") }
        await container.closeSlowly()
        #expect(events.all.sorted() == ["close a", "close b", "close c"])
    }

    @Test("close during a replacement closes the former and the new instance once", arguments: [false, true])
    func close(_ opensFirst: Bool) async throws {
        let gate = try await beginReplacement()
        if opensFirst { gate.open() }
        async let errors = container.closeSlowly()
        gate.open()
        #expect(await errors.isEmpty)
        #expect(events.all.sorted() == ["close a", "close b"])
        #expect(!container.isReplacing)
        #expect(failures.all.isEmpty)
    }

    @Test(
        "A service that is registered again or reset during its replacement is not replaced", arguments: [false, true])
    func changedRegistration(_ isReset: Bool) async throws {
        let gate = try await beginReplacement()
        if isReset {
            container.reset(.container)
        } else {
            container.register(Pool.self) { _ in Pool("other") }.inObjectScope(.container)
        }
        gate.open()
        await container.settled()
        #expect(try await container.require(async: Pool.self).host == (isReset ? "b" : "other"))
        await container.closeSlowly()
        #expect(events.all.sorted() == (isReset ? ["close a", "close b", "close b"] : ["close a", "close b"]))
        #expect(container.outdatedServices.isEmpty)
    }

    @Test(
        "A service that is built from an instance which is replaced meanwhile is replaced at once",
        arguments: 0..<LongRun.rounds(50))
    func builtFromFormer(round: Int) async throws {
        let (gate, built) = (Gate(), Counter())
        registerPool(waitingIn: [], at: gate)
        container.register(FollowingTests.Repository.self) { (r: AsyncResolver) async throws in
            let pool = try await r.require(Pool.self)
            if built.increment() == 1 { await gate.pass() }
            return FollowingTests.Repository(pool, "")
        }.inObjectScope(.container).followsSettings(draining: .zero)
        try set("host", "a")
        async let repository = container.require(async: FollowingTests.Repository.self)
        await until { gate.waiting == 1 }
        try set("host", "b")
        await container.settled()
        gate.open()
        _ = try await repository
        await container.settled()
        #expect(try container.require(FollowingTests.Repository.self).pool.host == "b")
        #expect(await container.close().isEmpty)
    }

    @Test("close names a replacement that is not needed any more and still builds its instance at the deadline")
    func droppedAtClose() async throws {
        let gate = try await beginReplacement()
        try set("host", "a")
        await container.settled()
        let errors = await container.close(timeout: .zero).map(\.description)
        // The closure of the former instance may have ended before the deadline is looked at.
        #expect(errors.first?.hasPrefix("Pool: the construction of Pool") == true, "\(errors)")
        gate.open()
        await until { events.all.count == 2 }
    }

    @Test("A service that takes another before and after its replacement holds both, and is replaced itself")
    func builtFromBoth() async throws {
        let (gate, timer, taken, events) = (Gate(), ManualTimer(), Counter(), events)
        container.setFollowingTimer(timer.add)
        registerPool(waitingIn: [], at: gate)
        container.register([Pool].self) { (r: AsyncResolver) async throws in
            let former = try await r.require(Pool.self)
            if taken.increment() == 1 { await gate.pass() }
            return [former, try await r.require(Pool.self)]
        }
        .inObjectScope(.container).onClose { events.add("close \($0.map(\.host))") }
        .followsSettings(draining: .seconds(30))
        try set("host", "a")
        async let first = container.require(async: [Pool].self)
        await until { gate.waiting == 1 }
        try set("host", "b")
        await container.settled()
        gate.open()
        #expect(try await first.map(\.host) == ["a", "b"])
        await container.settled()
        #expect(try container.require([Pool].self).map(\.host) == ["b", "b"])
        #expect(events.all.isEmpty)
        timer.fire()
        await until { events.all.count == 2 }
        #expect(events.all == ["close [\"a\", \"b\"]", "close a"])
        await container.closeSlowly()
    }

    @Test("A factory that returns the same object again keeps it open")
    func sameObject() async throws {
        let (pool, events) = (Pool("only"), events)
        container.register(Pool.self) { r in
            _ = r.property("host") as String?
            return pool
        }
        .inObjectScope(.container).onClose { events.add("close \($0.host)") }.followsSettings(draining: .zero)
        for host in ["a", "b", "c"] {
            try set("host", .string(host))
            await container.settled()
            #expect(try container.require(Pool.self) === pool)
        }
        #expect(events.all.isEmpty)
        await container.closeSlowly()
        #expect(events.all == ["close only"])
    }

    @Test("A factory can change the properties, and what it observes itself is not followed")
    func changesInFactory() async throws {
        let (built, changes) = (Counter(), Results<Int>())
        container.register(Shared.self) { r in
            let sizes = r.changes(of: "size", as: Int.self)
            Task { for await change in sizes { changes.add(change.new ?? 0) } }
            try r.properties.set("made", to: .integer(Int64(built.increment())))
            return Shared(r.property("made") ?? 0)
        }.inObjectScope(.container).followsSettings()
        #expect(try container.require(Shared.self).number == 1)
        #expect(container.property("made") == 1)
        try set("size", 2)
        await until { changes.all == [2] }
        await container.settled()
        #expect(built.count == 1)
        container.properties.declare(TypedKey("port", default: 1))
        #expect(throws: ConfigurationErrors.self) { try set("port", "x") }
    }

    @Test("A container with following services is released, and its parent's store does not keep its observer")
    func release() async throws {
        weak var released: Container?
        do {
            let child = Container(parent: container)
            child.register(Shared.self) { r in Shared(try r.property("size", default: 1)) }.inObjectScope(.container)
                .followsSettings()
            _ = try child.require(Shared.self)
            try set("size", 2)
            await child.settled()
            released = child
        }
        await until { released == nil }
        try set("size", 3)
    }
}

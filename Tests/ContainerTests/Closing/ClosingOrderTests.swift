import Container
import SharedState
import Testing

/// An instance closes after the closings of all that hold it have ended, also if another call closes them.
@Suite("The order of several closings", .hangLimit)
struct ClosingOrderTests {
    final class Db: Sendable {}
    final class Middle: Sendable {
        let db: Db
        init(_ db: Db) { self.db = db }
    }
    final class Repo: Sendable {
        let middle: Middle
        init(_ middle: Middle) { self.middle = middle }
    }

    let container = Container()
    let log = Log()
    /// The closing of the repo has begun, and may end.
    let began = Signal<Void>(), mayEnd = Signal<Void>()

    private func register(db: SharedScope, middle: SharedScope?, repo: SharedScope) {
        let (log, began, mayEnd) = (log, began, mayEnd)
        container.register(Db.self) { _ in Db() }.inObjectScope(db).onClose { _ in log.write("db") }
        let entry = container.register(Middle.self) { r in Middle(try r.require(Db.self)) }
        if let middle { entry.inObjectScope(middle) }
        container.register(Repo.self) { r in Repo(try r.require(Middle.self)) }.inObjectScope(repo).onClose { _ in
            began.send(())
            await mayEnd.value()
            log.write("repo")
        }
    }

    static let tenant = SharedScope("tenant"), pool = SharedScope("pool")

    @Test(
        "A reset of what others hold that are still closing waits for them",
        arguments: [nil, tenant, pool, .container])
    func resets(middle: SharedScope?) async throws {
        register(db: Self.pool, middle: middle, repo: Self.tenant)
        _ = try container.require(Repo.self)
        container.reset(Self.tenant)
        await began.value()
        container.reset(Self.pool)
        log.write("reset")
        mayEnd.send(())
        await container.closeSlowly()
        #expect(log.lines == ["reset", "repo", "db"])
    }

    @Test("A reset waits for what holds its instances through a service without hooks that was reset in between")
    func resetBetween() async throws {
        register(db: Self.pool, middle: .session, repo: Self.tenant)
        _ = try container.require(Repo.self)
        container.reset(Self.tenant)
        await began.value()
        container.reset(.session)
        container.reset(Self.pool)
        log.write("reset")
        mayEnd.send(())
        await container.closeSlowly()
        #expect(log.lines == ["reset", "repo", "db"])
    }

    @Test("close of a scope waits for another scope whose instances hold its own")
    func scopes() async throws {
        register(db: .session, middle: nil, repo: Self.tenant)
        _ = try container.require(Repo.self)
        async let tenant = container.close(Self.tenant, timeout: .seconds(600))
        await began.value()
        async let session = container.close(.session, timeout: .seconds(600))
        await Task.yield()
        mayEnd.send(())
        #expect(await (tenant + session).isEmpty)
        #expect(log.lines == ["repo", "db"])
        await container.closeSlowly()
    }

    @Test("An instance whose drain time is over waits for the closing of one that holds it")
    func drained() async throws {
        let (log, began, mayEnd, timers) = (log, began, mayEnd, Timers())
        container.setFollowingTimer { _, action in timers.add(action) }
        try container.properties.set("url", to: "a")
        container.register(Db.self) { r in
            _ = r.property("url") as String?
            return Db()
        }
        .inObjectScope(.container).followsSettings().onClose { _ in log.write("db") }
        container.register(Middle.self) { r in Middle(try r.require(Db.self)) }
            .inObjectScope(.container).followsSettings().onClose { _ in
                began.send(())
                await mayEnd.value()
                log.write("middle")
            }
        _ = try container.require(Middle.self)
        try container.properties.set("url", to: "b")
        await container.settled()
        // The drain times are over, in each order.
        for action in timers.take() { action() }
        await began.value()
        #expect(log.lines.isEmpty)
        mayEnd.send(())
        await container.closeSlowly()
        #expect(log.lines.prefix(2) == ["middle", "db"])
    }

    @Test("Two closings that each have what the other's instances hold do not wait for each other for ever")
    func crossed() async throws {
        final class Other: Sendable { init(_ db: Db) {} }
        final class Last: Sendable {}
        let (log, began, mayEnd) = (log, began, mayEnd)
        // The first scope has Repo and Last, the second has Other and Db: Repo holds Db, and Other holds Last.
        container.register(Db.self) { _ in Db() }.inObjectScope(Self.pool).onClose { _ in log.write("db") }
        container.register(Last.self) { _ in Last() }.inObjectScope(Self.tenant).onClose { _ in log.write("last") }
        container.register(Other.self) { r in
            _ = try r.require(Last.self)
            return Other(try r.require(Db.self))
        }
        .inObjectScope(Self.pool).onClose { _ in log.write("other") }
        container.register(Middle.self) { r in Middle(try r.require(Db.self)) }
            .inObjectScope(Self.tenant).onClose { _ in
                began.send(())
                await mayEnd.value()
                log.write("middle")
            }
        _ = try (container.require(Other.self), container.require(Middle.self))
        container.reset(Self.tenant)
        await began.value()
        container.reset(Self.pool)
        mayEnd.send(())
        await container.closeSlowly()
        #expect(Set(log.lines) == ["middle", "other", "db", "last"])
        let index = { name in log.lines.firstIndex(of: name) ?? -1 }
        #expect(index("middle") < index("db") && index("other") < index("last") && index("other") < index("db"))
    }

    @Test("What a hook closes does not wait for the hook")
    func nested() async throws {
        let (container, log) = (container, log)
        container.register(Db.self) { _ in Db() }.inObjectScope(Self.pool).onClose { _ in log.write("db") }
        container.register(Middle.self) { r in Middle(try r.require(Db.self)) }
            .inObjectScope(Self.tenant).onClose { _ in
                await container.close(Self.pool, timeout: .seconds(600))
                log.write("middle")
            }
        _ = try container.require(Middle.self)
        #expect(await container.close(Self.tenant, timeout: .seconds(600)).isEmpty)
        #expect(log.lines == ["db", "middle"])
        await container.closeSlowly()
    }

    @Test("At the deadline of close, an instance is closed although the closing of one that holds it hangs")
    func deadline() async throws {
        register(db: Self.pool, middle: nil, repo: Self.tenant)
        container.onFailure { _ in }
        _ = try container.require(Repo.self)
        container.reset(Self.tenant)
        await began.value()
        container.reset(Self.pool)
        let closed = Signal<Void>()
        container.register(Repo.self, name: "end") { _ in Repo(Middle(Db())) }.inObjectScope(.container)
            .onClose { _ in closed.send(()) }
        _ = try container.require(Repo.self, name: "end")
        #expect(!(await container.close(timeout: .milliseconds(50))).isEmpty)
        await closed.value()
        while log.lines.isEmpty { await Task.yield() }
        #expect(log.lines == ["db"])
        mayEnd.send(())
    }
}

private final class Timers: Sendable {
    private let all = Guarded<[@Sendable () -> Void]>([])
    func add(_ action: @escaping @Sendable () -> Void) { all.withLock { $0.append(action) } }
    func take() -> [@Sendable () -> Void] { all.withLock { $0 } }
}

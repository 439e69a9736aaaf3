import Container
import Testing

@Suite("Services that follow their settings", .hangLimit)
struct FollowingTests {
    let container = Container()
    let failures = Failures()
    let events = Results<String>()

    init() {
        failures.listen(to: container)
    }

    /// A pool of connections, which knows the host that it was opened for.
    final class Pool: Sendable {
        let host: String
        init(_ host: String) { self.host = host }
    }

    final class Repository: Sendable {
        let pool: Pool
        let table: String
        init(_ pool: Pool, _ table: String) { (self.pool, self.table) = (pool, table) }
    }

    func set(_ name: String, _ value: PropertyValue) throws { try container.properties.set(name, to: value) }

    func host() throws -> String { try container.require(Pool.self).host }

    /// Registers a pool that reads `host`, and counts its factory calls.
    @discardableResult
    func registerPool(draining: Duration = .zero) -> Counter {
        let (built, events) = (Counter(), events)
        container.register(Pool.self) { r in
            built.increment()
            return Pool(try r.require("host"))
        }
        .inObjectScope(.container).onClose { events.add("close \($0.host)") }.followsSettings(draining: draining)
        return built
    }

    func registerRepository() {
        let events = events
        container.register(Repository.self) { r in
            Repository(try r.require(Pool.self), try r.property("table", default: "none"))
        }
        .inObjectScope(.container).onClose { events.add("close \($0.pool.host) \($0.table)") }
        .followsSettings(draining: .zero)
    }

    @Test("A new instance replaces the one that has read a changed setting, and the former one is closed")
    func replace() async throws {
        let built = registerPool()
        let other = Counter()
        container.register(Shared.self) { r in
            Shared(other.increment() + (try r.property("other", default: 0)))
        }.inObjectScope(.container).followsSettings()
        try set("host", "a")
        #expect(built.count == 0)
        #expect(try host() == "a")
        _ = try container.require(Shared.self)
        try set("host", "b")
        await container.settled()
        #expect(try host() == "b")
        await until { events.all == ["close a"] }
        #expect((built.count, other.count) == (2, 1))
        try set("unread", 1)
        try set("host", "b")
        await container.settled()
        #expect((built.count, other.count) == (2, 1))
        await container.closeSlowly()
        #expect(events.all == ["close a", "close b"])
        #expect(failures.all.isEmpty)
    }

    struct DatabaseSettings: Settings {
        @Setting var host = "localhost"
        var pool = PoolSettings()
    }

    struct PoolSettings: Settings {
        @Setting var size = 5
    }

    struct Bound: Decodable {
        var host: String?
    }

    static let key = TypedKey("db.port", default: 5432)

    static let waysToRead: [@Sendable (Resolver) throws -> Void] = [
        { r in _ = r.property("db.host") as String? },
        { r in _ = try r.property("db.host", default: "x") },
        { r in _ = r.property("db") as [String: Any]? },
        { r in _ = try r.properties.snapshot.property("db.host", default: "x") },
        { r in _ = try? r.bind(Bound.self, at: "db") },
        { r in _ = try r.settings(DatabaseSettings.self) },
        { r in _ = try r.require(Cat.self) },
    ]

    @Test("Every way to read a setting is followed, also one that no source has", arguments: waysToRead.indices)
    func reads(_ index: Int) async throws {
        let built = Counter()
        container.declare(DatabaseSettings.self, at: "db")
        try set("db.other", 1)
        container.register(Cat.self) { r in Cat(name: try r.property("db.host", default: "Mimi")) }
        container.register(Shared.self) { r in
            try Self.waysToRead[index](r)
            return Shared(built.increment())
        }.inObjectScope(.container).followsSettings()
        #expect(try container.require(Shared.self).number == 1)
        for (count, host) in ["a", "b"].enumerated() {
            try set("db.host", .string(host))
            await container.settled()
            #expect(try container.require(Shared.self).number == count + 2)
        }
        try container.properties.unset("db.host")
        await container.settled()
        #expect(try container.require(Shared.self).number == 4)
    }

    @Test("The settings in the tables of a settings type are followed, and those beside it are not")
    func settings() async throws {
        let built = Counter()
        container.declare(DatabaseSettings.self, at: "db")
        container.register(Shared.self) { r in
            built.increment()
            return Shared(try r.settings(DatabaseSettings.self).pool.size + (try r.require(Self.key)))
        }.inObjectScope(.container).followsSettings()
        #expect(try container.require(Shared.self).number == 5437)
        try set("db.pool.size", 6)
        await container.settled()
        try set("db.port", 1)
        await container.settled()
        #expect(try container.require(Shared.self).number == 7)
        try set("db.beside", 1)
        await container.settled()
        #expect(built.count == 3)
    }

    @Test("A burst of changes ends with an instance for the last one, also if the first replacement is in progress")
    func burst() async throws {
        let (built, gate, events) = (Counter(), Gate(), events)
        container.register(Pool.self) { (r: AsyncResolver) async throws in
            let host: String = try r.require("host")
            if built.increment() == 2 { await gate.pass() }
            return Pool(host)
        }.inObjectScope(.container).onClose { events.add($0.host) }.followsSettings()
        try set("host", "0")
        _ = try await container.require(async: Pool.self)
        try set("host", "1")
        await until { gate.waiting == 1 }
        for number in 2...9 { try set("host", .string("\(number)")) }
        await container.settled()
        #expect(try host() == "9")
        gate.open()
        await until { events.all.contains("1") }
        #expect(try host() == "9")
        await container.closeSlowly()
        #expect(events.all.count == built.count)
    }

    @Test("If a new instance cannot be built, the former one stays, and the next change tries again")
    func failure() async throws {
        let events = events
        container.register(Pool.self) { r in
            let host: String = try r.require("host")
            if host.hasPrefix("bad") { throw Failure("no route") }
            return Pool(host)
        }
        .inObjectScope(.container).onClose { events.add("close \($0.host)") }
        .followsSettings(draining: .zero, retrying: nil)
        try set("host", "a")
        await container.settled()
        #expect(try host() == "a")
        for bad in ["bad1", "bad2"] {
            try set("host", .string(bad))
            await container.settled()
            #expect(try host() == "a")
            #expect(container.outdatedServices.map(\.service) == ["Pool"])
        }
        #expect(failures.all.map(\.reason) == [.replacementFailed, .replacementFailed])
        let text = failures.all.first?.description ?? ""
        #expect(
            text.hasPrefix(
                "Pool: the former instance stays, because a new one could not be built: Pool: the factory of Pool threw: "
                    + "no route. Changed: host: \"a\" (set at ContainerTests/FollowingTests.swift:")
                && text.contains(") → \"bad1\" (set at ContainerTests/FollowingTests.swift:"),
            "\(text)")
        // What the factory has not read cannot help it.
        try set("other", 1)
        await container.settled()
        #expect(failures.all.count == 2)
        try set("host", "a")
        await container.settled()
        #expect(container.outdatedServices.isEmpty)
        try set("host", "b")
        await container.settled()
        #expect(try host() == "b")
        await container.closeSlowly()
        #expect(events.all == ["close a", "close b"])
    }

    @Test("A service that holds a replaced one is replaced after it, and is closed before it")
    func together() async throws {
        registerPool()
        registerRepository()
        try set("host", "a")
        _ = try container.require(Repository.self)
        try set("host", "b")
        await container.settled()
        let repository = try container.require(Repository.self)
        #expect(repository.pool.host == "b")
        #expect(repository.pool === (try container.require(Pool.self)))
        await until { events.all.count == 2 }
        try set("table", "users")
        await container.settled()
        #expect(try container.require(Repository.self).table == "users")
        #expect(try container.require(Repository.self).pool === repository.pool)
        await until { events.all.count == 3 }
        await container.closeSlowly()
        #expect(events.all == ["close a none", "close a", "close b none", "close b users", "close b"])
    }

    @Test("A Provider of a following service gives the current instance, also while its holder is built")
    func provider() async throws {
        struct Page: Sendable {
            let pool: Provider<Pool>
            let first: String
        }
        registerPool()
        container.register(Page.self) { r in
            let pool = try r.require(Provider<Pool>.self)
            return Page(pool: pool, first: try pool.get().host)
        }.inObjectScope(.container)
        try set("host", "a")
        let page = try container.require(Page.self)
        try set("host", "b")
        await container.settled()
        #expect(try page.pool.get().host == "b")
        #expect(page.first == "a")
    }

    @Test("A replaced instance is open until its drain time ends, or until the container closes")
    func drain() async throws {
        registerPool(draining: .seconds(1_000_000))
        for host in ["a", "b", "c"] {
            try set("host", .string(host))
            await container.settled()
            #expect(try self.host() == host)
        }
        #expect(events.all.isEmpty)
        await container.closeSlowly()
        #expect(events.all.sorted() == ["close a", "close b", "close c"])
    }

    @Test("onReplace gets the changes with their origins, and secrets are masked")
    func onReplace() async throws {
        let events = events
        container.properties.declareSecret("password")
        container.register(Pool.self) { r in
            Pool("\(try r.property("host", default: "x")) \(try r.property("password", default: ""))")
        }.inObjectScope(.container).followsSettings().onReplace { changes in
            for change in changes { events.add("\(change)") }
        }
        try container.properties.set(["password": "old"], fileID: "e", line: 2)
        _ = try host()
        try container.properties.set(["password": "new", "host": "a", "other": 1], fileID: "f", line: 1)
        await container.settled()
        #expect(
            events.all == [
                "host: none → \"a\" (set at f:1)", "password: ******** (set at e:2) → ******** (set at f:1)",
            ])
    }

    @Test("A child gets the current instance of its parent, and its own follow changes of the parent's properties")
    func children() async throws {
        registerPool()
        let child = Container(parent: container)
        child.register(Shared.self) { r in Shared(try r.property("size", default: 1)) }.inObjectScope(.container)
            .followsSettings()
        try set("host", "a")
        #expect(try child.require(Pool.self).host == "a")
        #expect(try child.require(Shared.self).number == 1)
        try set("host", "b")
        try set("size", 2)
        await child.settled()
        #expect(try child.require(Pool.self).host == "b")
        #expect(try child.require(Shared.self).number == 2)
        try child.properties.set("host", to: "c")
        await container.settled()
        #expect(try child.require(Pool.self).host == "b")
        #expect(await container.close().isEmpty)
    }

    @Test("A service is replaced under all types that it implements")
    func views() async throws {
        container.register(Shared.self) { r in Shared(try r.property("size", default: 1)) }.inObjectScope(.container)
            .implements((any Sendable).self).followsSettings()
        #expect((try container.require((any Sendable).self) as? Shared)?.number == 1)
        try set("size", 2)
        await container.settled()
        #expect((try container.require((any Sendable).self) as? Shared)?.number == 2)
    }

    @Test("start and verify report a shared service that keeps a following one")
    func problems() async throws {
        container.register(Pool.self) { _ in Pool("a") }.inObjectScope(.container).followsSettings()
        container.register(Cat.self) { r in Cat(name: try r.require(Pool.self).host) }
        container.register(Repository.self) { r in
            _ = try r.require(Cat.self)
            return Repository(try r.require(Pool.self), "")
        }.inObjectScope(.container)
        container.register(Shared.self, needs: Provider<Pool>.self) { Shared() }.inObjectScope(.container)
        container.register(Shared.self, name: "request", needs: Pool.self) { Shared() }.inObjectScope(.child)
        let message =
            "Repository → Cat → Pool: Repository keeps Pool, which is replaced when its settings change. "
            + "Take a Provider<Pool>, or let Repository follow its settings, too: followsSettings()"
        let verified = await #expect(throws: ConfigurationErrors.self) { try await container.verify() }
        #expect(verified?.services.map(\.description) == [message])
        let started = await #expect(throws: ConfigurationErrors.self) { try await container.start() }
        #expect(started?.services.map(\.description) == [message])
    }

    @Test("Only a service in .container without runtime arguments can follow its settings")
    func otherScopes() async {
        await #expect(processExitsWith: .failure) {
            Container().register(Shared.self) { _ in Shared() }.inObjectScope(.session).followsSettings()
        }
        await #expect(processExitsWith: .failure) {
            Container().register(Shared.self) { _, number in Shared(number) }.inObjectScope(.container)
                .followsSettings()
        }
    }
}

import Container
import SharedState
import TestSupport
import Testing

@Suite("Starting a container", .hangLimit)
struct StartTests {
    @Test("start() builds the services in .container concurrently, in the container and its parents, and keeps them")
    func concurrent() async throws {
        let (parent, gate, others) = (Container(), Gate(), Counter())
        let container = Container(parent: parent)
        parent.register(Database.self) { _ in
            await gate.pass()
            return Database(1)
        }.inObjectScope(.container)
        container.register(Shared.self) { _ in
            await gate.pass()
            return Shared(2)
        }.inObjectScope(.container)
        container.register(Api.self) { r in
            others.increment()
            return Api(try await r.require(Database.self))
        }.inObjectScope(.container).onDemand()
        container.register(Cat.self) { _ in
            others.increment()
            return Cat()
        }
        container.register(Shared.self, name: "session") { _ in
            others.increment()
            return Shared()
        }.inObjectScope(.session)
        let task = Task { try await container.start() }
        await until { gate.waiting == 2 }
        gate.open()
        try await task.value
        #expect(container.resolve(Database.self)?.number == 1)
        #expect(container.resolve(Shared.self)?.number == 2)
        #expect(others.count == 0)
        await container.close()
    }

    @Test("Services that need each other synchronously and asynchronously are all built by start()")
    func mixed() async throws {
        let (container, calls) = (Container(), Counter())
        container.register(Shared.self) { r in Shared(try r.require(Database.self).number) }.inObjectScope(.container)
        container.register(Api.self, name: "server") { r async throws in
            _ = try await r.require(Shared.self)
            return Api(try await r.require(Database.self))
        }.inObjectScope(.container)
        container.register(Database.self) { _ in
            calls.increment()
            await Task.yield()
            return Database(7)
        }.inObjectScope(.container)
        try await container.start()
        #expect(container.resolve(Shared.self)?.number == 7)
        #expect(container.resolve(Api.self, name: "server") != nil)
        #expect(calls.count == 1)
    }

    @Test("If a service fails, closing what was built has the time that the caller gave")
    func closeTimeout() async {
        let (container, gate, errors) = (Container(), Gate(), Guarded<[String]>([]))
        container.onFailure { error in errors.withLock { $0.append("\(error)") } }
        container.register(Database.self) { _ in Database(1) }.inObjectScope(.container)
            .onClose { _ async in await gate.pass() }
        container.register(Api.self) { r in
            _ = try r.require(Database.self)
            throw Failure("no route")
        }.inObjectScope(.container)
        await #expect(throws: ConfigurationErrors.self) { try await container.start([Fixed()], closeTimeout: .zero) }
        let texts = errors.withLock { $0 }
        let expected = "Database: the closing of Database did not end within 0.0 seconds"
        #expect(texts.first?.hasPrefix(expected) == true, "\(texts)")
        gate.open()
    }

    private struct Fixed: PropertyLoader {
        func load() -> PropertyLayer { ["number": 1] }
    }

    @Test("start() takes sources that must be awaited; if one cannot be loaded, nothing is applied or built")
    func awaited() async throws {
        let remote = Remote("etcd", ["number": 2]), away = Remote()
        away.setAway(true)
        for isAway in [false, true] {
            let (container, calls) = (Container(), Counter())
            container.register(Shared.self) { r in
                calls.increment()
                return Shared(try r.require("number"))
            }.inObjectScope(.container)
            do throws(ConfigurationErrors) {
                try await container.start([Fixed(), remote] + (isAway ? [away] : []))
                #expect(container.resolve(Shared.self)?.number == 2)
            } catch {
                #expect(isAway && error.description.hasPrefix("Remote: connection refused"))
                #expect(container.property("number") as Int? == nil)
            }
            #expect(calls.count == (isAway ? 0 : 1))
            await container.close()
        }
    }

    @Test("start() reports a failure also if another service had to be resolved again")
    func failureBesideRepeated() async throws {
        let (container, tried) = (Container(), Counter())
        container.register(Api.self) { r in
            _ = try await r.require(Shared.self)
            return Api(Database(1))
        }.inObjectScope(.container)
        container.register(Shared.self) { r in
            tried.increment()
            return Shared(try r.require(Database.self).number)
        }.inObjectScope(.container)
        container.register(Database.self) { _ in
            await until { tried.count > 0 }
            return Database(1)
        }.inObjectScope(.container)
        container.register(Database.self, name: "broken") { _ async throws in throw Failure("no route") }
            .inObjectScope(.container)
        let error = await #expect(throws: ConfigurationErrors.self) { try await container.start() }
        #expect(error?.services.map(\.path) == [["Database \"broken\""]])
    }

    @Test("start() reports all failures at once, closes what could be built, and leaves the container closed")
    func failures() async throws {
        let (container, closed) = (Container(), Results<Int>())
        container.register(Database.self) { _ async throws -> Database in throw Failure("no route") }
            .inObjectScope(.container)
        container.register(Api.self) { r in Api(try await r.require(Database.self)) }.inObjectScope(.container)
        container.register(Shared.self) { _ in Shared(1) }.inObjectScope(.container).onClose { closed.add($0.number) }
        container.register(Shared.self, name: "none") { _ in throw Failure("no cat") }.inObjectScope(.container)
        container.register(Cat.self) { _ in throw Failure("not built") }
        do {
            try await container.start()
            Issue.record("started")
        } catch {
            #expect(
                error.description == """
                    The configuration has 2 problems:
                      Database       the factory of Database threw: no route
                      Shared "none"  the factory of Shared "none" threw: no cat
                    """)
            #expect(error.exitStatus == 69)
        }
        #expect(closed.all == [1])
        #expect(failure { _ = try container.require(Shared.self) }?.reason == .closed)
    }

    @Test("A closed container does not start, and is not verified")
    func afterClose() async {
        let container = Container()
        container.register(Shared.self) { _ in Shared() }.inObjectScope(.container)
        await container.close()
        let start = await #expect(throws: ConfigurationErrors.self) { try await container.start() }
        #expect(start?.services.map(\.reason) == [.closed])
        let verify = await #expect(throws: ConfigurationErrors.self) { try await container.verify() }
        #expect(verify?.services.map(\.reason) == [.closed])
    }

    @Test("No service is built if a declared key is missing, and the properties do not change")
    func declaredKey() async throws {
        let (container, calls) = (Container(), Counter())
        container.properties.declare(TypedKey<Int>("port"))
        container.register(Shared.self) { _ in Shared(calls.increment()) }.inObjectScope(.container)
        let error = await #expect(throws: ConfigurationErrors.self) { try await container.start() }
        #expect(error?.exitStatus == 78)
        #expect(calls.count == 0)
    }

    @Test("verify() builds asynchronous services and completions, too, and closes what start() would not keep")
    func verify() async throws {
        let (container, built, closed) = (Container(), Counter(), Counter())
        container.register(Database.self) { _ in
            built.increment()
            return try await .open()
        }.inObjectScope(.container).onClose { _ async in closed.increment() }
        container.register(Shared.self) { _ in Shared(built.increment()) }
            .initCompleted { _, _ async in }.inObjectScope(.session).onClose { _ in closed.increment() }
        container.register(Api.self) { r in Api(try r.require(Database.self)) }.inObjectScope(.child)
            .onClose { _ in closed.increment() }
        try await container.verify()
        #expect((built.count, closed.count) == (2, 2))
        try await container.verify()
        #expect((built.count, closed.count) == (3, 4))
        #expect(await container.close().isEmpty)
        #expect(closed.count == 5)
    }

    @Test("start() reports a shared service that takes one of a shorter life, but not one that keeps a Provider of it")
    func shorterLife() async {
        let container = Container()
        container.register(Shared.self) { _ in Shared() }.inObjectScope(.session)
        container.register(Database.self) { r in Database(try r.require(Shared.self).number) }
            .inObjectScope(.container)
        container.register(Database.self, name: "later") { r in
            _ = try r.require(Provider<Shared>.self)
            return Database()
        }.inObjectScope(.container)
        container.register(Database.self, name: "read") { r in
            Database(try r.require(Provider<Shared>.self).get().number)
        }.inObjectScope(.container)
        container.register(Database.self, name: "captured") { [unowned container] _ in
            Database(try container.require(Shared.self).number)
        }.inObjectScope(.container)
        let error = await #expect(throws: ConfigurationErrors.self) { try await container.start() }
        #expect(
            error?.services.map(\.description)
                == [#" "read""#, ""].map {
                    "Database\($0) → Shared: Database\($0) keeps Shared, whose scope session has a shorter life. Take it as a Provider, or give both the same scope"
                })
    }

    private final class Visit: Sendable { let number = 1 }

    /// Registers a service that each request has, and shared services that take it in several ways.
    ///
    /// - Returns: the names of those that keep an instance.
    private func registerKeepers(of owner: Container, in container: Container) -> [String] {
        owner.register(Visit.self) { _ in Visit() }.inObjectScope(.child)
        container.register(Int.self) { r in try r.require(Visit.self) === r.require(Visit.self) ? 1 : 2 }
        container.register(String.self) { r in "\(try r.require(Int.self))" }.inObjectScope(.transient)
        container.register(Database.self) { r in Database(try r.require(Visit.self).number) }
            .inObjectScope(.container)
        container.register(Database.self, name: "unshared") { r in Database(try r.require(String.self).count) }
            .inObjectScope(.container)
        container.register(Database.self, name: "optional") { r in Database(try r.require(Visit?.self) == nil ? 1 : 2) }
            .inObjectScope(.container)
        container.register(Database.self, name: "completed") { _ in Database() }.inObjectScope(.container)
            .initCompleted { r, _ in _ = try r.require(Visit.self) }
        container.register(Database.self, name: "async") { r async throws in
            Database(try await r.require(Visit.self).number)
        }.inObjectScope(.container)
        container.register(Database.self, name: "later") { r in
            _ = try (r.require(Lazy<Visit>.self), r.require(Provider<Visit>.self))
            return Database()
        }.inObjectScope(.container)
        container.register(Api.self) { r in Api(try r.require(Database.self, name: "later")) }.inObjectScope(.child)
        container.register(Api.self, name: "visit") { r in
            _ = try r.require(Visit.self)
            return Api(try r.require(Database.self, name: "later"))
        }.inObjectScope(.child)
        return [#" "async""#, #" "completed""#, #" "optional""#, #" "unshared""#, ""].map { "Database\($0) → Visit" }
    }

    @Test(
        "A service that takes what each child has of its own is of a longer life",
        arguments: [false, true], [false, true])
    func keepsChild(isVerified: Bool, isAbove: Bool) async {
        let parent = Container()
        parent.onFailure { _ in }  // The warning about the Provider.
        let container = isAbove ? Container(parent: parent) : parent
        let keepers = registerKeepers(of: parent, in: container)
        // The registrations of a parent count in a child, too.
        let started = isAbove ? container : Container(parent: container)
        let error = await #expect(throws: ConfigurationErrors.self) {
            if isVerified { try await started.verify() } else { try await started.start() }
        }
        let problems = error?.services.filter { $0.reason == .shorterLife } ?? []
        #expect(problems.count == error?.services.count)
        #expect(problems.map { $0.path.joined(separator: " → ") } == keepers)
        #expect(
            problems.last?.description
                == "Database → Visit: Database keeps Visit, whose scope child has a shorter life. Give Database the scope .child, or pass Visit to its methods"
        )
    }

    /// How a shared service takes what each child has for itself.
    enum Taking: CaseIterable {
        case provider, lazy, optional, unshared, session, weak, asynchronous, forward, given
    }

    @Test(
        "A Provider or a Lazy of what each child has for itself is a warning of start() and verify()",
        arguments: Taking.allCases, [false, true])
    func sharedByChildren(taking: Taking, isVerified: Bool) async throws {
        let container = Container(), failures = Failures()
        failures.listen(to: container)
        if taking == .given {
            container.givenByChild(Visit.self)
        } else {
            container.register(Visit.self) { _ in Visit() }.inObjectScope(.child).implements((any Sendable).self)
        }
        container.register(Int.self) { r in try r.require(Provider<Visit>.self).get().number }.onDemand()
        container.register(Api.self) { r in
            _ = try r.require(Provider<Visit>.self)
            return Api(Database())
        }.inObjectScope(.child).onDemand()
        container.register(String.self) { r in "\(try r.require(Provider<Visit>.self))" }.onDemand()
        let scope: SharedScope = taking == .session ? .session : taking == .weak ? .weak : .container
        if taking == .asynchronous {
            container.register(Database.self) { r async throws in
                _ = try await r.require(Lazy<Visit>.self)
                return Database()
            }.inObjectScope(scope)
        } else {
            container.register(Database.self) { r in
                switch taking {
                case .lazy: _ = try r.require(Lazy<Visit>.self)
                case .optional: _ = try r.require(Provider<Visit?>.self)
                case .unshared: _ = try r.require(String.self)
                case .forward: _ = try r.require(Provider<any Sendable>.self)
                default: _ = try r.require(Provider<Visit>.self)
                }
                return Database()
            }.inObjectScope(scope)
        }
        let kept = try? container.require(Database.self)
        if isVerified { try await container.verify() } else { try await container.start() }
        withExtendedLifetime(kept) {}
        #expect(
            failures.all.map(\.description) == [
                "Database → Visit: Database has a Provider or a Lazy of Visit, which resolves Visit from the container of "
                    + "Database, and never from a child. Give Database the scope .child, or pass Visit to its methods"
            ])
        #expect(failures.all.map(\.reason) == [.sharedByChildren])
        await container.close()
    }

    @Test("A service that follows the remedy of a warning gets the service of each child, without a warning")
    func remedy() async throws {
        let container = Container(), failures = Failures()
        failures.listen(to: container)
        container.register(Visit.self) { _ in Visit() }.inObjectScope(.child)
        container.register(Lazy<Visit>.self, name: "kept") { r in try r.require(Lazy<Visit>.self) }
            .inObjectScope(.child)
        try await container.start()
        try await container.verify()
        #expect(failures.all.isEmpty)
        let children = [Container(parent: container), Container(parent: container)]
        let visits = try children.map { try $0.require(Lazy<Visit>.self, name: "kept").get() }
        #expect(visits[0] !== visits[1])
        await container.close()
    }

    @Test("After a start that has failed, each call says so, and says to start a new container")
    func afterFailedStart() async throws {
        let container = Container(), child = Container(parent: container)
        container.register(Database.self) { _ throws in throw Failure("no route") }.inObjectScope(.container)
        container.register(Shared.self) { _ in Shared() }
        await #expect(throws: ConfigurationErrors.self) { try await container.start() }
        let text =
            "is closed, because its start has failed. Correct what the start has reported, and start a new container"
        let start = await #expect(throws: ConfigurationErrors.self) { try await container.start() }
        #expect(start?.description.hasSuffix(text) == true)
        let verify = await #expect(throws: ConfigurationErrors.self) { try await container.verify() }
        #expect(verify?.description.hasSuffix(text) == true)
        for again in [container, child] {
            let error = failure { _ = try again.require(Shared.self) }
            #expect(error?.description == "Shared: the container of Shared \(text)")
            #expect(error?.reason == .closed)
            #expect(await failure(async: Database.self, in: again)?.description.hasSuffix(text) == true)
        }
    }

    @Test("A start of a container that was closed says to resolve before close()")
    func afterCloseWithoutStart() async {
        let container = Container()
        await container.close()
        let error = await #expect(throws: ConfigurationErrors.self) { try await container.start() }
        #expect(error?.description.hasSuffix("is closed. Resolve what you need before close()") == true)
    }

    @Test(
        "A Lazy or a Provider at the moment of close() is there, or the container is closed", arguments: [false, true])
    func deferredAtClose(isProvider: Bool) async {
        for _ in 0..<500 {
            let container = Container(), began = Counter()
            container.register(Shared.self) { _ in Shared() }.inObjectScope(.container)
            let take = Running { () -> ResolutionError.Reason? in
                while true {
                    let error = failure {
                        if isProvider {
                            _ = try container.require(Provider<Shared>.self)
                        } else {
                            _ = try container.require(Lazy<Shared>.self)
                        }
                    }
                    if let error { return error.reason }
                    began.increment()
                }
            }
            await until { began.count > 0 }
            await container.close()
            #expect(await offPool { take.result() } == .some(.closed))
        }
    }
}

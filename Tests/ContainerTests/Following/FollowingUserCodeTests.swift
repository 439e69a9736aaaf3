import Container
import Dispatch
import Foundation
import Testing

@Suite("Following services whose code blocks, and what they take", .hangLimit)
struct FollowingUserCodeTests {
    typealias Pool = FollowingTests.Pool
    typealias Repository = FollowingTests.Repository
    let container = Container()

    func set(_ name: String, _ value: PropertyValue) throws { try container.properties.set(name, to: value) }

    @Test("A service that hangs while it is built again stops no other, is outdated, and is built by the next change")
    func hanging() async throws {
        let gate = Gate()
        container.onFailure { _ in }
        container.register(Shared.self, name: "slow") { (r: AsyncResolver) async throws in
            let value: Int = try r.require("slow")
            if value == 2 {
                await withTaskCancellationHandler(operation: gate.pass, onCancel: gate.open)
                try Task.checkCancellation()
            }
            return Shared(value)
        }.inObjectScope(.container).followsSettings(draining: .zero)
        container.register(Shared.self, name: "quick") { r in Shared(try r.require("quick")) }
            .inObjectScope(.container).followsSettings(draining: .zero)
        try set("slow", 1)
        try set("quick", 1)
        _ = try await container.require(async: Shared.self, name: "slow")
        _ = try container.require(Shared.self, name: "quick")
        try set("slow", 2)
        await until { gate.waiting == 1 }
        #expect(container.outdatedServices.map(\.service) == ["Shared \"slow\""])
        try set("quick", 2)
        #expect(await holds { container.resolve(Shared.self, name: "quick")?.number == 2 })
        try set("slow", 3)
        #expect(await holds { container.resolve(Shared.self, name: "slow")?.number == 3 })
        #expect(await holds { container.outdatedServices.isEmpty })
        gate.open()
        await container.closeSlowly()
    }

    @Test("A closure of onReplace that blocks delays no other group")
    func blockingClosure() async throws {
        let (begun, go) = (Counter(), DispatchSemaphore(value: 0))
        for name in ["first", "second"] {
            let entry = container.register(Shared.self, name: name) { r in Shared(try r.require(name)) }
                .inObjectScope(.container).followsSettings(draining: .zero)
            try set(name == "first" ? "first" : "second", 1)
            if name == "second" { continue }
            entry.onReplace { _ in
                begun.increment()
                go.wait()
            }
        }
        for name in ["first", "second"] { _ = try container.require(Shared.self, name: name) }
        try set("first", 2)
        await until { begun.count == 1 }
        try set("second", 2)
        #expect(await holds { container.resolve(Shared.self, name: "second")?.number == 2 })
        go.signal()
        await container.closeSlowly()
    }

    /// How a factory takes the pool.
    static let ways: [@Sendable (Resolver) throws -> Pool] = [
        { r in try r.require(Pool.self) },
        { r in try r.require(Provider<Pool>.self).get() },
        { r in try r.require(Lazy<Pool>.self).get() },
    ]

    private func register(_ way: Int) -> RegistrationEntry<Repository> {
        let take = Self.ways[way]
        container.register(Pool.self) { r in Pool(try r.require("host")) }
            .inObjectScope(.container).followsSettings(draining: .zero)
        return container.register(Repository.self) { r in Repository(try take(r), "") }
            .inObjectScope(.container)
    }

    @Test(
        "A follower is replaced after what its factory has taken, also by a Provider or a Lazy", arguments: ways.indices
    )
    func taken(_ way: Int) async throws {
        register(way).followsSettings(draining: .zero)
        try set("host", "a")
        #expect(try container.require(Repository.self).pool.host == "a")
        try set("host", "b")
        #expect(await holds { container.resolve(Repository.self)?.pool.host == "b" })
        await container.closeSlowly()
    }

    @Test(
        "A follower is replaced after what its asynchronous factory, or a completion, has taken by a Provider or a Lazy",
        arguments: [false, true], [0, 1, 2])
    func takenLater(_ isLazy: Bool, _ place: Int) async throws {
        final class Holder: Sendable {
            let pool = Results<Pool>()
        }
        @Sendable func get(_ r: Resolver) throws -> @Sendable () throws -> Pool {
            if isLazy {
                let later = try r.require(Lazy<Pool>.self)
                return { try later.get() }
            }
            let later = try r.require(Provider<Pool>.self)
            return { try later.get() }
        }
        container.register(Pool.self) { r in Pool(try r.require("host")) }
            .inObjectScope(.container).followsSettings(draining: .zero)
        // An unshared service between both.
        container.register(String.self) { r in try get(r)().host }
        if place == 2 {
            container.register(Holder.self) { _ in Holder() }.initCompleted { r, holder in holder.pool.add(try get(r)())
            }
            .inObjectScope(.container).followsSettings(draining: .zero)
        } else {
            container.register(Holder.self) { r async throws in
                let holder = Holder()
                if place == 1 {
                    let text: String
                    if isLazy {
                        let later = try await r.require(Lazy<String>.self)
                        await Task.yield()
                        text = try later.get()
                    } else {
                        let later = try await r.require(Provider<String>.self)
                        await Task.yield()
                        text = try later.get()
                    }
                    holder.pool.add(Pool(text))
                } else if isLazy {
                    let later = try await r.require(Lazy<Pool>.self)
                    await Task.yield()
                    holder.pool.add(try later.get())
                } else {
                    let later = try await r.require(Provider<Pool>.self)
                    await Task.yield()
                    holder.pool.add(try later.get())
                }
                return holder
            }.inObjectScope(.container).followsSettings(draining: .zero)
        }
        try set("host", "a")
        #expect(try await container.require(async: Holder.self).pool.all.map(\.host) == ["a"])
        try set("host", "b")
        #expect(await holds { container.resolve(Holder.self)?.pool.all.map(\.host) == ["b"] })
        await container.closeSlowly()
    }

    @Test("A shared service that takes a following one by its resolver or a Lazy is an error", arguments: [0, 2])
    func reported(_ way: Int) async throws {
        _ = register(way)
        try set("host", "a")
        do throws(ConfigurationErrors) {
            try await container.start()
            Issue.record("it starts")
        } catch {
            #expect(error.services.map(\.reason) == [.outdatedDependency])
        }
    }

    @Test("The error of a service that takes a following one has the path, at a resolve, a start and a verify")
    func outdatedDependency() async throws {
        container.register(Pool.self) { r in Pool(try r.require("host")) }
            .inObjectScope(.container).followsSettings().implements((any Sendable).self)
        container.register(String.self) { r in try r.require(Pool.self).host }
        container.register(Repository.self) { r in
            _ = try r.require(String.self)
            return Repository(Pool(""), "")
        }.inObjectScope(.container)
        container.register(Repository.self, name: "view") { r in
            _ = try r.require((any Sendable).self)
            return Repository(Pool(""), "")
        }.inObjectScope(.session)
        container.register(Repository.self, name: "visit") { r in Repository(try r.require(Pool.self), "") }
            .inObjectScope(.child)
        container.register(Repository.self, name: "provided") { r in
            Repository(try r.require(Provider<Pool>.self).get(), "")
        }.inObjectScope(.container)
        try set("host", "a")
        for _ in 0..<2 {
            let error = failure { _ = try container.require(Repository.self) }
            #expect(
                error?.description.replacingOccurrences(of: "FollowingTests.", with: "")
                    == "Repository → String → Pool: Repository keeps Pool, which is replaced when its settings change. "
                    + "Take a Provider<Pool>, or let Repository follow its settings, too: followsSettings()")
            // The pool exists now.
            _ = try container.require(Pool.self)
        }
        #expect(failure { _ = try container.require(Repository.self, name: "view") }?.reason == .outdatedDependency)
        #expect(try container.require(Repository.self, name: "provided").pool.host == "a")
        let child = Container(parent: container)
        #expect(try child.require(Repository.self, name: "visit").pool.host == "a")
        let problems = await serviceProblems(of: container).map { ($0.reason, $0.path.first) }
        #expect(problems.map(\.0) == [.outdatedDependency, .outdatedDependency])
        #expect(problems.compactMap(\.1).sorted() == ["Repository", #"Repository "view""#])
        await container.closeSlowly()
    }

    @Test("A replaced instance that another one holds is closed only when that is replaced, too")
    func heldInstance() async throws {
        let (events, isFailing) = (Results<String>(), Counter())
        container.register(Pool.self) { r in Pool(try r.require("host")) }
            .inObjectScope(.container).onClose { events.add("close \($0.host)") }.followsSettings(draining: .zero)
        container.register(Repository.self) { r in
            if isFailing.count == 1 { throw Failure("no route") }
            return Repository(try r.require(Pool.self), r.property("table") ?? "")
        }.inObjectScope(.container).onClose { events.add("close \($0.pool.host) \($0.table)") }
            .followsSettings(draining: .zero, retrying: nil)
        container.onFailure { _ in }
        try set("host", "a")
        _ = try container.require(Repository.self)
        isFailing.increment()
        try set("host", "b")
        await container.settled()
        #expect(try container.require(Pool.self).host == "b")
        #expect(try container.require(Repository.self).pool.host == "a")
        let repository = container.registrations.map(\.service).first { $0.contains("Repository") }
        #expect(container.outdatedServices.map(\.service) == [repository ?? ""])
        #expect(events.all.isEmpty)
        isFailing.increment()
        try set("table", "users")
        await container.settled()
        await until { events.all.count == 2 }
        #expect(try container.require(Repository.self).pool === container.require(Pool.self))
        #expect(events.all == ["close a ", "close a"])
        await container.closeSlowly()
        #expect(events.all == ["close a ", "close a", "close b users", "close b"])
    }

    @Test("Two following services that take each other are reported by start, and each is replaced once")
    func followingCircle() async throws {
        let built = Counter()
        container.register(Pool.self) { r in Pool(try r.require("host")) }
            .inObjectScope(.container).initCompleted { r, _ in _ = try r.require(Repository.self) }
            .followsSettings(draining: .zero)
        container.register(Repository.self) { r in
            built.increment()
            return Repository(try r.require(Pool.self), "")
        }.inObjectScope(.container).followsSettings(draining: .zero)
        try set("host", "a")
        _ = try container.require(Repository.self)
        try set("host", "b")
        await container.settled()
        #expect(try container.require(Pool.self).host == "b")
        #expect(try container.require(Repository.self).pool.host == "a")
        #expect(built.count == 1)
        let problems = await serviceProblems(of: container).map(\.reason)
        #expect(problems == [.outdatedDependency, .outdatedDependency])
        await container.closeSlowly()
    }

    @Test("A deinit of a replaced instance that blocks stops no deadline of the process")
    func blockingDeinit() async throws {
        final class Blocking: Sendable {
            let (begun, go): (Counter, DispatchSemaphore)
            init(_ begun: Counter, _ go: DispatchSemaphore) { (self.begun, self.go) = (begun, go) }
            deinit {
                if begun.increment() == 1 { go.wait() }
            }
        }
        let (begun, go, gate, ended) = (Counter(), DispatchSemaphore(value: 0), Gate(), Counter())
        container.register(Blocking.self) { r in
            _ = r.property("host") as String?
            return Blocking(begun, go)
        }.inObjectScope(.container).followsSettings(draining: .milliseconds(1))
        try set("host", "a")
        _ = try container.require(Blocking.self)
        try set("host", "b")
        #expect(await holds { begun.count == 1 })
        let other = Container()
        other.onFailure { _ in }
        other.register(Shared.self) { _ in Shared() }.inObjectScope(.container).onClose { _ in await gate.pass() }
        _ = try other.require(Shared.self)
        let closing = Task.detached {
            let errors = await other.close(timeout: .milliseconds(20))
            ended.increment()
            return errors.map(\.reason)
        }
        #expect(await holds { ended.count == 1 })
        go.signal()
        gate.open()
        #expect(await closing.value == [.closeFailed])
        await container.closeSlowly()
    }
}

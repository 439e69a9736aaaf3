import Container
import Dispatch
import Testing

@Suite("The deadline of close, and the order of closing", .hangLimit)
struct DeadlineTests {
    let container = Container()
    let log = Log()

    @Test("close returns at its deadline although synchronous closures block more threads than the pool has")
    func blocked() async throws {
        let gate = DispatchSemaphore(value: 0)
        container.onFailure { _ in }
        for number in 0..<4 {
            container.register(Shared.self, name: "\(number)") { _ in Shared() }.inObjectScope(.container)
                .onClose { _ in gate.wait() }
            _ = try container.require(Shared.self, name: "\(number)")
        }
        let errors = await container.close(timeout: .milliseconds(20))
        #expect(errors.map(\.reason) == [.closeFailed, .notClosed, .notClosed, .notClosed])
        for _ in 0..<4 { gate.signal() }
    }

    @Test("The closing that has used up the time is blamed, and the services after it are said to be innocent")
    func blame() async throws {
        final class Slow: Sendable {}
        let gate = DispatchSemaphore(value: 0)
        container.onFailure { _ in }
        container.register(Shared.self) { _ in Shared() }.inObjectScope(.container).onClose { _ in gate.wait() }
        container.register(Slow.self) { r in
            _ = try r.require(Shared.self)
            return Slow()
        }
        .inObjectScope(.container).onClose { _ in gate.wait() }
        _ = try container.require(Slow.self)
        let errors = await container.close(timeout: .milliseconds(20))
        for _ in 0..<2 { gate.signal() }
        #expect(
            errors.map(\.description) == [
                "Slow: the closing of Slow did not end within 0.02 seconds. Let it end when its task is cancelled, or give "
                    + "the closing more time",
                "Shared: Shared was not closed in time, because the closing of Slow used up the 0.02 seconds",
            ])
    }

    @Test("A closure that a reset or a replacement still runs at the deadline is an error, and is blamed for the delay")
    func ofTeardown() async throws {
        final class Pool: Sendable {}
        let gate = DispatchSemaphore(value: 0)
        container.onFailure { _ in }
        for name in ["first", "second"] {
            container.register(Shared.self, name: name) { _ in Shared() }.inObjectScope(.session)
                .onClose { _ async in await Self.wait(for: gate) }
            _ = try container.require(Shared.self, name: name)
        }
        container.register(Pool.self) { _ in Pool() }.inObjectScope(.container).onClose { _ in gate.wait() }
        _ = try container.require(Pool.self)
        let child = Container(parent: container)
        child.resetSession()
        #expect(
            await container.close(timeout: .milliseconds(20)).map(\.description) == [
                "Shared \"second\": the closing of Shared \"second\" did not end within 0.02 seconds. Let it end when its task "
                    + "is cancelled, or give the closing more time",
                "Shared \"first\": Shared \"first\" was not closed in time, because the closing of Shared \"second\" used up "
                    + "the 0.02 seconds",
                "Pool: Pool was not closed in time, because the closing of Shared \"second\" used up the 0.02 seconds",
            ])
        // The child waits for the instances of its parent that it has reset.
        #expect(await child.close(timeout: .milliseconds(20)).map(\.reason) == [.closeFailed, .notClosed])
        for _ in 0..<3 { gate.signal() }
    }

    @Test("A former instance, and the construction of the new one, are told apart if both are late")
    func replacement() async throws {
        let (gate, hook, built) = (Gate(), DispatchSemaphore(value: 0), Counter())
        container.onFailure { _ in }
        try container.properties.set("number", to: 1)
        container.register(Shared.self) { r async throws in
            let shared = Shared(try r.require("number"))
            if built.increment() == 2 { await gate.pass() }
            return shared
        }
        .inObjectScope(.container).followsSettings().onClose { _ in hook.wait() }
        _ = try await container.require(async: Shared.self)
        try container.properties.set("number", to: 2)
        await until { gate.waiting == 1 }
        let errors = await container.close(timeout: .milliseconds(20))
        #expect(
            errors.map(\.description) == [
                "Shared: the construction of Shared did not end within 0.02 seconds. Let it end when its task is cancelled, "
                    + "or give the closing more time",
                "Shared: Shared was not closed in time, because the construction of a new Shared used up the 0.02 seconds",
            ])
        for _ in 0..<2 { hook.signal() }
        gate.open()
    }

    @Test("An instance that a reset still closes at the deadline, and the instance after it, are told apart")
    func twoInstances() async throws {
        let gate = DispatchSemaphore(value: 0)
        container.onFailure { _ in }
        container.register(Shared.self) { _ in Shared() }.inObjectScope(.session)
            .onClose { _ async in await Self.wait(for: gate) }
        _ = try container.require(Shared.self)
        container.resetSession()
        _ = try container.require(Shared.self)
        let errors = await container.close(timeout: .milliseconds(20))
        #expect(
            errors.map(\.description) == [
                "Shared: the closing of Shared did not end within 0.02 seconds. Let it end when its task is cancelled, or "
                    + "give the closing more time",
                "Shared: Shared was not closed in time, because the closing of another Shared used up the 0.02 seconds",
            ])
        for _ in 0..<2 { gate.signal() }
    }

    @Test(
        "An instance that waits for the closing of one that holds it is not blamed at the deadline",
        arguments: [true, false])
    func blocker(ofContainer: Bool) async throws {
        final class User: Sendable { init(_ shared: Shared) {} }
        let (gate, began, pool) = (DispatchSemaphore(value: 0), Gate(), SharedScope("pool"))
        container.onFailure { _ in }
        container.register(Shared.self) { _ in Shared() }.inObjectScope(pool)
            .onClose { _ async in await Self.wait(for: gate) }
        container.register(User.self) { r in User(try r.require(Shared.self)) }.inObjectScope(.session)
            .onClose { _ async in
                began.open()
                await Self.wait(for: gate)
            }
        _ = try container.require(User.self)
        container.resetSession()
        await began.pass()
        let blamed = "Shared: Shared was not closed in time, because the closing of User used up the 0.02 seconds"
        if ofContainer {
            container.reset(pool)
            #expect(
                await container.close(timeout: .milliseconds(20)).map(\.description) == [
                    "User: the closing of User did not end within 0.02 seconds. Let it end when its task is cancelled, or "
                        + "give the closing more time", blamed,
                ])
        } else {
            #expect(await container.close(pool, timeout: .milliseconds(20)).map(\.description) == [blamed])
        }
        for _ in 0..<2 { gate.signal() }
    }

    @Test("What closing waits for is the service whose closure runs, and not one that waits for it")
    func closingNow() async throws {
        final class User: Sendable { init(_ shared: Shared) {} }
        let (container, gate, began, pool) = (container, Gate(), Gate(), SharedScope("pool"))
        container.register(Shared.self) { _ in Shared() }.inObjectScope(pool).onClose { _ in }
        container.register(User.self) { r in User(try r.require(Shared.self)) }.inObjectScope(.session)
            .onClose { _ async in
                began.open()
                await gate.pass()
            }
        _ = try container.require(User.self)
        container.resetSession()
        await began.pass()
        let closing = Task { await container.close(pool, timeout: .seconds(600)) }
        await until { container.closingNow != nil }
        #expect(container.closingNow?.service == "User")
        gate.open()
        #expect(await closing.value.isEmpty)
        await container.closeSlowly()
    }

    @Test("A closing that ends does not hide what another one waits for")
    func closingNowOfTwo() async throws {
        final class Other: Sendable {}
        let (container, gate, began) = (container, Gate(), Gate())
        container.register(Shared.self) { _ in Shared() }.inObjectScope(.child).onClose { _ async in
            began.open()
            await gate.pass()
        }
        container.register(Other.self) { _ in Other() }.inObjectScope(.child).onClose { _ async in }
        let (first, second) = (Container(parent: container), Container(parent: container))
        _ = try first.require(Shared.self)
        _ = try second.require(Other.self)
        let closing = Task { await first.close(timeout: .seconds(600)) }
        await began.pass()
        #expect(await second.close().isEmpty)
        #expect(container.closingNow?.service == "Shared")
        gate.open()
        #expect(await closing.value.isEmpty)
        #expect(container.closingNow == nil)
        await container.closeSlowly()
    }

    @Test("A closure that goes on after the deadline of its scope's closing is closed before close closes the rest")
    func ofScope() async throws {
        final class Pool: Sendable {}
        let (container, log, gate) = (container, log, Gate())
        container.onFailure { _ in }
        for name in ["first", "second"] {
            container.register(Shared.self, name: name) { _ in Shared() }.inObjectScope(.session)
                .onClose { _ in
                    await gate.pass()
                    log.write(name)
                }
            _ = try container.require(Shared.self, name: name)
        }
        container.register(Pool.self) { _ in Pool() }.inObjectScope(.container).onClose { _ in log.write("pool") }
        _ = try container.require(Pool.self)
        #expect(await container.close(.session, timeout: .zero).count == 2)
        let closing = Task { await container.close(timeout: .seconds(600)) }
        await until { container.closingNow != nil || log.lines == ["pool"] }
        #expect(container.closingNow?.service == "Shared \"second\"")
        gate.open()
        #expect(await closing.value.isEmpty)
        #expect(log.lines.count == 3 && log.lines.last == "pool")
    }

    @Test("A closure that still runs after the deadlines of its scope's closing and of close is an error of both")
    func ofScopeTwice() async throws {
        let (container, gate) = (container, Gate())
        container.onFailure { _ in }
        for name in ["first", "second"] {
            container.register(Shared.self, name: name) { _ in Shared() }.inObjectScope(.session)
                .onClose { _ in await gate.pass() }
            _ = try container.require(Shared.self, name: name)
        }
        let child = Container(parent: container)
        // Which closure is blamed depends on their times, which are all but zero here.
        let late = [["Shared \"second\""], ["Shared \"first\""]]
        #expect(await child.close(.session, timeout: .zero).map(\.path) == late)
        for one in [child, container] { #expect(await one.close(timeout: .zero).map(\.path) == late) }
        gate.open()
    }

    /// Waits without a thread of the pool that runs tasks.
    private static func wait(for gate: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "gate").async {
                gate.wait()
                continuation.resume()
            }
        }
    }

    @Test("A timeout may be of any size", arguments: [Duration.seconds(Int64.max), .zero, .seconds(Int64.min)])
    func extremes(timeout: Duration) async throws {
        container.onFailure { _ in }
        container.register(Shared.self) { _ in Shared() }.inObjectScope(.container).onClose { _ in
            // Ends when the deadline cancels it.
            if timeout <= .zero { try await Task.sleep(for: .seconds(3600)) }
        }
        _ = try container.require(Shared.self)
        #expect(await container.close(timeout: timeout).count == (timeout > .zero ? 0 : 1))
    }

    @Test(
        "A service that a Lazy of a type that it implements gives is closed after the service that took it",
        arguments: [SharedScope.container, .child])
    func deferred(scope: SharedScope) async throws {
        final class User: Sendable {
            let lazy: Lazy<any Sendable>
            init(_ lazy: Lazy<any Sendable>) { self.lazy = lazy }
        }
        let log = log
        let user = scope == .child ? Container(parent: container) : container
        user.register(User.self) { r in User(try r.require(Lazy<any Sendable>.self)) }.inObjectScope(.container)
            .onClose { _ in log.write("user") }
        container.register(Shared.self) { _ in Shared() }.inObjectScope(scope).onClose { _ in log.write("shared") }
            .implements((any Sendable).self)
        _ = try user.require(User.self).lazy.get()
        #expect(await user.close(timeout: .seconds(3600)).isEmpty)
        #expect(log.lines == ["user", "shared"])
    }
}

@Suite("Constructions in tasks of their own", .hangLimit)
struct DetachedConstructionTests {
    @TaskLocal static var user = "nobody"

    @Test("A factory does not see the task-local values of the task that asks first")
    func taskLocals() async throws {
        let container = Container()
        container.register(String.self) { _ async in Self.user }.inObjectScope(.container)
        let seen = try await Self.$user.withValue("Ada") { try await container.require(async: String.self) }
        #expect(seen == "nobody")
    }
}

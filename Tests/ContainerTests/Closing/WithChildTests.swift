import Container
import Testing

@Suite("A child for one request", .hangLimit)
struct WithChildTests {
    let container = Container()
    let log = Log()
    /// Other tests may occupy the threads that run tasks.
    let long = Duration.seconds(600)

    protocol Account: Sendable { var name: String { get } }
    struct User: Account { let name: String }
    final class Basket: Sendable {
        let owner: String
        init(_ owner: String) { self.owner = owner }
    }
    /// Belongs to one task.
    final class Page { let text: String; init(_ text: String) { self.text = text } }

    private func registerBasket() {
        container.givenByChild(User.self)
        let log = log
        container.register(Basket.self) { r in Basket(try r.require(User.self).name) }.inObjectScope(.child)
            .onClose { basket in
                await Task.yield()
                log.write("saved \(basket.owner)")
            }
    }

    @Test("The child has what is given, and is closed before its result is returned, which need not be Sendable")
    func result() async throws {
        registerBasket()
        try await container.start()
        for name in ["Ada", "Bob"] {
            let page = try await container.withChild(providing: User(name: name), closeTimeout: long) { child in
                log.write("asked")
                #expect(try child.require(Basket.self) === child.require(Basket.self))
                return Page("for \(try child.require(Basket.self).owner)")
            }
            log.write(page.text)
        }
        #expect(log.lines == ["asked", "saved Ada", "for Ada", "asked", "saved Bob", "for Bob"])
        await container.closeSlowly()
        #expect(log.lines.count == 6)
    }

    @Test("An error of the closure closes the child, and keeps its type")
    func failure() async {
        registerBasket()
        do throws(Failure) {
            try await container.withChild(providing: User(name: "Ada"), closeTimeout: long) { child throws(Failure) in
                #expect(child.resolve(Basket.self) != nil)
                throw Failure("no stock")
            }
            Issue.record("no error")
        } catch {
            #expect(error == Failure("no stock"))
        }
        #expect(log.lines == ["saved Ada"])
    }

    @Test("A cancelled task closes its child, whose closures are not cancelled")
    func cancellation() async throws {
        let (log, container, gate) = (log, container, Gate())
        container.register(Basket.self) { _ in Basket("Ada") }.inObjectScope(.child).onClose { _ in
            await Task.yield()
            log.write(Task.isCancelled ? "cancelled" : "saved")
        }
        let request = Task {
            try await container.withChild(closeTimeout: long) { child in
                _ = try child.require(Basket.self)
                await gate.pass()
                try Task.checkCancellation()
            }
        }
        await until { gate.waiting == 1 }
        request.cancel()
        gate.open()
        await #expect(throws: CancellationError.self) { try await request.value }
        #expect(log.lines == ["saved"])
    }

    @Test("A closing that fails loses neither the result nor the error of the closure")
    func failedClosing() async throws {
        let failures = Failures(), log = log
        failures.listen(to: container)
        container.register(Basket.self) { _ in Basket("Ada") }.inObjectScope(.child)
            .onClose { _ in log.write("still closed") }.onClose { _ in throw Failure("disk full") }
        let owner = try await container.withChild(closeTimeout: long) { try $0.require(Basket.self).owner }
        #expect(owner == "Ada")
        await #expect(throws: Failure("no stock")) {
            try await container.withChild(closeTimeout: long) { child in
                _ = try child.require(Basket.self)
                throw Failure("no stock")
            }
        }
        #expect(log.lines == ["still closed", "still closed"])
        #expect(failures.all.map(\.reason) == [.closeFailed, .closeFailed])
    }

    @Test("A closure of onClose that does not end delays the result only until the timeout")
    func timeout() async throws {
        let gate = Gate(), failures = Failures()
        failures.listen(to: container)
        container.register(Basket.self) { _ in Basket("Ada") }.inObjectScope(.child).onClose { _ in await gate.pass() }
        let owner = try await container.withChild(closeTimeout: .zero) { child in try child.require(Basket.self).owner }
        gate.open()
        #expect(owner == "Ada" && failures.all.map(\.reason) == [.closeFailed])
    }

    @Test("A child in a child sees what both are given, and is closed first")
    func nested() async throws {
        registerBasket()
        try await container.withChild(providing: User(name: "Ada"), 7, closeTimeout: long) { outer in
            let basket = try outer.require(Basket.self)
            let owners: [String] = [
                try await outer.withChild(closeTimeout: long) { inner in
                    let own = try inner.require(Basket.self)
                    #expect(own !== basket)
                    return own.owner
                },
                try await outer.withChild(providing: User(name: "Bob"), closeTimeout: long) { inner in
                    #expect(inner.resolve(Int.self) == 7)
                    return try inner.require(Basket.self).owner
                },
            ]
            #expect(owners == ["Ada", "Bob"] && basket.owner == "Ada" && outer.resolve(Int.self) == 7)
        }
        #expect(log.lines == ["saved Ada", "saved Bob", "saved Ada"])
    }

    @Test("What outlives the closure gets an error from the child, and a child of its own from the parent")
    func outlived() async throws {
        registerBasket()
        let body = try await container.withChild(providing: User(name: "Ada")) { [container] child in
            let user = try child.require(User.self)
            return {
                #expect(throws: ResolutionError.self) { try child.require(Basket.self) }
                #expect(throws: ResolutionError.self) { try child.require(User.self) }
                return try await container.withChild(providing: user, closeTimeout: long) { child in
                    try child.require(Basket.self).owner
                }
            }
        }
        #expect(log.lines == [])
        #expect(try await body() == "Ada" && log.lines == ["saved Ada"])
    }

    @Test("A value is given by its static type, which an error about another type shows")
    func staticType() async throws {
        container.givenByChild((any Account).self)
        container.register(Basket.self) { r in Basket(try r.require((any Account).self).name) }
        let account: any Account = User(name: "Ada")
        #expect(try await container.withChild(providing: account) { try $0.require(Basket.self).owner } == "Ada")
        let error = await #expect(throws: ResolutionError.self) {
            try await container.withChild(providing: User(name: "Ada")) { _ = try $0.require(Basket.self) }
        }
        #expect(error?.reason == .notGiven)
    }

    @Test("What is given can be registered again in the closure, and is released with the child")
    func overridden() async throws {
        weak var given: Shared?
        await container.withChild(providing: Shared(1)) { child in
            given = child.resolve(Shared.self)
            #expect(child.registrations.map(\.place).first??.hasSuffix("WithChildTests.swift:\(#line - 2)") == true)
            child.register(Shared.self) { _ in Shared(2) }
            #expect(child.resolve(Shared.self)?.number == 2 && child.resolve(Lazy<Shared>.self)?.instance.number == 2)
        }
        #expect(given == nil)
    }

    @Test("The closure runs on the actor of the caller")
    @MainActor func isolation() async throws {
        var count = 0
        await container.withChild { _ in
            MainActor.assertIsolated()
            count += 1
        }
        #expect(count == 1)
    }
}

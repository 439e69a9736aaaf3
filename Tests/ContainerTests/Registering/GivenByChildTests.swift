import Container
import Testing

@Suite("Services that each child container gives", .hangLimit)
struct GivenByChildTests {
    final class User: Sendable {}
    final class Handler: Sendable {
        let user: User
        init(_ user: User) { self.user = user }
    }
    final class Page: Sendable {}

    private func container() -> Container {
        let container = Container()
        container.givenByChild(User.self)
        container.register(Handler.self) { r in Handler(try r.require(User.self)) }
        return container
    }

    @Test("A child that registers the service can build what takes it, and another one says what is missing")
    func children() throws {
        let container = container(), request = Container(parent: container), other = Container(parent: container)
        let user = User()
        request.register(User.self) { _ in user }
        #expect(try request.require(Handler.self).user === user)
        for asked in [other, container] {
            let error = #expect(throws: ResolutionError.self) { try asked.require(Handler.self) }
            #expect(error?.reason == .notGiven)
            #expect(
                error?.description
                    == "Handler → User: a child container must have User, and this container does not. Register it in "
                    + "the child, and resolve there what takes it")
        }
    }

    @Test("Its registration says that a child gives it, and names no scope")
    func registration() {
        #expect(container().registrations.map(\.scope) == ["graph", "given by child"])
        #expect(container().registrations.last?.description.hasPrefix("User: given by child, ") == true)
    }

    @Test("A start and a check do not build what only a child can build, also one instance for each child")
    func checks() async throws {
        let container = container()
        container.register(Page.self) { r in
            _ = try r.require(Handler.self)
            return Page()
        }
        .inObjectScope(.child)
        try await container.start()
        try await container.verify()
        let unbuilt = try await container.verifyAll()
        #expect(unbuilt.ofChildren == ["Handler", "Page"] && unbuilt.onDemand == [])
        let request = Container(parent: container)
        request.register(User.self) { _ in User() }
        try await request.verify()
        await container.close()
    }

    @Test(
        "A shared service that takes it would keep that of one child, or the service in .child that is made of it",
        arguments: ["User", "Handler"])
    func shared(kept: String) async throws {
        let container = container()
        if kept == "Handler" {
            container.register(Handler.self) { r in Handler(try r.require(User.self)) }.inObjectScope(.child)
        }
        container.register(Page.self) { r in
            _ = try r.require(Handler.self)
            return Page()
        }
        .inObjectScope(.container)
        let error = await #expect(throws: ConfigurationErrors.self) { try await container.start() }
        #expect(
            error?.description
                == "Page → \(kept): Page keeps \(kept), whose scope child has a shorter life. Give Page the scope .child, or "
                + "pass \(kept) to its methods")
    }

    @Test("A registration after the start names the services that keep the former instance")
    func late() async throws {
        let container = Container(), log = Log()
        container.onFailure { log.write($0.description) }
        container.register(User.self) { _ in User() }.inObjectScope(.container)
        container.register(Handler.self) { r in Handler(try r.require(User.self)) }.inObjectScope(.container)
        container.register(Page.self) { _ in Page() }.inObjectScope(.container)
        container.register(User.self) { _ in User() }.inObjectScope(.container)
        try await container.start()
        container.register(Page.self) { _ in Page() }.inObjectScope(.container)
        #expect(log.lines == [])
        container.register(User.self) { _ in User() }.inObjectScope(.container)
        #expect(
            log.lines == [
                "User: User was registered again after the start, and its former instance stays in Handler. Register it "
                    + "before the start"
            ])
        await container.close()
    }
}

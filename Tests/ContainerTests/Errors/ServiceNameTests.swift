import Container
import ContainerReport
import Testing

private enum Client {
    struct Config: Sendable {}
    struct Box<Value: Sendable>: Sendable {}
    enum Inner { struct Config: Sendable {} }
}

private enum Server {
    struct Config: Sendable {}
    enum Inner { struct Config: Sendable {} }
}

private struct Only: Sendable {}

@Suite("Types with one simple name", .hangLimit)
struct ServiceNameTests {
    let container = Container()

    private func text(_ body: () throws -> Void) -> String { failure(body)?.description ?? "" }

    @Test("A missing service and a registered one are told apart")
    func missing() {
        container.register(Client.Config.self) { _ in Client.Config() }
        container.register(Only.self) { r in
            _ = try r.require(Server.Config.self)
            return Only()
        }
        #expect(
            text { _ = try container.require(Only.self) }
                == "Only → Server.Config: nothing is registered for Server.Config. Registered is Client.Config. "
                + "Register it in this container or a parent")
        #expect(failure { _ = try container.require(Only.self) }?.path == ["Only", "Server.Config"])
    }

    @Test("A name that only one type has is not qualified")
    func unambiguous() {
        container.register(Only.self) { _ throws in throw Failure("no") }
        #expect(text { _ = try container.require(Only.self) } == "Only: the factory of Only threw: no")
        #expect(container.registrations.map(\.service) == ["Only"])
    }

    @Test("As much of the context is added as tells the types apart")
    func deeper() {
        container.register(Client.Inner.Config.self) { _ in Client.Inner.Config() }
        container.register(Server.Inner.Config.self) { _ in Server.Inner.Config() }
        container.register(Client.Config.self) { _ in Client.Config() }
        #expect(
            container.registrations.map(\.service) == ["Client.Config", "Client.Inner.Config", "Server.Inner.Config"])
    }

    @Test("Generic arguments, arguments of factories and names are told apart")
    func generic() {
        container.register(Client.Box<Client.Config>.self) { _ in Client.Box() }
        container.register(Client.Box<Server.Config>.self, name: "b") { _ in Client.Box() }
        container.register(Only.self) { (_, _: Client.Config) in Only() }
        container.register([Server.Config].self) { _ in [] }
        #expect(
            container.registrations.map(\.service) == [
                "Array<Server.Config>", "Box<Client.Config>", #"Box<Server.Config> "b""#, "Only with (Client.Config)",
            ])
        #expect(
            text { _ = try container.require(Only.self, arguments: Server.Config()) }
                == "Only: Only is not registered for the arguments (Server.Config). Registered is Only with "
                + "(Client.Config). Give arguments of exactly the factory's static types")
    }

    @Test("A circle and a service of a shorter life are told apart")
    func paths() async throws {
        container.register(Client.Config.self) { r in
            _ = try r.require(Server.Config.self)
            return Client.Config()
        }
        container.register(Server.Config.self) { r in
            _ = try r.require(Client.Config.self)
            return Server.Config()
        }
        #expect(
            text { _ = try container.require(Client.Config.self) }.hasPrefix(
                "Client.Config → Server.Config → Client.Config: Client.Config needs itself"))
        let other = Container()
        other.register(Server.Config.self) { _ in Server.Config() }.inObjectScope(.session)
        other.register(Client.Config.self) { r in
            _ = try r.require(Server.Config.self)
            return Client.Config()
        }.inObjectScope(.container)
        let error = await #expect(throws: ConfigurationErrors.self) { try await other.start() }
        #expect(error?.description.contains("Client.Config keeps Server.Config, whose scope session") == true)
    }

    @Test("An error about one of them names it, also from a child and by the handler of failures")
    func factory() {
        let child = Container(parent: container), failures = Failures()
        failures.listen(to: container)
        container.register(Client.Config.self) { _ in Client.Config() }
        child.register(Server.Config.self) { _ throws in throw Failure("no") }
        #expect(
            text { _ = try child.require(Server.Config.self) }
                == "Server.Config: the factory of Server.Config threw: no")
        #expect(child.resolve(Server.Config.self) == nil)
        #expect(failures.all.map(\.path) == [["Server.Config"]])
    }

    @Test("Each has its box, its edges and its type in a diagram and in JSON")
    func reports() throws {
        container.register(Client.Config.self) { _ in Client.Config() }.inObjectScope(.container)
        container.register(Server.Config.self) { r in
            _ = try r.require(Client.Config.self)
            return Server.Config()
        }.inObjectScope(.container)
        container.register(Only.self) { r in
            _ = try r.require(Server.Config.self)
            return Only()
        }.inObjectScope(.container)
        _ = try container.require(Only.self)
        let mermaid = ContainerDiagram(of: container).mermaid
        #expect(mermaid.contains(#"s0["Client.Config"]"#) && mermaid.contains(#"s2["Server.Config"]"#))
        #expect(mermaid.contains("s1 --> s2") && mermaid.contains("s2 --> s0") && !mermaid.contains("s1 --> s0"))
        let json = container.registrations.json
        #expect(json.contains(#""type": "ContainerTests.Client.Config""#))
        #expect(
            json.contains(
                #"{"service": "Server.Config", "type": "ContainerTests.Server.Config", "isDeferred": false}"#))
    }

    @Test("Types of two functions have numbers, because they have no other context")
    func local() {
        func first(_ container: Container) {
            struct Config: Sendable {}
            container.register(Config.self) { _ in Config() }
        }
        func second(_ container: Container) {
            struct Config: Sendable {}
            container.register(Config.self) { _ in Config() }
        }
        first(container)
        second(container)
        let names = container.registrations.map(\.service)
        #expect(Set(names).count == 2)
        #expect(names.allSatisfy { $0.hasPrefix("Config #") })
    }

    // MARK: - Decorators

    protocol Api: Sendable {}
    struct PlainApi: Api {}
    struct LoggingApi: Api { let inner: any Api }

    @Test("A decorator that takes its own type is told how to take the inner one", arguments: [false, true])
    func decorator(isShared: Bool) {
        let entry = container.register((any Api).self) { r in LoggingApi(inner: try r.require((any Api).self)) }
        if isShared { entry.inObjectScope(.container) }
        let own = text { _ = try container.require((any Api).self) }
        #expect(own.hasSuffix("To wrap another Api, register that one by its own type or with a name"))
        let child = Container(parent: container)
        let inChild = child.register((any Api).self) { r in LoggingApi(inner: try r.require((any Api).self)) }
        if isShared { inChild.inObjectScope(.container) }
        let error = text { _ = try child.require((any Api).self) }
        #expect(error.contains("To wrap the one of the parent, take it from the parent"))
    }

    @Test("The remedies of a decorator work")
    func remedies() throws {
        container.register(PlainApi.self) { _ in PlainApi() }
        container.register((any Api).self) { r in LoggingApi(inner: try r.require(PlainApi.self)) }
        #expect(try container.require((any Api).self) is LoggingApi)
        let child = Container(parent: container)
        child.register((any Api).self) { [container] _ in LoggingApi(inner: try container.require((any Api).self)) }
        #expect((try child.require((any Api).self) as? LoggingApi)?.inner is LoggingApi)
    }
}

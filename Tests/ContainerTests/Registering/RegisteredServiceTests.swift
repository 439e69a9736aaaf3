import Container
import DeclarativeContainer
import Testing

@Suite("A container that can be seen", .hangLimit)
struct RegisteredServiceTests {
    protocol Openable {}
    final class Pool: Openable, Sendable {}
    final class Store: Openable, Sendable {}
    final class Mailer: Sendable {}
    final class Handler {}

    /// A container whose services take each other in every way, and the line after the first registration.
    private static func container() throws -> (Container, line: Int) {
        let container = Container()
        try container.properties.set("database.host", to: "a")
        container.register(Pool.self) { r in
            _ = r.property("database.host") as String?
            return Pool()
        }.inObjectScope(.container).followsSettings()
        container.register(Store.self) { r in
            _ = try (r.require(Provider<Pool>.self), r.require(Handler.self), r.require(Mailer.self))
            return Store()
        }.inObjectScope(.container).implements((any Openable).self)
        container.register(Handler.self) { _ in Handler() }
        container.register(Mailer.self, name: "old") { (_, _: Int) in Mailer() }.inObjectScope(.session)
        container.register(Mailer.self) { _ in Mailer() }
        let line = #line
        container.register(Mailer.self) { _ in Mailer() }.inObjectScope(.session)
        return (container, line)
    }

    @Test("Each registration has a line with its scope and place, and what its instance has taken and read")
    func lines() async throws {
        let (container, line) = try Self.container()
        _ = try container.require(Pool.self)
        _ = try container.require(Store.self)
        let file = "RegisteredServiceTests.swift"
        #expect(
            container.registrations.map(\.description) == [
                "Handler: graph, \(file):\(line - 3)",
                "Mailer: session, \(file):\(line + 1), replaces \(file):\(line - 1), has an instance",
                "Mailer \"old\" with (Int): session, \(file):\(line - 2)",
                "Openable: container, \(file):\(line - 7), as Store",
                "Pool: container, \(file):\(line - 11), follows its settings, has an instance; reads database.host",
                "Store: container, \(file):\(line - 7), has an instance; takes Handler, Mailer, Pool later",
            ])
        #expect(container.registrations[0].place == "ContainerTests/\(file):\(line - 3)")
        await container.closeSlowly()
        #expect(container.registrations.isEmpty)
    }

    @Test("The builders record the places of their services, too")
    func builder() throws {
        let line = #line + 1
        let container = Container { Singleton { Service(type: (any Openable).self) { _ in Pool() } } }
        _ = try container.require((any Openable).self)
        #expect(
            container.registrations.map(\.description) == [
                "Openable: container, RegisteredServiceTests.swift:\(line), as Pool, has an instance"
            ])
    }

    @Test("A diagram has the services by scope, what they take, and the settings that they read")
    func diagrams() throws {
        let (container, _) = try Self.container()
        _ = try container.require(Pool.self)
        _ = try container.require(Store.self)
        let diagram = ContainerDiagram(of: Container(parent: container))
        #expect(
            diagram.mermaid == """
                flowchart LR
                    subgraph g0["container"]
                        s0["Openable"]
                        s1["Pool"]
                        s2["Store"]
                    end
                    subgraph g1["graph"]
                        s3["Handler"]
                    end
                    subgraph g2["session"]
                        s4["Mailer"]
                        s5["Mailer #quot;old#quot; with (Int)"]
                    end
                    t0[("database")]
                    s0 --> s2
                    s1 --> t0
                    s2 --> s3
                    s2 --> s4
                    s2 -.-> s1
                    classDef following stroke-width:3px
                    class s1 following

                """)
        #expect(
            diagram.dot == """
                digraph services {
                    rankdir=LR
                    node [shape=box]
                    subgraph cluster0 {
                        label="container"
                        s0 [label="Openable"]
                        s1 [label="Pool" penwidth=3]
                        s2 [label="Store"]
                    }
                    subgraph cluster1 {
                        label="graph"
                        s3 [label="Handler"]
                    }
                    subgraph cluster2 {
                        label="session"
                        s4 [label="Mailer"]
                        s5 [label="Mailer \\"old\\" with (Int)"]
                    }
                    t0 [label="database" shape=cylinder]
                    s0 -> s2
                    s1 -> t0
                    s2 -> s3
                    s2 -> s4
                    s2 -> s1 [style=dashed]
                }

                """)
    }
}

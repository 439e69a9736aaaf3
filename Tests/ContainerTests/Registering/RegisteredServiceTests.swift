import Container
import ContainerReport
import DeclarativeContainer
import Synchronization
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

    @Test("What a factory takes by the Lazy of another one belongs to that one")
    func lazyOfOther() throws {
        for isComplete in [false, true] {
            let container = Container()
            let passed = Mutex<Lazy<Pool>?>(nil)
            container.register(Pool.self) { _ in Pool() }.inObjectScope(.container)
            container.register(Mailer.self) { _ in
                _ = try passed.withLock(\.self)?.get()
                return Mailer()
            }.inObjectScope(.container)
            container.register(Store.self) { r in
                let pool = try r.require(Lazy<Pool>.self)
                passed.withLock { $0 = pool }
                if isComplete { _ = try r.require(Pool.self) }
                _ = try r.require(Mailer.self)
                return Store()
            }.inObjectScope(.container)
            _ = try container.require(Store.self)
            let all = container.registrations.map { service in
                service.dependencies.map { $0.isDeferred ? "\($0.service) later" : $0.service }
            }
            #expect(all == [[], [], ["Mailer", "Pool", "Pool later"]])
        }
    }

    @Test("Each registration has a line with its scope and place, and what its instance has taken and read")
    func lines() async throws {
        let (container, line) = try Self.container()
        _ = try container.require(Pool.self)
        _ = try container.require(Store.self)
        func place(_ offset: Int) -> String { "RegisteredServiceTests.swift:\(line + offset)" }
        #expect(
            container.registrations.map(\.description) == [
                "Handler: graph, \(place(-3))",
                "Mailer: session, \(place(1)), replaces \(place(-1)), has an instance",
                "Mailer \"old\" with (Int): session, \(place(-2))",
                "Openable: container, \(place(-7)), as Store",
                "Pool: container, \(place(-11)), follows its settings, has an instance; reads database.host",
                "Store: container, \(place(-7)), has an instance; depends on Handler, Mailer, Pool later",
            ])
        #expect(container.registrations[0].place == "ContainerTests/\(place(-3))")
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

    @Test(
        "A quotation mark stays inside a label, also with a combining mark",
        arguments: ["\"\u{301}", "\"", "\\\u{301}"])
    func marks(mark: String) {
        let container = Container()
        container.register(Int.self, name: mark) { _ in 1 }
        let diagram = ContainerDiagram(of: container)
        let escaped = mark.unicodeScalars.first == "\"" ? "#quot;" : "\\"
        let rest = String(String.UnicodeScalarView(mark.unicodeScalars.dropFirst()))
        #expect(diagram.mermaid.contains("Int #quot;\(escaped)\(rest)#quot;\"]"), "\(diagram.mermaid)")
        #expect(diagram.dot.contains("Int \\\"\\\(mark)\\\"\""), "\(diagram.dot)")
    }

    @Test("A diagram has the services by scope, what they depend on, and the settings that they read")
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
                    classDef unknown stroke-dasharray:2
                    class s3,s5 unknown
                    note["Dotted services have no instance, so their arrows are not known."]
                    style note fill:none,stroke:none

                """)
        #expect(
            diagram.dot == """
                digraph services {
                    rankdir=LR
                    node [shape=box]
                    label="Dotted services have no instance, so their arrows are not known."
                    subgraph cluster0 {
                        label="container"
                        s0 [label="Openable"]
                        s1 [label="Pool" penwidth=3]
                        s2 [label="Store"]
                    }
                    subgraph cluster1 {
                        label="graph"
                        s3 [label="Handler" style=dotted]
                    }
                    subgraph cluster2 {
                        label="session"
                        s4 [label="Mailer"]
                        s5 [label="Mailer \\"old\\" with (Int)" style=dotted]
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

    @Test("Before the start, a diagram says that nothing is built, and two services of one name have a box each")
    func unbuilt() {
        enum Other { final class Pool: Sendable {} }
        let container = Container()
        container.register(Pool.self) { _ in Pool() }
        container.register(Other.Pool.self) { _ in Other.Pool() }
        let diagram = ContainerDiagram(of: container)
        #expect(
            diagram.mermaid == """
                flowchart LR
                    subgraph g0["graph"]
                        s0["Other.Pool"]
                        s1["RegisteredServiceTests.Pool"]
                    end
                    note["Nothing is built, so it is not known what the services depend on."]
                    style note fill:none,stroke:none

                """)
        #expect(
            diagram.dot == """
                digraph services {
                    rankdir=LR
                    node [shape=box]
                    label="Nothing is built, so it is not known what the services depend on."
                    subgraph cluster0 {
                        label="graph"
                        s0 [label="Other.Pool"]
                        s1 [label="RegisteredServiceTests.Pool"]
                    }
                }

                """)
        #expect(ContainerDiagram(of: Container()).mermaid.hasPrefix("flowchart LR\n"))
    }

    @Test("What is taken by another type than its own has an arrow to that type")
    func hidden() throws {
        let container = Container {
            Singleton {
                Service(type: (any Openable).self) { _ in Pool() }
                Service(type: Store.self) { r in
                    _ = try r.make((any Openable).self)
                    return Store()
                }
            }
        }
        _ = try container.require(Store.self)
        #expect(container.registrations.map(\.dependencies).flatMap(\.self).map(\.service) == ["Openable"])
        #expect(ContainerDiagram(of: container).mermaid.contains("\n    s1 --> s0\n"))
    }

    @Test("As JSON, each registration is an object, and what is not known is null")
    func json() throws {
        let (container, line) = try Self.container()
        _ = try container.require(Pool.self)
        _ = try container.require(Store.self)
        let module = "ContainerTests.RegisteredServiceTests"
        func place(_ offset: Int) -> String { "ContainerTests/RegisteredServiceTests.swift:\(line + offset)" }
        #expect(
            container.registrations.json == """
                [
                  {"service": "Handler", "type": "\(module).Handler", "name": null, "scope": "graph", "place": "\(place(-3))", \
                "replaces": null, "target": null, "hasInstance": false, "followsSettings": false, "dependencies": null, \
                "reads": null},
                  {"service": "Mailer", "type": "\(module).Mailer", "name": null, "scope": "session", "place": "\(place(1))", \
                "replaces": "\(place(-1))", "target": null, "hasInstance": true, "followsSettings": false, "dependencies": [], \
                "reads": null},
                  {"service": "Mailer \\"old\\" with (Int)", "type": "\(module).Mailer", "name": "old", "scope": "session", \
                "place": "\(place(-2))", "replaces": null, "target": null, "hasInstance": false, \
                "followsSettings": false, "dependencies": null, "reads": null},
                  {"service": "Openable", "type": "\(module).Openable", "name": null, "scope": "container", \
                "place": "\(place(-7))", "replaces": null, "target": "Store", "hasInstance": false, \
                "followsSettings": false, "dependencies": [], "reads": null},
                  {"service": "Pool", "type": "\(module).Pool", "name": null, "scope": "container", "place": "\(place(-11))", \
                "replaces": null, "target": null, "hasInstance": true, "followsSettings": true, "dependencies": [], \
                "reads": ["database.host"]},
                  {"service": "Store", "type": "\(module).Store", "name": null, "scope": "container", "place": "\(place(-7))", \
                "replaces": null, "target": null, "hasInstance": true, "followsSettings": false, \
                "dependencies": [{"service": "Handler", "type": "\(module).Handler", "isDeferred": false}, {"service": "Mailer", "type": "\(module).Mailer", "isDeferred": false}, \
                {"service": "Pool", "type": "\(module).Pool", "isDeferred": true}], "reads": null}
                ]
                """)
        #expect(Container().registrations.json == "[]")
    }
}

import Container
import Testing

@Suite("Starts that fail, and several at once", .hangLimit)
struct StartRaceTests {
    struct Host: Settings { @Setting("The host") var host = "default" }

    struct Source: PropertyLoader {
        let layer: PropertyLayer
        func load() -> PropertyLayer { layer }
    }

    @Test("A start that fails builds nothing from the values without its sources, and reports only its own problems")
    func refused() async {
        let (wrong, failures) = (Counter(), Failures())
        for _ in 0..<100 {
            let container = Container()
            failures.listen(to: container)
            container.declare(Host.self)
            container.register(Shared.self) { r async throws in
                if try r.settings(Host.self).host == "default" { wrong.increment() }
                return Shared()
            }.inObjectScope(.container).followsSettings()
            let source = Source(layer: ["host": "production", "unknown": 1])
            await #expect(throws: ConfigurationErrors.self) { try await container.start([source]) }
        }
        #expect(wrong.count == 0)
        #expect(failures.all.isEmpty)
    }

    @Test("A start that is cancelled closes nothing that another start builds")
    func concurrent() async throws {
        let (container, gate) = (Container(), Gate())
        container.onFailure { _ in }
        container.register(Shared.self) { _ async in
            await gate.pass()
            return Shared()
        }.inObjectScope(.container)
        let first = Task { try await container.start() }
        await until { gate.waiting == 1 }
        let second = Task { try await container.start() }
        second.cancel()
        gate.open()
        _ = await second.result
        try await first.value
        #expect(container.resolve(Shared.self) != nil)
        await container.closeSlowly()
    }

    @Test("A child accepts a key that a service of its parent reads")
    func child() async throws {
        let parent = Container()
        let child = Container(parent: parent)
        parent.register(Shared.self) { r in Shared(try r.property("number", default: 1)) }.inObjectScope(.container)
        child.declare(Host.self)
        try await child.start([Source(layer: ["number": 2, "host": "a"])])
        await child.closeSlowly()
        await parent.closeSlowly()
    }
}

import Container
import ContainerReport
import Testing

@Suite("The status of a container")
struct StatusTests {
    @Test("Its phase is that of the topmost container: starting, ready after the start, stopping from the closing")
    func phases() async throws {
        let container = Container(), child = Container(parent: container)
        let early = container.phases
        #expect(child.status.phase == .starting)
        try await child.start()
        #expect(container.status.phase == .starting)
        try await container.start()
        #expect(child.status.phase == .ready)
        await child.close()
        #expect(child.status.phase == .ready)
        let late = child.phases
        await container.close()
        #expect(child.status.phase == .stopping)
        var all: [[ContainerStatus.Phase]] = []
        for phases in [early, late, container.phases] { all.append(await phases.reduce(into: []) { $0.append($1) }) }
        #expect(all == [[.starting, .ready, .stopping], [.ready, .stopping], [.stopping]])
    }

    @Test("A start that fails is never ready")
    func failure() async throws {
        let container = Container(), phases = container.phases
        container.properties.declare(TypedKey<Int>("port"))
        await #expect(throws: ConfigurationErrors.self) { try await container.start() }
        #expect(await phases.reduce(into: []) { $0.append($1) } == [.starting, .stopping])
    }

    @Test("The JSON contains the phase and the status of the properties")
    func json() async throws {
        let container = Container()
        let now = ContinuousClock.now
        container.register(Int.self) { _ in 1 }.inObjectScope(.container)
        try await StartProgress.$clock.withValue(.init { now }) { try await container.start() }
        let start =
            #"{"seconds": 0.0, "isInProgress": false, "building": [], "slowest": "#
            + #"[{"service": "Int", "seconds": 0.0, "waitsFor": []}]}"#
        let store = container.properties.status.json.split(separator: "\n").joined(separator: "\n  ")
        func withoutAge(_ text: String) -> String { text.replacing(/"age": [^,]*/, with: "") }
        #expect(
            withoutAge(container.status.json)
                == withoutAge(
                    "{\n  \"phase\": \"ready\",\n  \"outdatedServices\": [],\n  \"formerServices\": [],\n  \"start\": \(start),\n  \"properties\": \(store)\n}"
                ))
        await container.close()
    }

    @Test("Readers of phases that have gone are forgotten")
    func forgotten() async throws {
        let container = Container()
        for _ in 0..<10 { _ = container.phases }
        let task = Task { for await _ in container.phases {} }
        task.cancel()
        await task.value
        #expect(container.phaseReaders == 0)
    }
}

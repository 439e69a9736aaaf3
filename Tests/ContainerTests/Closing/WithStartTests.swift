import Container
import Synchronization
import Testing

@Suite("A start that always closes")
struct WithStartTests {
    private struct Failure: Error {}
    private struct Service: Sendable {}

    private static func container(_ closed: ClosedServices) -> Container {
        let container = Container()
        container.register(Service.self) { _ in Service() }.inObjectScope(.container).onClose { _ in closed.add() }
        return container
    }

    @Test("The result is that of the body, and the services are built before it and closed after it")
    func result() async throws {
        let closed = ClosedServices()
        let number = try await Self.container(closed).withStart { container in
            _ = try container.require(Service.self)
            #expect(container.status.phase == .ready && closed.count == 0)
            return 7
        }
        #expect(number == 7 && closed.count == 1)
    }

    @Test("A body that throws passes its error on, and the container is closed")
    func failure() async {
        let closed = ClosedServices(), container = Self.container(closed)
        await #expect(throws: Failure.self) { try await container.withStart { _ in throw Failure() } }
        #expect(closed.count == 1)
        await #expect(throws: ConfigurationErrors.self) { try await container.start() }
    }

    @Test("If the start fails, the body does not run")
    func failedStart() async {
        let closed = ClosedServices(), container = Self.container(closed)
        container.register(Int.self) { _ in throw Failure() }.inObjectScope(.container)
        await #expect(throws: ConfigurationErrors.self) {
            try await container.withStart { _ in Issue.record("the body has run") }
        }
        #expect(closed.count == 1)
    }
}

private final class ClosedServices: Sendable {
    private let number = Atomic(0)
    var count: Int { number.load(ordering: .relaxed) }
    func add() { number.add(1, ordering: .relaxed) }
}

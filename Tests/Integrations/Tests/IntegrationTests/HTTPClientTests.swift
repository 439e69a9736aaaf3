import AsyncHTTPClient
import Container
import Synchronization
import Testing

/// An `HTTPClient` ends the process if it is released before it was shut down, and its second shutdown throws.
@Suite("A client that must be shut down exactly once")
struct HTTPClientTests {
    private struct Refused: Error {}

    private final class Users: Sendable {
        let client: HTTPClient
        init(_ client: HTTPClient) { self.client = client }
    }

    private let container = Container()
    private let made = Made()

    private final class Made: Sendable {
        let count = Atomic(0)
    }

    private func registerClient(in scope: SharedScope = .container) {
        container.register(HTTPClient.self) { [made] _ in
            made.count.add(1, ordering: .relaxed)
            return HTTPClient(eventLoopGroupProvider: .singleton)
        }
        .inObjectScope(scope)
        .onClose { client in try await client.shutdown() }
    }

    @Test("start builds it, and close shuts it down")
    func close() async throws {
        registerClient()
        container.register(Users.self) { r in Users(try r.require(HTTPClient.self)) }.inObjectScope(.container)
        try await container.start()
        #expect(made.count.load(ordering: .relaxed) == 1)
        #expect(await container.close().isEmpty)
    }

    @Test("A start that fails in another service shuts it down", arguments: [true, false])
    func failedStart(isAsync: Bool) async {
        registerClient()
        if isAsync {
            container.register(Users.self) { r async throws in
                _ = try await r.require(HTTPClient.self)
                throw Refused()
            }.inObjectScope(.container)
        } else {
            container.register(Users.self) { r in
                _ = try r.require(HTTPClient.self)
                throw Refused()
            }.inObjectScope(.container)
        }
        await #expect(throws: ConfigurationErrors.self) { try await container.start() }
        #expect(made.count.load(ordering: .relaxed) == 1)
        #expect(container.resolve(HTTPClient.self) == nil)
    }

    @Test("A completion that throws shuts down what its construction has made")
    func failedCompletion() async {
        registerClient()
        container.register(Users.self) { r in Users(try r.require(HTTPClient.self)) }
            .inObjectScope(.container)
            .initCompleted { _, _ in throw Refused() }
        #expect(container.resolve(Users.self) == nil)
        #expect(await container.close().isEmpty)
        #expect(made.count.load(ordering: .relaxed) == 1)
    }

    @Test("verify shuts down those of its child and its session", arguments: [SharedScope.child, .session, .container])
    func verify(scope: SharedScope) async throws {
        registerClient(in: scope)
        try await container.verify()
        #expect(await container.close().isEmpty)
    }

    @Test("A reset shuts down the instance that it removes, and the next resolve makes another")
    func reset() async throws {
        registerClient(in: .session)
        for _ in 0..<3 {
            _ = try container.require(HTTPClient.self)
            #expect(await container.close(.session).isEmpty)
        }
        #expect(made.count.load(ordering: .relaxed) == 3)
    }

    @Test("When a task that waits for it is cancelled, nothing is left open")
    func cancelledRequest() async {
        container.register(HTTPClient.self) { _ async throws in
            await Task.yield()
            return HTTPClient(eventLoopGroupProvider: .singleton)
        }
        .inObjectScope(.child)
        .onClose { client in try await client.shutdown() }
        for _ in 0..<100 {
            let child = Container(parent: container)
            let request = Task { try? await child.require(async: HTTPClient.self) }
            await Task.yield()
            request.cancel()
            _ = await request.value
            #expect(await child.close().isEmpty)
        }
    }
}

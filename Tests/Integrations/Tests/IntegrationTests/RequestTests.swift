import Container
import Hummingbird
import Synchronization
import Testing

// What the guide on requests shows, with the user of each request in a header.

@Suite("The services of a request with Hummingbird", .timeLimit(.minutes(60)))
struct RequestTests {
    struct User: Sendable { let name: String }

    final class Basket: Sendable {
        let user: User
        init(user: User) { self.user = user }

        private let sent = Mutex(0)

        /// More than the buffers of a connection hold.
        var lines: AsyncStream<String> {
            AsyncStream {
                let isLeft = self.sent.withLock { sent in
                    sent += 1
                    return sent <= 10_000
                }
                return isLeft ? String(repeating: "\(self.user.name)\n", count: 1_000) : nil
            }
        }
    }

    struct UserContext: RequestContext {
        var coreContext: CoreRequestContextStorage
        var services = Container()

        init(source: ApplicationRequestContextSource) { coreContext = CoreRequestContextStorage(source: source) }
    }

    struct RequestServices: RouterMiddleware {
        let container: Container

        func handle(
            _ request: Request, context: UserContext, next: (Request, UserContext) async throws -> Response
        ) async throws -> Response {
            let user = User(name: request.headers[.from] ?? "nobody")
            return try await container.withChild(providing: user) { services in
                var context = context
                context.services = services
                return try await next(request, context)
            }
        }
    }

    /// What the service writes, in order.
    private final class Log: Sendable {
        private let all = Mutex<[String]>([])
        var lines: [String] { all.withLock { $0 } }
        func write(_ line: String) { all.withLock { $0.append(line) } }

        func wait(for lines: [String]) async throws {
            for _ in 0..<6000 where self.lines != lines { try await Task.sleep(for: .milliseconds(10)) }
            #expect(self.lines == lines)
        }
    }

    private let container = Container()
    private let log = Log()

    /// Serves on a free port while a closure runs.
    private func serve(_ body: @escaping @Sendable (Int) async throws -> Void) async throws {
        let log = log, container = container
        container.givenByChild(User.self)
        container.register(Basket.self) { r in Basket(user: try r.require(User.self)) }
            .inObjectScope(.child)
            .onClose { basket in log.write("closed \(basket.user.name)") }
        try await container.start()
        let router = Router(context: UserContext.self)
        router.add(middleware: RequestServices(container: container))
        router.get("name") { _, context in try context.services.require(Basket.self).user.name }
        router.get("fails") { _, context -> String in
            throw HTTPError(.conflict, message: try context.services.require(Basket.self).user.name)
        }
        router.get("late") { _, context in
            let services = context.services
            return Response(
                status: .ok,
                body: ResponseBody { writer in
                    do { _ = try services.require(Basket.self) } catch { log.write("\(error)") }
                    try await writer.finish(nil)
                })
        }
        router.get("lines") { request, _ in
            let user = User(name: request.headers[.from] ?? "nobody")
            return Response(status: .ok, body: Self.body(for: user, container))
        }
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            for await port in ports {
                try await body(port)
                break
            }
            group.cancelAll()
        }
        #expect(await container.close().isEmpty)
    }

    private static func body(for user: User, _ container: Container) -> ResponseBody {
        ResponseBody { writer in
            try await container.withChild(providing: user) { services in
                let basket = try services.require(Basket.self)
                for try await line in basket.lines { try await writer.write(ByteBuffer(string: line)) }
            }
            try await writer.finish(nil)
        }
    }

    @Test("Each request has services of its own, which are closed before the answer, also after an error")
    func handlers() async throws {
        let log = log
        try await serve { port in
            let answers = try await onThread {
                let client = try LoopbackClient(port: port)
                return try [
                    client.send("GET", "/name", headers: ["From": "Ada"]),
                    client.send("GET", "/fails", headers: ["From": "Bob"]), client.get("/name"),
                ]
            }
            #expect(answers.map(\.status) == [200, 409, 200])
            #expect(answers.first?.body == "Ada" && answers.last?.body == "nobody")
            #expect(log.lines == ["closed Ada", "closed Bob", "closed nobody"])
        }
    }

    @Test("A streamed body that uses the services of its handler gets an error that says so")
    func lateBody() async throws {
        let log = log
        try await serve { port in
            _ = try? await onThread { try LoopbackClient(port: port).get("/late") }
            try await log.wait(for: ["Basket: the container of Basket is closed. Resolve what you need before close()"])
        }
    }

    @Test("The services of a streamed body are closed when its client goes away in the middle")
    func lostClient() async throws {
        let log = log
        try await serve { port in
            // It returns after the head, whose length is not known, and closes the connection.
            _ = try? await onThread { try LoopbackClient(port: port).send("GET", "/lines", headers: ["From": "Ada"]) }
            try await log.wait(for: ["closed Ada"])
        }
    }
}

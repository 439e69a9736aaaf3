import Container
import Synchronization
import Testing

// The Swift blocks about the lifetime of services in the README and the articles, copied verbatim.

@Suite("The examples on the lifetime of services")
struct LifetimeExamples {
    protocol TimeSource: Sendable {}
    struct SystemTime: TimeSource {}
    struct FixedTime: TimeSource {}
    final class Report: Sendable {
        let clock: any TimeSource
        init(clock: any TimeSource) { self.clock = clock }
    }
    struct User { let name: String }

    final class Pool: Sendable {
        struct Busy: Error, CustomStringConvertible { let description = "busy" }
        func shutdown() async throws { throw Busy() }
    }

    final class Visit: Sendable {
        let text: String
        private let ends = Atomic(0)
        var ended: Int { ends.load(ordering: .relaxed) }
        init(user: User) { text = "Hello, \(user.name)" }
        func end() { ends.add(1, ordering: .relaxed) }
    }

    struct ReportAssembly: Assembly {
        func assemble(container: Container) {
            container.register((any TimeSource).self) { _ in SystemTime() }
            container.register(Report.self) { r in Report(clock: try r.require((any TimeSource).self)) }
                .inObjectScope(.container)
        }

        // Without `overriding:`, an override would come too late for a service that is resolved here.
        func loaded(resolver: Resolver) { _ = resolver.resolve(Report.self) }
    }

    let container = Container()

    func respond(to user: User) async throws -> String {
        try await container.withChild(providing: user) { request in
            try request.require(Visit.self).text
        }
    }

    @Test("Closing")
    func closing() async {
        let heard = Mutex<[String]>([])
        func log(_ text: String) { heard.withLock { $0.append(text) } }
        // Long, because other tests occupy the threads that run tasks.
        let gracePeriod = Duration.seconds(3600)
        container.onFailure { _ in }

        container.register(Pool.self) { _ in Pool() }
            .inObjectScope(.container)
            .onClose { pool in try await pool.shutdown() }
        _ = container.resolve(Pool.self)

        for error in await container.close(timeout: gracePeriod) { log(error.description) }
        #expect(heard.withLock { $0 } == ["Pool: the closing of Pool threw: busy"])
        await container.close()
    }

    @Test("Sessions")
    func sessions() async {
        container.register(Visit.self) { _ in Visit(user: User(name: "Ada")) }
            .inObjectScope(.session)
            .onClose { visit in visit.end() }
        let visit = container.resolve(Visit.self)
        await container.close(.session)
        #expect(visit?.ended == 1)
        #expect(container.resolve(Visit.self) !== visit)
        await container.close()
    }

    @Test("Requests")
    func requests() async throws {
        let user = User(name: "Ada")
        container.register(Visit.self) { r in Visit(user: try r.require(User.self)) }
            .inObjectScope(.child)
            .onClose { visit in visit.end() }

        #expect(try await respond(to: user) == "Hello, Ada")
        let visit = try await container.withChild(providing: user) { request in try request.require(Visit.self) }
        #expect(visit.ended == 1)
    }

    @Test("Tests with overrides: a container for each test")
    func overriding() throws {
        let test = Assembler(
            assemblies: [ReportAssembly()],
            overriding: { $0.register((any TimeSource).self) { _ in FixedTime() } })
        let report = try test.resolver.require(Report.self)
        #expect(report.clock is FixedTime)
    }
}

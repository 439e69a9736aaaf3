import Container
import Testing

@Suite("Closing services that are built asynchronously", .hangLimit)
struct AsyncClosingTests {
    let container = Container()
    let log = Log()

    /// Counts its closings, and knows the service that it was built from.
    final class Resource: Sendable {
        let closings = Counter()
        let base: Resource?
        init(on base: Resource? = nil) { self.base = base }
        func shutDown() async {
            await Task.yield()
            #expect(closings.increment() == 1 && base?.closings.count ?? 0 == 0)
        }
    }

    @Test("close waits for a construction in progress and closes its instance, and who awaits it gets .closed")
    func construction() async throws {
        let (container, log, gate, failures) = (container, log, Gate(), Failures())
        failures.listen(to: container)
        container.register(Shared.self) { _ in Shared() }.inObjectScope(.container).onClose { _ in log.write("shared") }
        container.register(Shared.self, name: "later") { _ in Shared() }.inObjectScope(.container)
        container.register(Database.self) { r in
            _ = try await r.require(Shared.self)
            await gate.pass()
            _ = try await r.require(Shared.self)
            do {
                _ = try await r.require(Shared.self, name: "later")
            } catch let error as ResolutionError {
                log.write(error.reason.description)
            }
            return Database()
        }.inObjectScope(.container).onClose { _ in log.write("database") }
        let tasks = (0..<3).map { _ in Task { try await container.require(async: Database.self) } }
        await until { gate.waiting > 0 }
        let closing = Task { await container.closeSlowly() }
        await until { container.resolve(Container.self) == nil }
        #expect(log.lines.isEmpty)
        gate.open()
        for task in tasks {
            let error = await #expect(throws: ResolutionError.self) { try await task.value }
            #expect(error?.reason == .closed)
        }
        #expect(await closing.value.isEmpty)
        #expect(log.lines == ["closed", "database", "shared"])
        #expect(failures.all.map(\.reason) == [.closed])
    }

    @Test("An instance whose construction takes longer than the timeout of close is closed when it is complete")
    func late() async throws {
        let (container, gate, closed, failures) = (container, Gate(), Counter(), Failures())
        failures.listen(to: container)
        container.register(Database.self) { _ in
            await gate.pass()
            return Database()
        }.inObjectScope(.container).onClose { _ in closed.increment() }
        let task = Task { try await container.require(async: Database.self) }
        await until { gate.waiting > 0 }
        let errors = await container.close(timeout: .milliseconds(5))
        #expect(errors.map(\.reason) == [.closeFailed] && errors.first?.path == ["Database"])
        #expect(failures.all.map(\.description) == errors.map(\.description))
        #expect(closed.count == 0)
        gate.open()
        await #expect(throws: ResolutionError.self) { try await task.value }
        await until { closed.count > 0 }
        #expect(closed.count == 1)
    }

    /// The ways in which a lookup loses an instance under construction.
    static let displacements: [@Sendable (Container) throws -> Void] = [
        { $0.resetSession() },
        { container in
            container.register(Database.self) { _ async in Database() }.inObjectScope(.session)
        },
        { $0.removeAll() },
    ]

    @Test(
        "close cancels constructions that a reset or another registration has displaced, and names them at its deadline",
        arguments: displacements.indices)
    func displaced(_ index: Int) async throws {
        let (container, gate, closed, isCancelled) = (container, Gate(), Counter(), Counter())
        container.onFailure { _ in }
        container.register(Database.self) { _ in
            await gate.pass()
            if Task.isCancelled { isCancelled.increment() }
            return Database()
        }.inObjectScope(.session).onClose { _ in closed.increment() }
        let task = Task { try await container.require(async: Database.self) }
        await until { gate.waiting > 0 }
        try Self.displacements[index](container)
        #expect(await container.close(timeout: .zero).map(\.path) == [["Database"]])
        gate.open()
        await #expect(throws: ResolutionError.self) { try await task.value }
        await until { closed.count > 0 }
        #expect((closed.count, isCancelled.count) == (1, 1))
    }

    @Test("close of a child waits for all instances that it builds by registrations of its parent, one after another")
    func displacedInChild() async throws {
        let (container, gate) = (container, Gate())
        let child = Container(parent: container)
        child.onFailure { _ in }
        var tasks: [Task<Database, any Error>] = []
        for count in 1...2 {
            container.register(Database.self) { _ in
                await gate.pass()
                return Database()
            }.inObjectScope(.child)
            tasks.append(Task { try await child.require(async: Database.self) })
            await until { gate.waiting == count }
        }
        #expect(await child.close(timeout: .zero).map(\.path) == [["Database"], ["Database"]])
        gate.open()
        for task in tasks { await #expect(throws: ResolutionError.self) { try await task.value } }
    }

    @Test("A factory that awaits close of its own container gets the error of its own construction at the deadline")
    func insideFactory() async throws {
        let container = Container()
        container.onFailure { _ in }
        container.register(Database.self) { _ in
            #expect(await container.close(timeout: .milliseconds(5)).map(\.reason) == [.closeFailed])
            return Database()
        }.inObjectScope(.container)
        await #expect(throws: ResolutionError.self) { try await container.require(async: Database.self) }
        container.removeAll()
    }

    @Test("Each instance is closed once, whatever tasks resolve or are cancelled when close begins")
    func race() async throws {
        for round in 0..<40 {
            let (container, made) = (Container(), Results<Resource>())
            container.onFailure { _ in }
            for number in 0..<16 {
                container.register(Resource.self, name: "\(number)") { r in
                    let base = number < 2 ? nil : try await r.require(Resource.self, name: "\(number / 2)")
                    await Task.yield()
                    let resource = Resource(on: base)
                    return resource
                }.inObjectScope(.container)
                    .initCompleted { _, resource in made.add(resource) }
                    .onClose { await $0.shutDown() }
            }
            let tasks = (0..<32).map { number in
                Task { try? await container.require(async: Resource.self, name: "\(number % 16)") }
            }
            for task in tasks.prefix(round % 5) { task.cancel() }
            for _ in 0..<round { await Task.yield() }
            #expect(await container.closeSlowly().isEmpty)
            for task in tasks { _ = await task.value }
            #expect(made.all.allSatisfy { $0.closings.count == 1 })
        }
    }
}

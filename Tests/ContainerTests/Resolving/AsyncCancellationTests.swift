import Container
import Testing

@Suite("Cancellation and failure of asynchronous constructions", .hangLimit)
struct AsyncCancellationTests {
    /// A container whose `Database` waits at a gate. The counters count the calls that began and that were cancelled,
    /// and the constructions of `Api` that began.
    struct Opening {
        let container = Container()
        let gate = Gate()
        let began = Counter()
        let cancelled = Counter()
        let asked = Counter()

        init() {
            let (gate, began, cancelled, asked) = (gate, began, cancelled, asked)
            container.register(Database.self) { _ in
                let number = began.increment()
                await withTaskCancellationHandler {
                    await gate.pass()
                } onCancel: {
                    cancelled.increment()
                }
                if Task.isCancelled { throw Failure("interrupted") }
                return Database(number)
            }.inObjectScope(.container)
            container.register(Api.self) { r in
                asked.increment()
                return Api(try await r.require(Database.self))
            }
        }

        func asks<Service: Sendable>(
            for type: Service.Type = Database.self
        ) -> Task<Result<Service, ResolutionError>, Never> {
            Task { [container] in
                do throws(ResolutionError) {
                    return .success(try await container.require(async: type))
                } catch {
                    return .failure(error)
                }
            }
        }
    }

    @Test("A task that is cancelled while it waits throws, and the construction goes on for the others")
    func waiterIsCancelled() async throws {
        let opening = Opening()
        let first = opening.asks(for: Api.self)
        await until { opening.gate.waiting == 1 }
        let second = opening.asks(for: Api.self)
        await until { opening.asked.count == 2 }
        // Now both tasks wait for the construction, which the first one has started.
        await untilMainActorIsFree()
        first.cancel()
        let error = try #require(await first.value.failure)
        #expect(error.reason == .cancelled)
        #expect(error.cause is CancellationError)
        #expect(error.description == "Api → Database: the task that waited for Database was cancelled")
        opening.gate.open()
        #expect(try await second.value.get().database.number == 1)
        #expect(opening.cancelled.count == 0)
    }

    @Test("When all tasks that wait are cancelled, the construction goes on, and a later task gets its instance")
    func allWaitersAreCancelled() async throws {
        let opening = Opening()
        let tasks = (0..<3).map { _ in opening.asks() }
        await until { opening.gate.waiting == 1 }
        for task in tasks { task.cancel() }
        for task in tasks {
            let result = await task.value
            #expect(throws: ResolutionError.self) { try result.get() }
        }
        let later = opening.asks()
        opening.gate.open()
        #expect(try await later.value.get().number == 1)
        #expect((opening.began.count, opening.cancelled.count) == (1, 0))
    }

    @Test("close() cancels a construction whose askers have been cancelled")
    func closeCancels() async throws {
        let opening = Opening()
        let task = opening.asks()
        await until { opening.gate.waiting == 1 }
        task.cancel()
        #expect(await task.value.failure?.reason == .cancelled)
        async let errors = opening.container.closeSlowly()
        await until { opening.cancelled.count == 1 }
        opening.gate.open()
        #expect(await errors.isEmpty)
    }

    @Test("A task that is already cancelled does not start a construction")
    func cancelledBefore() async {
        let opening = Opening()
        let task = Task {
            await until { Task.isCancelled }
            return await failure(async: Database.self, in: opening.container)
        }
        task.cancel()
        #expect(await task.value?.reason == .cancelled)
        #expect(opening.began.count == 0)
    }

    @Test("If a construction fails, all tasks that wait get its error with their own paths, and later ones try again")
    func constructionFails() async throws {
        let (container, gate, calls, asked) = (Container(), Gate(), Counter(), Counter())
        container.register(Database.self) { _ in
            await gate.pass()
            if calls.increment() == 1 { throw Failure("no route") }
            return Database(2)
        }.inObjectScope(.container)
        container.register(Api.self) { r in
            asked.increment()
            return Api(try await r.require(Database.self))
        }
        let direct = Task { try await container.require(async: Database.self) }
        await until { gate.waiting == 1 }
        let indirect = Task { try await container.require(async: Api.self) }
        await until { asked.count == 1 }
        // Now both tasks wait for the construction.
        await untilMainActorIsFree()
        gate.open()
        var messages: [String] = []
        do { _ = try await direct.value } catch { messages.append("\(error)") }
        do { _ = try await indirect.value } catch { messages.append("\(error)") }
        #expect(
            messages == [
                "Database: the factory of Database threw: no route",
                "Api → Database: the factory of Database threw: no route",
            ])
        #expect(try await container.require(async: Database.self).number == 2)
    }

    @Test("If the completion of an asynchronous construction fails, nothing is kept")
    func completionFails() async throws {
        let (container, calls) = (Container(), Counter())
        container.register(Database.self) { _ in Database() }
            .inObjectScope(.container)
            .initCompleted { _, _ async throws in if calls.increment() == 1 { throw Failure("late") } }
        await #expect(throws: ResolutionError.self) { try await container.require(async: Database.self) }
        #expect(failure { _ = try container.require(Database.self) }?.reason == .asynchronous)
        _ = try await container.require(async: Database.self)
        #expect(calls.count == 2)
    }
}

extension Result {
    fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}

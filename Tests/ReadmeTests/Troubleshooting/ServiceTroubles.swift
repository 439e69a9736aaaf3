import DeclarativeContainer
import Synchronization

extension Trouble {
    /// The kinds of `ResolutionError`.
    static let services: [Trouble] = [
        Trouble(
            "notRegistered",
            "Nothing is registered for the type and the name. A type and the protocols that it conforms to are "
                + "different services: see `implements`."
        ) {
            let container = Container()
            container.register(Report.self) { r in Report(clock: try r.require(Clock.self, name: "utc")) }
            container.register(Clock.self) { _ in Clock() }
            return failure { try container.require(Report.self) }
        },
        Trouble(
            "wrongArguments",
            "The service is registered for other types of runtime arguments. The static types count."
        ) {
            let container = Container()
            container.register(Clock.self) { (_, _: Int) in Clock() }
            return failure { try container.require(Clock.self, arguments: "7") }
        },
        Trouble(
            "otherArguments",
            "The service has a shared scope, and its instance was built from other runtime arguments: see "
                + "[Scopes](Scopes.md)."
        ) {
            let container = Container()
            container.register(Clock.self) { (_, _: String) in Clock() }.inObjectScope(.container)
            _ = try container.require(Clock.self, arguments: "Europe/Berlin")
            return failure { try container.require(Clock.self, arguments: "UTC") }
        },
        Trouble(
            "circular",
            "The factory of a service needs the service itself, also through other services, threads or tasks. If "
                + "the services are shared, let one of them take a `Lazy` of the other. If they are not, use "
                + "`initCompleted` and a weak reference: see [Scopes](Scopes.md). A closure of `onClose` that resolves "
                + "its own service gets this error, too. Two circles are not seen, and hang: a circle through "
                + "`Task.detached`, and a factory that blocks its thread until another thread has got a service of the "
                + "same unfinished construction."
        ) {
            let container = Container()
            container.register(Clock.self) { r in
                _ = try r.require(Report.self)
                return Clock()
            }
            container.register(Report.self) { r in Report(clock: try r.require(Clock.self)) }
            return failure { try container.require(Report.self) }
        },
        Trouble(
            "tooDeep",
            "More than 1,000 services need each other one after another, or more than the stack of the thread has "
                + "room for. If the path is right, take a `Lazy`, or resolve on a thread with a larger stack."
        ) {
            let container = Container()
            container.register(Clock.self) { r async throws in
                try await Container(parent: r.require(Container.self)).require(async: Clock.self)
            }
            do { _ = try await container.require(async: Clock.self) } catch { return error }
            return nil
        },
        Trouble(
            "factoryFailed",
            "The factory threw an error, which is the `cause`. If it is a `PropertyError`, correct the setting."
        ) {
            let container = Container()
            container.register(Clock.self) { _ in throw NoRoute() }
            return failure { try container.require(Clock.self) }
        },
        Trouble(
            "notGiven",
            "The service is declared with `givenByChild`, and you have resolved it outside of a child, or in a "
                + "child that has not registered it."
        ) {
            let container = Container()
            container.givenByChild(Clock.self)
            return failure { try Container(parent: container).require(Clock.self) }
        },
        Trouble(
            "registeredLate",
            "You have registered a service again after `start`, and the services that have taken its instance "
                + "keep it. In a test, register it in an assembly. Only `onFailure` gets this warning."
        ) {
            let container = Container()
            let (failures, continuation) = AsyncStream.makeStream(of: ResolutionError.self)
            container.onFailure { continuation.yield($0) }
            container.register(Clock.self) { _ in Clock() }.inObjectScope(.container)
            container.register(Report.self) { r in Report(clock: try r.require(Clock.self)) }.inObjectScope(.container)
            try await container.start()
            container.register(Clock.self) { _ in Clock() }.inObjectScope(.container)
            for await failure in failures { return failure }
            return nil
        },
        Trouble("completionFailed", "A closure of `initCompleted` threw an error, which is the `cause`.") {
            let container = Container()
            container.register(Clock.self) { _ in Clock() }.initCompleted { _, _ in throw NoRoute() }
            return failure { try container.require(Clock.self) }
        },
        Trouble("wrongType", "`implements` or `Service(types:)` names a type that the instance does not have.") {
            let container = Container()
            container.register(Clock.self) { _ in Clock() }.implements((any Sequence).self)
            return failure { try container.require((any Sequence).self) }
        },
        Trouble("duplicate", "A builder of `DeclarativeContainer` defines two services of one type and qualifier.") {
            let container = Container {
                Prototype {
                    Service(types: [Clock.self], { _ in Clock() }, file: "Shop/Services.swift", line: 12)
                    Service(types: [Clock.self], { _ in Clock() }, file: "Shop/Services.swift", line: 15)
                }
            }
            return failure { try container.require(Clock.self) }
        },
        Trouble(
            "closed",
            "The container is closed, or is being closed, and builds nothing any more. Before you call `close()`, "
                + "end the code that resolves services."
        ) {
            let container = Container()
            container.register(Clock.self) { _ in Clock() }
            await container.close()
            return failure { try container.require(Clock.self) }
        },
        Trouble(
            "closeFailed",
            "A closure of `onClose` threw, or did not end in time. The container has closed the other services. "
                + "Remove the cause, or give `close(timeout:)` more time."
        ) {
            let container = Container()
            container.onFailure { _ in }
            container.register(Clock.self) { _ in Clock() }.inObjectScope(.container).onClose { _ in throw NoRoute() }
            _ = try container.require(Clock.self)
            return await container.close().first
        },
        Trouble(
            "notClosed",
            "Another service used up the time of the closing, so this service was closed only at the deadline. "
                + "Let the other service end sooner, or give `close(timeout:)` more time."
        ) {
            let container = Container()
            container.onFailure { _ in }
            @Sendable func hang() async {
                // The deadline does not cancel a detached task.
                let sleep = Task.detached { try await Task.sleep(for: .seconds(3600)) }
                _ = await sleep.result
            }
            container.register(Clock.self) { _ in Clock() }.inObjectScope(.container).onClose { _ in await hang() }
            container.register(Report.self) { r in Report(clock: try r.require(Clock.self)) }.inObjectScope(.container)
                .onClose { _ in await hang() }
            _ = try container.require(Report.self)
            return await container.close(timeout: .milliseconds(1)).first { $0.reason == .notClosed }
        },
        Trouble(
            "neverClosed",
            "A registration has `onClose` in a scope whose instances the container does not keep. Share the "
                + "instance, or close it where it is used."
        ) {
            let container = Container()
            container.register(Clock.self) { _ in Clock() }.onClose { _ in }
            return await problem(container)
        },
        Trouble(
            "asynchronous",
            "A synchronous resolve needs a service that is built asynchronously and does not exist yet. You can "
                + "also use `require(async:)`."
        ) {
            let container = Container()
            container.register(Clock.self) { _ in await Clock.synchronized() }.inObjectScope(.container)
            container.register(Report.self) { r in Report(clock: try r.require(Clock.self)) }
            return failure { try container.require(Report.self) }
        },
        Trouble(
            "cancelled",
            "The task was cancelled while it waited for a service, or built it. The next resolve builds the "
                + "service."
        ) {
            let container = Container()
            container.register(Clock.self) { _ in
                try await Task.sleep(for: .seconds(3600))
                return Clock()
            }
            .inObjectScope(.container)
            let task = Task { try await container.require(async: Clock.self) }
            task.cancel()
            do { _ = try await task.value } catch { return error }
            return nil
        },
        Trouble(
            "shorterLife",
            "A shared service keeps a service of a shorter life. It would still use a service in `.session` after "
                + "a reset, and all requests would share a service in `.child`. For a service in `.child`, give your "
                + "service that scope, or pass the other service to its methods."
        ) {
            let container = Container()
            container.register(Clock.self) { _ in Clock() }.inObjectScope(.session)
            container.register(Report.self) { r in Report(clock: try r.require(Clock.self)) }.inObjectScope(.container)
            return await problem(container)
        },
        Trouble(
            "sharedByChildren",
            "A shared service has a `Provider` or a `Lazy` of a service in `.child`, or of one that "
                + "`givenByChild` declares. It looks that service up in its own container, so all requests would share "
                + "one instance, or get none. If no child uses the shared service, ignore the warning."
        ) {
            let container = Container()
            let (failures, continuation) = AsyncStream.makeStream(of: ResolutionError.self)
            container.onFailure { continuation.yield($0) }
            container.register(Clock.self) { _ in Clock() }.inObjectScope(.child)
            container.register(Sender.self) { r in Sender(clock: try r.require(Provider<Clock>.self)) }
                .inObjectScope(.container)
            try await container.start()
            for await error in failures { return error }
            return nil
        },
        Trouble(
            "unseenOverride",
            "A child registers a service again that a shared service of a parent has taken and keeps. In a test, "
                + "make a container for each test: [Testing](Testing.md). In your service, take the other service "
                + "where you serve the request. `onFailure` gets this warning when you first resolve the shared "
                + "service from a child, and again at each `verify()` of a child. "
                + "`verify(refusesUnseenOverrides: true)` throws it."
        ) {
            let container = Container(), child = Container(parent: container)
            container.register(Clock.self) { _ in Clock() }
            container.register(Report.self) { r in Report(clock: try r.require(Clock.self)) }.inObjectScope(.container)
            child.register(Clock.self) { _ in Clock() }
            do { try await child.verify(refusesUnseenOverrides: true) } catch { return error }
            return nil
        },
        Trouble(
            "outdatedDependency",
            "A shared service takes a service that follows its settings, so it would still use the old instance "
                + "after a change. The resolve fails. You get this error, too, if two following services take each "
                + "other."
        ) {
            let container = Container()
            container.register(Clock.self) { _ in Clock() }.inObjectScope(.container).followsSettings()
            container.register(Report.self) { r in Report(clock: try r.require(Clock.self)) }.inObjectScope(.container)
            return await problem(container)
        },
        Trouble(
            "replacementFailed",
            "Properties that a following service reads have changed, and no new instance could be built. Correct "
                + "the settings, or the system that they lead to. The construction is tried again after a pause, and "
                + "after a change of what it has read or holds. `Container.outdatedServices` has the service and the "
                + "error. Only `onFailure` gets the error."
        ) {
            let container = Container()
            let (errors, continuation) = AsyncStream.makeStream(of: ResolutionError.self)
            container.onFailure { continuation.yield($0) }
            container.register(Clock.self) { r in
                if r.property("clock.server") == "b.example.com" { throw NoRoute() }
                return Clock()
            }.inObjectScope(.container).followsSettings()
            _ = try container.require(Clock.self)
            try container.properties.set(["clock.server": "b.example.com"], fileID: "Shop/Admin.swift", line: 12)
            for await error in errors { return error }
            return nil
        },
    ]

    private static func failure(_ resolve: () throws -> Any) -> (any Error)? {
        do { _ = try resolve() } catch { return error }
        return nil
    }

    private static func problem(_ container: Container) async -> (any Error)? {
        do throws(ConfigurationErrors) { try await container.verify() } catch { return error.problems.first?.error }
        return nil
    }
}

// Their names are in the messages, so they are not nested in another type.

private final class Clock: Sendable {
    static func synchronized() async -> Clock { Clock() }
}

private final class Report: Sendable {
    let clock: Clock
    init(clock: Clock) { self.clock = clock }
}

private struct Sender: Sendable { let clock: Provider<Clock> }

private struct NoRoute: Error, CustomStringConvertible { let description = "no route to host" }

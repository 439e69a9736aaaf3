import DeclarativeContainer
import Synchronization

extension Trouble {
    /// The kinds of `ResolutionError`.
    static let services: [Trouble] = [
        Trouble(
            "notRegistered",
            cause:
                "Nothing is registered for the type and the name. The message has the path to the service that "
                + "needs it, and similar registrations.",
            remedy:
                "Register the service before you resolve it, or apply its assembly. A type and the protocols that "
                + "it conforms to are different services: see `implements`."
        ) {
            let container = Container()
            container.register(Report.self) { r in Report(clock: try r.require(Clock.self, name: "utc")) }
            container.register(Clock.self) { _ in Clock() }
            return failure { try container.require(Report.self) }
        },
        Trouble(
            "wrongArguments",
            cause: "The service is registered for other types of runtime arguments. The static types count.",
            remedy: "Pass arguments of exactly the types of the factory's parameters."
        ) {
            let container = Container()
            container.register(Clock.self) { (_, _: Int) in Clock() }
            return failure { try container.require(Clock.self, arguments: "7") }
        },
        Trouble(
            "otherArguments",
            cause:
                "The service has a shared scope, and its instance was built from other runtime arguments. "
                + "Arguments that are `Hashable` are compared.",
            remedy:
                "Resolve it with the same arguments everywhere. If each caller needs an instance for its own "
                + "arguments, register it in `.graph` or `.transient`."
        ) {
            let container = Container()
            container.register(Clock.self) { (_, _: String) in Clock() }.inObjectScope(.container)
            _ = try container.require(Clock.self, arguments: "Europe/Berlin")
            return failure { try container.require(Clock.self, arguments: "UTC") }
        },
        Trouble(
            "circular",
            cause:
                "The factory of a service needs the service itself, directly or through other services. You get "
                + "this error in place of a stack overflow or a deadlock, also if several threads or tasks build "
                + "the services. Two circles are not seen: a circle through `Task.detached`, and a factory that "
                + "blocks its thread until another thread has got a service of the same unfinished construction. If "
                + "a closure of `onClose` resolves its own service, it gets `.circular`, too, because the service "
                + "is not built again to close it.",
            remedy:
                "Let one of the services take the other later. If they are shared, take a `Lazy`. If they are "
                + "not, use `initCompleted` and a weak reference. See [Scopes](Scopes.md)."
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
            cause:
                "Too many services need each other one after another: more than 1,000, or more than the stack of "
                + "the thread has room for. The message has the beginning and the end of the path.",
            remedy:
                "Look for a service that resolves itself, for example from a new child container. If the path is "
                + "right, let one of its services take the next as a `Lazy`, or resolve on a thread with a larger "
                + "stack."
        ) {
            let container = Container()
            container.register(Clock.self) { r async throws in
                try await Container(parent: r.require(Container.self)).require(async: Clock.self)
            }
            do { _ = try await container.require(async: Clock.self) } catch { return error }
            return nil
        },
        Trouble(
            "factoryFailed", cause: "The factory threw an error, which is the `cause`.",
            remedy: "Remove the cause. If it is a `PropertyError`, correct the setting."
        ) {
            let container = Container()
            container.register(Clock.self) { _ in throw NoRoute() }
            return failure { try container.require(Clock.self) }
        },
        Trouble(
            "notGiven",
            cause:
                "The service is declared with `givenByChild`, and you have resolved it in a container that is not "
                + "a child, or in a child that has not registered it.",
            remedy: "Register the service in each child. Resolve the services that take it in the child."
        ) {
            let container = Container()
            container.givenByChild(Clock.self)
            return failure { try Container(parent: container).require(Clock.self) }
        },
        Trouble(
            "registeredLate",
            cause:
                "You have registered a service again after `start`, and the services that have taken its instance "
                + "keep it. Only `onFailure` gets this warning.",
            remedy: "Register it before `start`, for example in an assembly of a test."
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
        Trouble(
            "completionFailed", cause: "A closure of `initCompleted` threw an error, which is the `cause`.",
            remedy: "Remove the cause."
        ) {
            let container = Container()
            container.register(Clock.self) { _ in Clock() }.initCompleted { _, _ in throw NoRoute() }
            return failure { try container.require(Clock.self) }
        },
        Trouble(
            "wrongType", cause: "`implements` or `Service(types:)` names a type that the instance does not have.",
            remedy: "Remove the type, or let the class conform to it."
        ) {
            let container = Container()
            container.register(Clock.self) { _ in Clock() }.implements((any Sequence).self)
            return failure { try container.require((any Sequence).self) }
        },
        Trouble(
            "duplicate",
            cause: "A builder of `DeclarativeContainer` defines two services of one type and qualifier.",
            remedy: "Remove one of the two services, or give it a qualifier."
        ) {
            let container = Container {
                Prototype {
                    Service(types: [Clock.self], { _ in Clock() }, file: "Shop/Services.swift", line: 12)
                    Service(types: [Clock.self], { _ in Clock() }, file: "Shop/Services.swift", line: 15)
                }
            }
            return failure { try container.require(Clock.self) }
        },
        Trouble(
            "closed", cause: "The container is closed, or is being closed. It builds nothing any more.",
            remedy: "Before you call `close()`, end the code that resolves services."
        ) {
            let container = Container()
            container.register(Clock.self) { _ in Clock() }
            await container.close()
            return failure { try container.require(Clock.self) }
        },
        Trouble(
            "closeFailed",
            cause: "A closure of `onClose` threw, or did not end in time. The container has closed the other services.",
            remedy: "Remove the cause, or give `close(timeout:)` more time."
        ) {
            let container = Container()
            container.onFailure { _ in }
            container.register(Clock.self) { _ in Clock() }.inObjectScope(.container).onClose { _ in throw NoRoute() }
            _ = try container.require(Clock.self)
            return await container.close().first
        },
        Trouble(
            "notClosed",
            cause:
                "Another service used up the time of the closing, so this service was closed only at the "
                + "deadline.",
            remedy: "Let the other service end sooner, or give `close(timeout:)` more time."
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
            cause: "A registration has `onClose` in a scope whose instances the container does not keep. `start` and "
                + "`verify()` report it.",
            remedy: "Share the instance in `.container` or another scope, or close it where it is used."
        ) {
            let container = Container()
            container.register(Clock.self) { _ in Clock() }.onClose { _ in }
            return await problem(container)
        },
        Trouble(
            "asynchronous",
            cause: "A synchronous resolve needs a service that is built asynchronously and does not exist yet.",
            remedy: "Call `start()` first, or let an asynchronous factory take the service, or use `require(async:)`."
        ) {
            let container = Container()
            container.register(Clock.self) { _ in await Clock.synchronized() }.inObjectScope(.container)
            container.register(Report.self) { r in Report(clock: try r.require(Clock.self)) }
            return failure { try container.require(Report.self) }
        },
        Trouble(
            "cancelled",
            cause: "The task was cancelled while it waited for a service, or built it.",
            remedy: "Nothing. The next resolve builds the service."
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
            cause:
                "A shared service keeps a service of a shorter life: in `.session`, which it would still use "
                + "after a reset, or in `.child`, which all requests would share. `start` and `verify()` report it.",
            remedy:
                "Take a service in `.session` as a `Provider`, or give both the same scope. If the other service "
                + "is in `.child`, give your service that scope, or pass the other one to its methods."
        ) {
            let container = Container()
            container.register(Clock.self) { _ in Clock() }.inObjectScope(.session)
            container.register(Report.self) { r in Report(clock: try r.require(Clock.self)) }.inObjectScope(.container)
            return await problem(container)
        },
        Trouble(
            "sharedByChildren",
            cause:
                "A shared service has a `Provider` or a `Lazy` of a service in `.child`, or of one that "
                + "`givenByChild` declares. It looks that service up in its own container, so all requests would "
                + "share one instance, or get none. `onFailure` gets this warning at `start` and at `verify()`.",
            remedy:
                "Give the shared service the scope `.child`, or pass the other service to its methods. If no "
                + "child uses the shared service, nothing."
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
            cause:
                "A child registers a service again that a shared service of a parent has taken. The shared "
                + "service keeps the service of the parent. When you first resolve it from a child, `onFailure` "
                + "gets this warning, and again at each `verify()` of a child. `verify(refusesUnseenOverrides: "
                + "true)` throws it.",
            remedy:
                "In a test, make a container for each test. In your service, give the shared service the scope "
                + "`.child`, or take the other service where you serve the request."
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
            cause:
                "A shared service takes a service that follows its settings, so it would still use the old "
                + "instance after a change. The resolve fails, and `start` and `verify()` report it. They also "
                + "report two following services that take each other.",
            remedy:
                "Take the other service as a `Provider`, or let both follow. Then your service is replaced after "
                + "the other."
        ) {
            let container = Container()
            container.register(Clock.self) { _ in Clock() }.inObjectScope(.container).followsSettings()
            container.register(Report.self) { r in Report(clock: try r.require(Clock.self)) }.inObjectScope(.container)
            return await problem(container)
        },
        Trouble(
            "replacementFailed",
            cause:
                "Properties that a following service reads have changed, and no new instance could be built. Only "
                + "`onFailure` gets the error. The former instance stays, and `Container.outdatedServices` has "
                + "its name and the error.",
            remedy:
                "Correct the settings, or the system that they lead to. The construction is tried again after a "
                + "pause, and after a change of what it has read or holds."
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

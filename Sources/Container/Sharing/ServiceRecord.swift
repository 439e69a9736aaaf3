/// A shared instance that a container keeps until it is closed.
struct ServiceRecord: Sendable {
    let registration: Registration
    let instance: StoredInstance
    /// What the instance was built from.
    let takes: [Take]
    /// What it has read, if it follows its settings. No two instances have the same.
    var reads: ReadLog?
    /// Whether it must be replaced, because it was built from an instance that has been replaced.
    var isStale = false

    /// Whether something closes the instance.
    var hasHooks: Bool { registration.isKept && !registration.options.closures.isEmpty }

    /// The hooks of the instance in the order in which they run: from the last to the first.
    var hooks: [CloseHook] {
        if !registration.isKept { return [] }
        return registration.options.closures.reversed().map {
            CloseHook(key: registration.key, closure: $0, instance: instance)
        }
    }
}

/// A shared service that another shared service has taken.
struct Take: Hashable, Sendable {
    /// The key of the registration that builds the service, also if another one forwards to it.
    let key: ServiceKey
    /// Whether it was taken as a `Lazy` or `Provider`, which looks the instance up later.
    let isDeferred: Bool
}

/// One step in the closing of a shared instance.
struct CloseHook: Sendable {
    enum Closure: Sendable {
        case synchronous(@Sendable (StoredInstance) throws -> Void)
        case asynchronous(@Sendable (StoredInstance) async throws -> Void)
    }

    let key: ServiceKey
    let closure: Closure
    let instance: StoredInstance

    /// Whether the closure is synchronous.
    var isSynchronous: Bool { if case .synchronous = closure { true } else { false } }

    /// Runs a synchronous closure, and returns its error.
    func runNow() -> ResolutionError? {
        do {
            if case .synchronous(let close) = closure { try close(instance) }
            return nil
        } catch {
            return ResolutionError(.closeFailed, path: [key], cause: error)
        }
    }

    /// Runs the closure, and returns its error.
    func run() async -> ResolutionError? {
        do {
            if case .asynchronous(let close) = closure { try await close(instance) }
            return runNow()
        } catch {
            return ResolutionError(.closeFailed, path: [key], cause: error)
        }
    }
}

/// A service that the container closes.
///
/// When the container is closed, or the scope of the instance is reset, the container calls `close()` of each instance
/// that it shares. A registration with `onClose` closes its instances by that closure instead. Instances of the
/// `.transient`, `.graph` and weak scopes are not closed.
///
/// A conformance cannot be isolated to an actor, so that the container finds each one. The method itself can be.
public protocol Closeable: SendableMetatype {
    /// Closes the service. It may be synchronous or asynchronous.
    ///
    /// If it does not return by the deadline, its task is cancelled and the container does not wait for it any longer.
    func close() async throws
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

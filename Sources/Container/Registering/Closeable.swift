/// A service that the container closes.
///
/// When the container is closed, or the scope of the instance is reset, the container calls `close()` of each instance
/// that it shares. A registration with `onClose` closes its instances by that closure instead. Instances of the
/// `.transient`, `.graph` and weak scopes are not closed.
public protocol Closeable {
    /// Closes the service. It may be synchronous or asynchronous.
    ///
    /// If it does not return in time, its task is cancelled and the container does not wait for it any longer.
    func close() async throws
}

/// One step in the closing of a shared instance.
struct CloseHook: @unchecked Sendable {
    // @unchecked: the properties are immutable, and threads share only services that are `Sendable` or whose
    // registration is marked `unchecked:`.
    enum Closure: Sendable {
        case sync(@Sendable (AnyObject) throws -> Void)
        case async(@Sendable (AnyObject) async throws -> Void)
    }

    let key: ServiceKey
    let scope: Scope
    let closure: Closure
    /// The instance in its stored form.
    let stored: AnyObject

    /// The hooks of an instance, in the order in which its registration got them: those of `onClose`, or else the one
    /// of `Closeable`. Empty if nothing closes the instance.
    static func hooks(of registration: Registration, _ stored: AnyObject) -> [CloseHook] {
        if !registration.canClose { return [] }
        var closures = registration.options.closures
        let form = registration.form
        if closures.isEmpty, form.value(in: stored) is any Closeable {
            closures = [.async { try await (form.value(in: $0) as? any Closeable)?.close() }]
        }
        return closures.map {
            CloseHook(key: registration.key, scope: registration.options.scope, closure: $0, stored: stored)
        }
    }

    /// Runs the closure now if it is synchronous.
    ///
    /// - Returns: whether it is synchronous, and the error that it threw.
    func runNow() -> (isDone: Bool, error: ResolutionError?) {
        guard case .sync(let close) = closure else { return (false, nil) }
        do { try close(stored) } catch { return (true, ResolutionError(.closeFailed, path: [key], cause: error)) }
        return (true, nil)
    }

    /// Runs the closure in a task of its own. After the timeout, cancels the task and does not wait for it any longer.
    ///
    /// - Returns: the error that the closure threw, or that of the timeout, or nil.
    func run(within timeout: Duration) async -> ResolutionError? {
        let end = await Deadline.result(within: timeout) { () -> ResolutionError? in
            do {
                if case .async(let close) = closure { try await close(stored) }
                return runNow().error
            } catch {
                return ResolutionError(.closeFailed, path: [key], cause: error)
            }
        }
        return end ?? ResolutionError(.closeFailed, path: [key], detail: "\(timeout)")
    }
}

/// A limit on the time that a caller waits.
enum Deadline {
    /// Runs a closure in a task of its own and waits for its result.
    ///
    /// - Returns: the result, or nil if the timeout expired or the caller's task is cancelled. Then the task of the
    ///   closure has been cancelled.
    static func result<Value: Sendable>(
        within timeout: Duration, _ body: @escaping @Sendable () async -> Value
    ) async -> Value? {
        let (results, continuation) = AsyncStream.makeStream(of: Value?.self)
        let work = Task { continuation.yield(await body()) }
        let timer = Task {
            try await Task.sleep(for: timeout)
            continuation.yield(nil)
        }
        var iterator = results.makeAsyncIterator()
        let result = await iterator.next()
        work.cancel()
        timer.cancel()
        return result ?? nil
    }
}

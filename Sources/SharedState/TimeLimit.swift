/// Runs an operation in a task of its own, and returns when it ends or when a time is over.
///
/// A task group would wait for an operation that ignores its cancellation.
///
/// - Parameters:
///   - limit: the time, at most a day. The operation is cancelled then.
///   - operation: the operation.
/// - Returns: the result of the operation, or nil if the time is over. If the calling task is cancelled, so is the
///   operation, and the result is a `CancellationError`.
package func result<Value: Sendable>(
    within limit: Duration, of operation: @escaping @Sendable () async throws -> Value
) async -> Result<Value, any Error>? {
    let (results, sender) = AsyncStream.makeStream(of: Result<Value, any Error>?.self)
    let task = Task {
        do { sender.yield(.success(try await operation())) } catch { sender.yield(.failure(error)) }
    }
    let timer = Task {
        // No sum of a day overflows.
        try await Task.sleep(for: min(limit, .seconds(86_400)))
        sender.yield(nil)
    }
    defer {
        task.cancel()
        timer.cancel()
    }
    // The stream also ends when the calling task is cancelled.
    for await result in results { return result }
    return .failure(CancellationError())
}

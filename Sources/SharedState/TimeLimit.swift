/// Runs an operation in a task of its own, and returns when it ends or when a time is over.
///
/// A task group would wait for an operation that ignores its cancellation.
///
/// - Parameters:
///   - limit: the time. The operation is cancelled then.
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
    let (ended, deadline) = (Signal<Void>(), Deadline(after: limit))
    // A task, because the thread of the deadlines must not release the result.
    Task { if await ended.value(before: deadline) == nil { sender.yield(nil) } }
    defer {
        task.cancel()
        ended.send(())
        deadline.cancel()
    }
    // The stream also ends when the calling task is cancelled.
    for await result in results { return result }
    return .failure(CancellationError())
}

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
    let ended = Signal<Void>()
    // A task, because the thread of the deadlines must not release the result, and because the time must not begin before
    // a thread is free for tasks.
    Task {
        let deadline = Deadline(after: limit)
        if await ended.value(before: deadline) == nil { sender.yield(nil) }
        deadline.cancel()
    }
    defer {
        task.cancel()
        ended.send(())
    }
    // The stream also ends when the calling task is cancelled.
    for await result in results { return result }
    return .failure(CancellationError())
}

import Dispatch

/// Runs what may block on a thread that runs no tasks, and waits for it.
///
/// - Parameters:
///   - label: the name of the queue, for debuggers.
///   - body: the work.
/// - Returns: the result of the work.
package func onThread<Result: Sendable>(
    _ label: String, _ body: @escaping @Sendable () -> Result
) async -> Result {
    await withCheckedContinuation { continuation in
        DispatchQueue(label: label).async { continuation.resume(returning: body()) }
    }
}

package import Foundation

extension Process {
    /// Runs the process and suspends until it exits. It blocks no thread, because the thread pool has only as many
    /// threads as there are cores, and other tests need them.
    package func runToEnd() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            terminationHandler = { _ in continuation.resume() }
            do {
                try run()
            } catch {
                terminationHandler = nil
                continuation.resume(throwing: error)
            }
        }
    }
}

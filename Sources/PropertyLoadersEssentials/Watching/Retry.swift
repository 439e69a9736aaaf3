import Properties

/// Plans another reload after one that failed for a reason that may go away by itself.
struct Retry: ~Copyable {
    /// The pauses double from the first to the longest.
    private static let firstPause = Duration.milliseconds(100), longestPause = Duration.seconds(30)

    private var pause = Self.firstPause
    private var task: Task<Void, any Error>?

    /// Signals after a pause, which is longer each time, if a failure may go away by itself.
    ///
    /// - Parameter failure: what the last reload failed with; any other one, or none, makes the next pause short again.
    mutating func plan(after failure: (any Error)?, _ signal: @escaping @Sendable () -> Void) {
        guard let failure = failure as? PropertyLoadError, failure.reason == .unavailable else {
            pause = Self.firstPause
            return
        }
        let now = pause
        task = Task {
            try await Task.sleep(for: now)
            signal()
        }
        pause = min(pause * 2, Self.longestPause)
    }

    /// Drops what was planned.
    mutating func cancel() {
        task?.cancel()
        task = nil
    }
}

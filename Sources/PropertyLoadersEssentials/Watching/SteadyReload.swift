import Properties

extension PropertyStore {
    /// How often files are read again that change while they are read.
    private static let attempts = 8

    /// What a reload was made from, and how it ended.
    struct SteadyReload {
        let files: FileFingerprint
        /// What a loader threw, or nil where the new state counts.
        let failure: (any Error)?
    }

    /// Reloads from files that did not change meanwhile nor shortly before, so that no state mixes two of them and none
    /// has half a file.
    ///
    /// - Parameters:
    ///   - pause: how long the files must not have changed.
    ///   - patience: how long it waits for that.
    /// - Throws: a `CancellationError` where the task is cancelled.
    func reloadSteadily(pause: Duration, patience: Duration) async throws -> SteadyReload {
        let clock = ContinuousClock(), end = clock.now + patience
        var stillness = Stillness(), attempt = 0
        while true {
            let files = files, before = FileFingerprint(files)
            _ = stillness.update(before)
            if !stillness.lasts(pause), clock.now < end {
                try await Task.sleep(for: pause)
                continue
            }
            attempt += 1
            let outcome = Result { try loadAgain() }
            // If they never stand still, each file is whole, and the next change leads to another reload.
            guard attempt == Self.attempts || FileFingerprint(files) == before else { continue }
            do {
                if try publish(outcome.get()) { return SteadyReload(files: before, failure: nil) }
            } catch {
                return SteadyReload(files: before, failure: error)
            }
            attempt = min(attempt, Self.attempts - 1)
        }
    }
}

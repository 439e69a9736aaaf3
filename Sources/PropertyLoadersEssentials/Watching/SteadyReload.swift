import Properties

/// What a reload was made from, and how it ended.
struct SteadyReload {
    let files: FileFingerprint
    /// What a loader threw, or nil where the new state counts.
    let failure: (any Error)?

    /// How often files are read again that change while they are read.
    fileprivate static let attempts = 8
    /// How long a reload waits at most for a file that is not closed: a writer may keep it open for ever.
    static let writingPatience = Duration.seconds(10)
}

extension PropertyStore {
    /// Reloads from files that did not change meanwhile nor shortly before, so that no state mixes two of them and none
    /// has half a file.
    ///
    /// - Parameters:
    ///   - pause: how long the files must not have changed.
    ///   - patience: how long it waits for that.
    ///   - changeCount: the number of changes that the kernel reported so far, or nil while a file is written.
    /// - Throws: a `CancellationError` where the task is cancelled.
    func reloadSteadily(
        pause: Duration, patience: Duration, changeCount: () -> Int?
    ) async throws -> SteadyReload {
        let clock = ContinuousClock(), begin = clock.now
        var stillness = Stillness(), attempt = 0
        while true {
            let count = changeCount(), files = files, before = FileFingerprint(files)
            _ = stillness.update(before)
            // A file that is open for writing gets more time, for its writer ends soon.
            let limit = count == nil ? max(patience, SteadyReload.writingPatience) : patience
            if count == nil || !stillness.lasts(pause), clock.now - begin < limit {
                try await Task.sleep(for: max(pause, .milliseconds(1)))
                continue
            }
            attempt += 1
            let outcome = Result { try loadAgain() }
            let isSteady = FileFingerprint(files) == before && changeCount() == count
            // If they never stand still, each file is whole, and the next change leads to another reload.
            guard isSteady || attempt >= SteadyReload.attempts else { continue }
            do {
                if try publish(outcome.get()) { return SteadyReload(files: before, failure: nil) }
            } catch {
                return SteadyReload(files: before, failure: error)
            }
        }
    }
}

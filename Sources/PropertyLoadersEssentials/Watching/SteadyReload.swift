import Properties

/// The files of a reload, and its outcome.
struct SteadyReload {
    let files: FileFingerprint
    /// The error of a loader, or nil if the reload succeeded.
    let failure: (any Error)?

    /// How often files are read that change while they are read.
    fileprivate static let attempts = 8
    /// How long a reload waits at most for a file that is open for writing, which a writer may never close.
    static let writingPatience = Duration.seconds(10)
}

extension PropertyStore {
    /// Reloads from files that do not change during the reload nor shortly before it.
    ///
    /// So a reload never mixes two states of the files, and never sees half a file.
    ///
    /// - Parameters:
    ///   - pause: how long the files must not have changed.
    ///   - patience: how long to wait for that at most.
    ///   - changeCount: the number of changes that the kernel reported so far, or nil while a file is written.
    /// - Returns: the files and the outcome.
    /// - Throws: a `CancellationError` if the task is cancelled.
    func reloadSteadily(
        pause: Duration, patience: Duration, changeCount: () -> Int?
    ) async throws -> SteadyReload {
        let clock = ContinuousClock(), begin = clock.now
        var stillness = Stillness(), attempt = 0
        while true {
            let count = changeCount(), files = files, before = FileFingerprint(files)
            _ = stillness.update(before)
            // A file that is open for writing gets more time, since its writer will probably close it soon.
            let limit = count == nil ? max(patience, SteadyReload.writingPatience) : patience
            if count == nil || !stillness.lasts(pause), clock.now - begin < limit {
                try await Task.sleep(for: max(pause, .milliseconds(1)))
                continue
            }
            attempt += 1
            let outcome = Result { try loadAgain() }
            let isSteady = FileFingerprint(files) == before && changeCount() == count
            // If the files keep changing, this state counts: each file is whole, and the next change causes another reload.
            guard isSteady || attempt >= SteadyReload.attempts else { continue }
            do {
                if try publish(outcome.get()) { return SteadyReload(files: before, failure: nil) }
            } catch {
                return SteadyReload(files: before, failure: error)
            }
        }
    }
}

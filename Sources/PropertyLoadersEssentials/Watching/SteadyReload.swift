import Properties

/// The outcome of a reload, and the state of the files that it read.
struct SteadyReload {
    let files: FileFingerprint
    /// The error of a loader, or nil if the reload succeeded.
    let failure: (any Error)?

    /// The maximum number of attempts to read files that change during each attempt.
    fileprivate static let attempts = 8
    /// How long a reload waits for a writer to close a file, unless `patience` is longer. There is a limit because the
    /// writer may never close the file.
    static let writingPatience = Duration.seconds(10)
}

extension PropertyStore {
    /// Reloads when the files have not changed for a while, and repeats this if they change during the reload.
    ///
    /// So a reload does not mix two states of the files or read an incomplete file. If the files never stop changing,
    /// the state that the last attempt has read is published.
    ///
    /// - Parameters:
    ///   - pause: how long the files must not change before the reload.
    ///   - patience: the maximum time to wait until the files stop changing.
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
            // Accepts the last attempt although files are still changing: each file is complete, and the next change
            // causes another reload.
            guard isSteady || attempt >= SteadyReload.attempts else { continue }
            do {
                if try publish(outcome.get()) { return SteadyReload(files: before, failure: nil) }
            } catch {
                return SteadyReload(files: before, failure: error)
            }
        }
    }
}

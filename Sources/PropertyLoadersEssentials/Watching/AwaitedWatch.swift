/// Loads the sources of a store that must be awaited when they change. A source that reports no changes is not loaded.
///
/// The watcher loads a source once more when it begins. What the source reports before its sequence of changes begins is
/// lost for many servers, and the services that were built since the first load may have taken minutes.
struct AwaitedWatch: Sendable {
    let watcher: PropertyWatcher
    let loop: WatchLoop

    /// Follows all such sources, also those that are applied later, until the task is cancelled.
    func run() async {
        let store = watcher.store
        let (signals, sender) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let observer = store.addObserver { sender.yield() }
        defer { store.removeObserver(observer) }
        sender.yield()
        var tasks: [ObjectIdentifier: Task<Void, Never>] = [:]
        for await _ in signals {
            let sources = Dictionary(store.changingSources.map { (ObjectIdentifier($0), $0) }) { $1 }
            for id in tasks.keys where sources[id] == nil { tasks.removeValue(forKey: id)?.cancel() }
            for (id, source) in sources where tasks[id] == nil { tasks[id] = Task { await follow(source) } }
        }
        for task in tasks.values { task.cancel() }
        for task in tasks.values { await task.value }
    }

    private func follow(_ source: AwaitedSource) async {
        var pause = WatchLoop.firstPause
        /// The failure that was reported since the last success.
        var reported: String?
        /// How many sequences of changes in succession have ended at once.
        var shortSequences = 0
        while !Task.isCancelled {
            do {
                try await source.loadAgain()
                // A source that can be loaded, and whose changes end at once each time, is not loaded without end.
                if shortSequences < Self.shortSequenceLimit { pause = WatchLoop.firstPause }
                reported = nil
                await loop.handle(nil)
                let start = ContinuousClock.now
                shortSequences += 1
                defer { if .now - start > WatchLoop.longestPause { shortSequences = 0 } }
                for try await _ in source.base.changes {
                    shortSequences = 0
                    // A source that keeps changing is not loaded without a pause.
                    try await watcher.sleep(watcher.debounce)
                    try await source.loadAgain()
                    await loop.handle(nil)
                }
            } catch {
                if Task.isCancelled { return }
                source.note(error)
                let failure = source.report(error)
                if reported != "\(failure)" { await loop.handle(failure) }
                reported = "\(failure)"
            }
            try? await watcher.sleep(pause)
            pause = min(pause * 2, WatchLoop.longestPause)
        }
    }

    private static let shortSequenceLimit = 3
}

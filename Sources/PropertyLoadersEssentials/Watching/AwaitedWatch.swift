/// Loads the sources of a store that must be awaited when they change.
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
            let sources = Dictionary(store.awaitedSources.map { (ObjectIdentifier($0), $0) }) { $1 }
            for id in tasks.keys where sources[id] == nil { tasks.removeValue(forKey: id)?.cancel() }
            for (id, source) in sources where tasks[id] == nil { tasks[id] = Task { await follow(source) } }
        }
        for task in tasks.values { task.cancel() }
        for task in tasks.values { await task.value }
    }

    private func follow(_ source: AwaitedSource) async {
        var pause = WatchLoop.firstPause, reported = ""
        while !Task.isCancelled {
            let start = ContinuousClock.now
            do {
                try await source.loadAgain()
                await loop.handle(nil)
                for try await _ in source.base.changes {
                    // A source that keeps changing is not loaded without a pause.
                    try await watcher.sleep(watcher.debounce)
                    try await source.loadAgain()
                    await loop.handle(nil)
                }
            } catch {
                if !Task.isCancelled { source.note(error) }
                let failure = source.report(error), isNew = reported != "\(failure)"
                if !Task.isCancelled, isNew || .now - start > WatchLoop.longestPause { await loop.handle(failure) }
                reported = "\(failure)"
            }
            // An attempt that lasted long was a success, although it has ended.
            if .now - start > WatchLoop.longestPause { pause = WatchLoop.firstPause }
            try? await watcher.sleep(pause)
            pause = min(pause * 2, WatchLoop.longestPause)
        }
    }
}

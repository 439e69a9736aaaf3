import SharedState
import Synchronization
import TextBasics

extension PropertyStore {
    /// Loads all sources of this store again, and publishes the new state in one step. It does not reload the parents.
    ///
    /// The new state is published only if all declared keys are valid in it, and only if it has no unknown keys when
    /// `verify` has refused them. A file or a directory that had properties and has none any more is refused, too. So
    /// is a file whose text is a value, such as a mounted secret, if it had text and has none any more.
    ///
    /// - Returns: the settings that keep their values until a restart, sorted by name.
    /// - Throws: the errors of all loaders that fail, a contradiction between the new values, or all their problems. A last
    ///   sentence has the names that other sources have changed. The store does not change.
    @discardableResult
    public func reload() throws(ConfigurationErrors) -> [PendingRestart] {
        while true {
            if let pending = try replaceSources(by: loadAgain()) { return pending }
        }
    }

    /// Loads all sources of this store again, also those that must be awaited, and publishes the new state as `reload()`
    /// does. A source that must be awaited and cannot be loaded keeps its last layer.
    ///
    /// - Returns: what `reload()` returns, and the errors of the sources that keep their layers.
    /// - Throws: what `reload()` throws.
    package func reloadAll() async throws(ConfigurationErrors) -> (
        pending: [PendingRestart], failures: [ConfigurationErrors]
    ) {
        let sources = awaitedSources
        let failures = await withTaskGroup(of: (Int, ConfigurationErrors?).self) { group in
            for (index, source) in sources.enumerated() {
                group.addTask {
                    do {
                        try await source.loadAgain()
                        return (index, nil)
                    } catch {
                        source.note(error)
                        return (index, source.report(error))
                    }
                }
            }
            return await group.reduce(into: [Int: ConfigurationErrors]()) { $0[$1.0] = $1.1 }
        }
        return (try reload(), failures.sorted { $0.key < $1.key }.map(\.value))
    }

    /// The paths of the files and directories that the sources of this store were read from, without its parents.
    public var files: [String] { contents.sources.map(\.layer).flatMap { $0.given.files + ($0.lookups?.files ?? []) } }

    /// Loads all sources again, without publishing them.
    package func loadAgain() -> LoadedSources { LoadedSources(again: contents.sources) }

    /// Replaces the sources by their reloaded versions, in one step.
    ///
    /// - Returns: the settings that `reload` returns. Nil if another reload was published meanwhile. That reload may have
    ///   read newer contents, so nothing is changed, and the caller must load the sources again.
    package func replaceSources(
        by loaded: LoadedSources
    ) throws(ConfigurationErrors) -> [PendingRestart]? {
        do throws(ConfigurationErrors) {
            let sources = try loaded.get()
            let isPublished = try changeChecked { contents in
                let new = Dictionary(uniqueKeysWithValues: sources.map { ($0.id, $0) })
                let isOld = contents.sources.contains { new[$0.id] != nil && $0.clock >= loaded.began }
                if isOld { return false }
                // A source that was applied meanwhile stays, and a source that was removed meanwhile does not come
                // back.
                contents.replace(new)
                return true
            }
            if !isPublished { return nil }
            record(refusal: nil)
            for source in sources { source.layer.given.onPublish?() }
            return current.pendingRestart
        } catch {
            let refusal = addingHeldBack(to: error, loaded)
            record(refusal: refusal)
            throw refusal
        }
    }

    /// Adds the names of the settings that other sources have changed to a refusal: a mistake in a file must not silently
    /// hold back a rotated secret. The changes of a source that cannot be loaded are not known.
    private func addingHeldBack(to refusal: ConfigurationErrors, _ loaded: LoadedSources) -> ConfigurationErrors {
        if loaded.sources.isEmpty { return refusal }
        let old = current
        var contents = old.contents, new = Dictionary(uniqueKeysWithValues: loaded.sources.map { ($0.id, $0) })
        for source in contents.sources where source.clock >= loaded.began { new[source.id] = nil }
        contents.replace(new)
        let next = MergedState(contents, parentState: old.parentState, after: old).keepingStartValues()
        let files = Set(refusal.problems.compactMap { ($0.origin?.source.name).map { PropertyKey($0) } })
        let wrong = Set(refusal.problems.compactMap { (($0.error as? PropertyError)?.name).map { PropertyKey($0) } })
        let names = next.changes(of: nil, since: old.node(read: nil)).filter { change in
            // The changes in a file with a mistake are left out: whoever corrects the file sees them.
            let file = change.origin.flatMap { $0.offset == nil ? nil : PropertyKey($0.source.name) }
            return file.map(files.contains) != true && !wrong.contains(PropertyKey(change.name))
        }.map { PrintableText.escaped($0.name) }
        if names.isEmpty { return refusal }
        let list = BoundedList(names, limit: ListLimit.names).text
        return refusal.adding("Until a reload succeeds, these changes wait, too: \(list).")
    }

    private func record(refusal: ConfigurationErrors?) {
        // The old refusal is released after unlocking: see `Lock`.
        let former = reloads.withLock { record in
            defer { record.add(refusal) }
            return record
        }
        withExtendedLifetime(former) {}
    }

    /// Calls a function after each change of this store itself.
    ///
    /// - Parameter observer: runs on the thread that makes the change. It must not keep the store alive.
    /// - Returns: an ID for `removeObserver`.
    package func addObserver(_ observer: @escaping @Sendable () -> Void) -> Int { owner.observers.add(observer) }

    /// Removes the observer with an ID.
    package func removeObserver(_ id: Int) { owner.observers.remove(id) }
}

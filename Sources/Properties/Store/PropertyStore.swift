import SharedState
import Synchronization

/// A store of flat properties: layers of sources, merged in the order of their application.
///
/// Each `Container` has a store, and a store also works on its own. Reads on different threads rarely wait for each other
/// and see a consistent state. A source that fails to load changes nothing.
public final class PropertyStore: PropertyReading, Sendable {
    /// The store that this store inherits from, or nil.
    public let parent: PropertyStore?
    /// The functions that are called for each new state.
    let observers = Observers()
    /// The current state of the store itself.
    let published: StripedLock<MergedState>
    /// The logs of the starts that run, which are shared with the parents and the children.
    let starts: StartLogs
    /// Reports reads that have probably returned nil by mistake. Shared with the parents and the children.
    let wrongReads: WrongReads
    /// The log of the reads through this view, which one construction has of a store. Empty for a store itself.
    let log: [ReadLog]
    private let viewed: PropertyStore?
    /// The store that has the properties and takes the changes: the store that this view shows, or this store itself.
    var owner: PropertyStore { viewed ?? self }
    /// The checks before a change is published. Their lock is held while a state is published. Readers do not take it.
    let checks = Lock(ChangeChecks())
    /// The outcomes of the reloads.
    let reloads = Lock(ReloadRecord())

    /// Creates an empty store.
    ///
    /// After a change of a parent, the first read of a store with sources of its own merges all layers again, including
    /// the layers of its parents. This costs as much as loading the same number of properties.
    ///
    /// - Parameter parent: a store to inherit from. Reads work as if this store's sources had been applied after the
    ///   parent's.
    public convenience init(parent: PropertyStore? = nil) { self.init(parent: parent, log: [], viewOf: nil) }

    init(parent: PropertyStore?, log: [ReadLog], viewOf viewed: PropertyStore?) {
        (self.parent, self.log, self.viewed) = (parent, log, viewed)
        starts = (viewed ?? parent)?.starts ?? StartLogs()
        wrongReads = (viewed ?? parent)?.wrongReads ?? WrongReads()
        // The store of a child container often lives for one request, which few threads handle.
        published = StripedLock(MergedState.empty, stripes: parent == nil && viewed == nil ? 16 : 1)
    }

    /// The store itself.
    public var properties: PropertyStore { self }

    /// The current state. It does not change any more, so several reads of it see values that belong together.
    public var snapshot: PropertySnapshot {
        if starts.isEmpty { return PropertySnapshot(state: current, logs: log, wrongReads: wrongReads) }
        return PropertySnapshot(state: current, logs: starts.all + log, wrongReads: wrongReads, isInStart: true)
    }

    /// Loads a source, and merges its values over the existing values.
    ///
    /// An earlier application of a source with the same identity is removed; see ``PropertySource/identity``. A source
    /// without an identity is a new source each time, and its values stay as long as the store exists.
    ///
    /// - Parameter loader: the loader of the source.
    /// - Throws: the errors of the loader, a contradiction between the values, for example if two paths have the same flat
    ///   name, or the new problems with declared keys and other checks. The store does not change.
    public func apply(_ loader: some PropertyLoader) throws(ConfigurationErrors) {
        try applyAll([loader])
    }

    /// Loads several sources and merges their values in order, in one step: either all are applied, or none.
    ///
    /// Each source replaces earlier applications with the same identity, but not another source of the same call.
    ///
    /// If keys are declared before, sources that break them are refused. Problems with keys that the store already has
    /// are accepted, so that sources can be applied one after another. A contradiction between values is never accepted.
    ///
    /// - Parameter sources: the sources, in the order of the merge. None of them must be awaited.
    /// - Throws: the errors of all loaders that fail, a contradiction between the values, or all new problems. The store
    ///   does not change.
    public func apply(_ sources: PropertySources) throws(ConfigurationErrors) { try applyAll(sources.synchronous) }

    /// Loads the sources of an array, as `apply(_:)` does with a list.
    public func apply(_ loaders: [any PropertyLoader]) throws(ConfigurationErrors) {
        try apply(PropertySources(loaders))
    }

    func applyAll(_ loaders: [any PropertyLoader]) throws(ConfigurationErrors) {
        let sources = try LoadedSources(loaders, contents.placeholders).get()
        _ = try changeChecked(acceptsOldProblems: true) { contents in
            contents.apply(sources)
            return true
        }
        for source in sources { source.layer.given.onPublish?() }
    }

    /// Replaces placeholders in all sources that are applied to this store from now on.
    ///
    ///     store.replacePlaceholders(.properties.environment())
    ///
    /// Everybody with write access to a source chooses the lookups. Therefore allow only lookups whose results all of
    /// them may read.
    ///
    /// - Parameter placeholders: the rules for sources without rules of their own. By default, placeholders refer to
    ///   other properties only. Nil turns replacement off.
    public func replacePlaceholders(_ placeholders: PropertyPlaceholders? = .properties) {
        change { $0.placeholders = placeholders }
    }

    /// Sets the handler that receives the error if `property` returns nil although a source has a value: the value is
    /// wrong, so a default behind `??` would hide it.
    ///
    ///     container.properties.onWrongValue { error in logger.warning("\(error)") }
    ///
    /// It also receives an error, with the reason `unknownKey`, if a read finds nothing while a variable or an argument
    /// has the letters of the name. For example, `APP_API_TIMEOUT` sets `api_timeout`, and sets `api.timeout` only if
    /// another source has that name or it is declared.
    ///
    /// It is called once for each place and type, and at most 100 times. The wrong values that services read while a
    /// container starts are in the report of the start instead. A store and its children have one handler.
    ///
    /// - Parameter handler: the handler, which is called on the thread that reads. No lock is held. Nil restores the
    ///   default, which writes a line to the standard error stream.
    public func onWrongValue(_ handler: (@Sendable (PropertyError) -> Void)?) { wrongReads.setHandler(handler) }

    /// Whether a handler for wrong values is set.
    package var hasWrongValueHandler: Bool { wrongReads.hasHandler }

    // Finishes the sequences of changes. They have weak references to the store, which are nil by now.
    deinit { observers.notify() }
}

// MARK: - States

extension PropertyStore {
    /// The current state, including the state of the parents.
    var current: MergedState {
        if owner !== self { return owner.current }
        let own = published.value
        if own === MergedState.empty, let parent { return parent.current }
        return isFresh(own) ? own : rebased(own, on: parent?.current)
    }

    /// The contents of the store itself, without its parents.
    var contents: StoreContents { owner.published.value.contents }

    /// Changes what the store has itself, without checks.
    func change(_ body: (inout StoreContents) -> Void) {
        // If a declaration makes a name ambiguous, `warnings` and `verify` report it.
        _ = publish({ contents in
            body(&contents)
            return true
        }) { _, _ in }
    }

    /// Merges the sources again after a change, verifies the new state, and publishes it if no other state has been
    /// published and no check has been added meanwhile; otherwise begins again.
    ///
    /// - Parameters:
    ///   - body: changes the contents of the store itself. If it returns false, nothing is published.
    ///   - notifies: whether the observers are called. Otherwise the caller calls them later, or never.
    ///   - verify: throws if the new state must not be published. It may run user code: no lock is held.
    /// - Returns: the result of the body.
    /// - Throws: the error of `verify`. The store does not change.
    func publish<Failure>(
        _ body: (inout StoreContents) -> Bool, notifies: Bool = true,
        verify: (MergedState, ChangeChecks) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        if owner !== self { return try owner.publish(body, notifies: notifies, verify: verify) }
        while true {
            let old = published.value, checks = ownChecks
            var contents = old.contents
            guard body(&contents) else { return false }
            contents.revision = (contents.revision.count + 1, .now)
            let new = MergedState(contents, parentState: parent?.current, after: old)
            try verify(new, checks)
            let next = new.keepingStartValues()
            let isPublished = self.checks.withLock { current in
                // `old` keeps the replaced state, which is so released after unlocking: see `Lock`.
                current.version == checks.version && isFresh(next) && replace(old, with: next)
            }
            guard isPublished else { continue }
            if notifies { observers.notify() }
            return true
        }
    }

    // After a change of a parent, the first read merges the new state without a lock, and publishes it. Concurrent
    // reads may each merge the same state.
    private func rebased(_ own: MergedState, on parentState: MergedState?) -> MergedState {
        let new = MergedState(own.contents, parentState: parentState).keepingStartValues()
        _ = replace(own, with: new)
        return new
    }

    /// Replaces the published state if it is the expected one.
    private func replace(_ old: MergedState, with new: MergedState) -> Bool {
        published.withWrite { state in
            guard state === old else { return false }
            state = new
            return true
        }
    }
}

// MARK: - Text

extension PropertyStore: CustomStringConvertible, CustomReflectable {
    /// The number of properties, without any setting: a log may contain the descriptions of all parts of a service.
    /// `entries` lists the properties.
    public var description: String { "PropertyStore with \(snapshot)" }

    /// All properties, one per line, with their origins, and with secrets masked.
    public var customMirror: Mirror {
        Mirror(self, unlabeledChildren: entries.map(\.description), displayStyle: .collection)
    }
}

/// A container of registrations: what is built from what, how often, and with which properties.
///
///     let container = Container()
///     container.register(Clock.self) { _ in SystemClock() }.inObjectScope(.container)
///     container.register(Report.self) { r in Report(clock: try r.require(Clock.self)) }
///     let report = container.resolve(Report.self)
///
/// It can be used from every thread; no lock is held while a factory runs.
public final class Container: Sendable, PropertyReading {
    /// The container that is asked for what this one has not.
    public let parent: Container?

    /// The properties that registrations read. Where there is a parent, they read as if applied after its.
    public let properties: PropertyStore

    /// The current table; never nil.
    private let table = AtomicReference(RegistrationTable())
    /// What readers may still look at. Safe to share: it is read and written under `PendingInstance.monitor` alone.
    nonisolated(unsafe) private var replaced: [AnyObject] = []
    /// Safe to share: it is read and written under `PendingInstance.monitor` alone.
    nonisolated(unsafe) private var ownFailureHandler: (@Sendable (ResolutionError) -> Void)?

    /// Makes an empty container.
    ///
    /// - Parameter parent: the container that is asked for what this one has not.
    public init(parent: Container? = nil) {
        self.parent = parent
        properties = PropertyStore(parent: parent?.properties)
    }

    /// Loads properties and merges them over what is there.
    ///
    /// - Parameter loader: the source.
    /// - Throws: what the loader throws; the properties stay as they were.
    public func applyPropertyLoader(_ loader: some PropertyLoader) throws { try properties.apply(loader) }

    /// Sets who hears why a `resolve` gave nil, where something *inside* what was asked for failed; nobody hears of a
    /// service that simply is not registered. Children without a handler of their own use their parent's.
    ///
    /// - Parameter handler: called on the thread that resolves; nil for the default, which writes to the standard
    ///   error stream in debug builds and nothing in release builds.
    public func onFailure(_ handler: (@Sendable (ResolutionError) -> Void)?) {
        // The former one is let go of outside the monitor: what it has captured may run a user's `deinit`.
        var former = handler
        PendingInstance.monitor.withLock { unsafe swap(&ownFailureHandler, &former) }
    }
}

// MARK: - The table

// Instances that are let go of leave the monitor first: their `deinit` is user code, which may resolve.

extension Container {
    /// Finds a registration here or in a parent. It lives as long as this container.
    @inline(__always)
    func find(_ key: ServiceKey) -> Unmanaged<AnyRegistration>? {
        if let own = unsafe table.load()?._withUnsafeGuaranteedRef({ unsafe $0.find(key) }) { return unsafe own }
        return unsafe parent?.find(key)
    }

    /// Whether there is a registration of a key's type and qualifier with other arguments, here or in a parent.
    func hasOtherArguments(than key: ServiceKey) -> Bool {
        currentTable?.hasOtherArguments(than: key) == true || parent?.hasOtherArguments(than: key) == true
    }

    /// The registrations of this container alone, in no order.
    var ownRegistrations: [AnyRegistration] { currentTable?.all ?? [] }

    /// The registrations of this container, and those of its parents that it does not have itself.
    var allRegistrations: [AnyRegistration] {
        let own = ownRegistrations
        let inherited = parent?.allRegistrations.filter { unsafe currentTable?.find($0.key) == nil } ?? []
        return own + inherited
    }

    private var currentTable: RegistrationTable? { unsafe table.load()?.takeUnretainedValue() }

    /// Adds a registration, or puts it in the place of the one of its key.
    ///
    /// - Parameter old: if not nil, do so only where this is the one in place.
    func insert(_ registration: AnyRegistration, inPlaceOf old: AnyRegistration? = nil) {
        _ = PendingInstance.monitor.withLock { () -> [AnyObject] in
            if let old, unsafe currentTable?.find(old.key)?.takeUnretainedValue() !== old { return [] }
            if currentTable?.isFull == true { publish(RegistrationTable(ownRegistrations)) }
            registration.gainPlace()
            guard let previous = currentTable?.insert(registration) else { return [] }
            unsafe replaced.append(previous)
            return AnyRegistration.forget(previous.losePlace())
        }
    }

    /// Puts other registrations in the place of all that are there, at once.
    package func replaceAll(with registrations: [AnyRegistration]) {
        _ = PendingInstance.monitor.withLock { () -> [AnyObject] in
            for registration in registrations { registration.gainPlace() }
            let old = ownRegistrations
            publish(RegistrationTable(registrations))
            return AnyRegistration.forget(old.flatMap { $0.losePlace() })
        }
    }

    private func publish(_ new: RegistrationTable) {
        if let old = table.exchange(new) { unsafe replaced.append(old) }
    }

    var failureHandler: (@Sendable (ResolutionError) -> Void)? {
        let own = PendingInstance.monitor.withLock { unsafe ownFailureHandler }
        return own ?? parent?.failureHandler
    }
}

// MARK: - Scopes

extension Container {
    /// Lets go of the instances of a scope, here and in the parents. Who asks next gets a new one; an instance that is
    /// being built meanwhile goes only to who has asked for it before.
    ///
    /// - Parameter scope: the scope to empty.
    public func reset(_ scope: SharedScope) {
        _ = PendingInstance.monitor.withLock { () -> [AnyObject] in
            let registrations = ownRegistrations.filter { $0.scope.shared == scope }
            return AnyRegistration.forget(registrations + registrations.compactMap(\.target))
        }
        parent?.reset(scope)
    }

    /// Ends the session: lets go of the instances of the session scope.
    public func resetSession() { reset(.session) }

    /// Removes every registration, with its instance. The properties stay.
    public func removeAll() { replaceAll(with: []) }
}

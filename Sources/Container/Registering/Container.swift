@_exported public import Properties
import SharedState
import Synchronization

/// A container of registrations: how services are made and shared, and the properties that they read.
///
///     let container = Container()
///     container.register(Clock.self) { _ in SystemClock() }.inObjectScope(.container)
///     container.register(Report.self) { r in Report(clock: try r.require(Clock.self)) }
///     let report = container.resolve(Report.self)
///
/// Every thread may use it. No lock is held while a factory runs.
public final class Container: Sendable, PropertyReading {
    /// The container that provides what this one has no registration for.
    public let parent: Container?

    /// The properties that registrations read. If there is a parent, they read as if applied after the parent's.
    public let properties: PropertyStore

    /// Guards the registrations of all containers, and every instance under construction. No user code runs under it.
    static let monitor: Monitor = {
        Monitor.holdDuringFork({ Container.monitor.lock() }, { Container.monitor.unlock() })
        return Monitor()
    }()

    /// Protects the table, its registrations and their instances while a thread reads them.
    let hazard = Hazard()
    /// The current table; never nil.
    private let table = UnprotectedReference(RegistrationTable())
    private let state = Guarded(State())

    private struct State {
        /// Objects that have been replaced and that readers may still use.
        var retired: [AnyObject] = []
        var failureHandler: (@Sendable (ResolutionError) -> Void)?
    }

    /// Creates an empty container.
    ///
    /// - Parameter parent: the container that provides what this one has no registration for.
    public init(parent: Container? = nil) {
        self.parent = parent
        properties = PropertyStore(parent: parent?.properties)
    }

    /// Sets the handler that is told why a `resolve` returned nil, if a dependency failed. A service that simply is not
    /// registered is not reported. Children without a handler use the one of their parent.
    ///
    /// - Parameter handler: called on the thread that resolves; nil for the default, which writes to the standard
    ///   error stream in debug builds and does nothing in release builds.
    public func onFailure(_ handler: (@Sendable (ResolutionError) -> Void)?) {
        // The former handler is released outside the lock: what it has captured may run a user's `deinit`.
        var former = handler
        state.withLock { swap(&$0.failureHandler, &former) }
    }

    var failureHandler: (@Sendable (ResolutionError) -> Void)? {
        state.withLock { $0.failureHandler } ?? parent?.failureHandler
    }

    /// How many `verify()` run in this process. While one does, lookups return no shared instances.
    static let verifications = Atomic(0)
    static var isVerifying: Bool { verifications.load(ordering: .relaxed) != 0 }
}

// MARK: - Properties

extension Container {
    /// Loads properties and merges them over the present ones.
    ///
    /// - Parameter loader: the source.
    /// - Throws: what the loader throws; the properties stay as they were.
    public func applyPropertyLoader(_ loader: some PropertyLoader) throws { try properties.apply(loader) }

    /// Loads several sources and merges them in their order, in one step: all of them count, or none.
    ///
    /// - Parameter loaders: the sources, such as a `.standardSources(…)`.
    /// - Throws: what the first loader that fails throws; the properties stay as they were.
    public func applyPropertyLoaders(_ loaders: [any PropertyLoader]) throws { try properties.apply(loaders) }

    /// Loads all sources of this container again and replaces the properties in one step. The sources of parents are
    /// not reloaded. Existing instances keep what they have read.
    ///
    /// - Throws: what the first loader that fails throws; the properties stay as they were.
    public func reload() throws { try properties.reload() }
}

// MARK: - Lookup

extension Container {
    /// Finds what is registered without arguments, here or in a parent.
    @usableFromInline
    func lookUp(_ type: Any.Type, _ name: String?) -> LookupResult {
        lookUp(ServiceKey(type, name))
    }

    /// Finds what is registered for a key, here or in a parent.
    func lookUp(_ key: ServiceKey) -> LookupResult {
        let own = hazard.protect { () -> LookupResult in
            table.withObject { $0.lookUp(key) } ?? .missing(hasOtherArguments: false)
        }
        guard case .missing(let hasOtherArguments) = own, let parent else { return own }
        let inherited = parent.lookUp(key)
        if hasOtherArguments, case .missing = inherited { return own }
        return inherited
    }

    /// The registrations of this container alone, in no order.
    var ownRegistrations: [Registration] { Self.monitor.withLock { currentTable.all } }

    /// The registrations of this container, and those of its parents that it does not replace.
    var allRegistrations: [Registration] {
        let own = ownRegistrations
        let keys = own.map(\.key)
        return own + (parent?.allRegistrations.filter { !keys.contains($0.key) } ?? [])
    }

    /// The table, for a thread under the monitor.
    private var currentTable: RegistrationTable {
        guard let table = table.copy() else { preconditionFailure("a container has a table") }
        return table
    }
}

// MARK: - Registrations

extension Container {
    /// Adds a registration, or replaces the one of its key. If `old` is not nil, nothing is done unless that is the
    /// registration of the key.
    func insert(_ registration: Registration, inPlaceOf old: Registration? = nil) {
        update {
            if let old, currentTable.find(old.key) !== old { return [] }
            if currentTable.isFull { publish(RegistrationTable(currentTable.all)) }
            registration.gainPlace()
            guard let previous = currentTable.insert(registration) else { return [] }
            retire(previous)
            return previous.losePlace()
        }
    }

    /// Replaces all registrations at once.
    package func replaceAll(with registrations: [Registration]) {
        update(releasesAll: true) {
            for registration in registrations { registration.gainPlace() }
            let old = currentTable.all
            publish(RegistrationTable(registrations))
            return old.flatMap { $0.losePlace() }
        }
    }

    /// Removes every registration and its instance. The properties stay.
    public func removeAll() { replaceAll(with: []) }

    /// Forgets the instances of a scope, here and in the parents. The next resolve creates a new instance. One that is
    /// under construction meanwhile goes only to threads that have asked for it before.
    ///
    /// - Parameter scope: the scope to empty.
    public func reset(_ scope: SharedScope) {
        update(releasesAll: true) {
            currentTable.all.filter { $0.options.scope.shared == scope }
                .flatMap { [$0, $0.target].compactMap { $0?.forget() } }
        }
        parent?.reset(scope)
    }

    /// Ends the session: forgets the instances of the session scope.
    public func resetSession() { reset(.session) }

    private func publish(_ new: RegistrationTable) { if let old = table.exchange(new) { retire(old) } }

    /// Keeps an object until no reader can use it any more. Call it under the monitor.
    func retire(_ object: AnyObject) { state.withLock { $0.retired.append(object) } }

    /// Releases replaced objects if there are many.
    func releaseRetired() { update { [] } }

    /// The most replaced registrations and tables that wait for their release. To release them, a writer looks at the
    /// slot of each thread, so it does that for several at once.
    private static let maximumRetired = 32

    /// Changes the registrations under the monitor, and then releases what no reader uses any more.
    ///
    /// - Parameters:
    ///   - releasesAll: whether to release everything that was replaced before, too.
    ///   - change: the change. It returns the instances that it has forgotten, which are released at once.
    private func update(releasesAll: Bool = false, _ change: () -> [AnyObject]) {
        let unused = Self.monitor.withLock { () -> [AnyObject] in
            let forgotten = change()
            return state.withLock { state in
                if forgotten.isEmpty, !releasesAll, state.retired.count < Self.maximumRetired { return [] }
                defer { state.retired = [] }
                return forgotten + state.retired
            }
        }
        if unused.isEmpty { return }
        hazard.waitForReaders()
        // Outside the monitor: the `deinit` of a service, or of what a closure has captured, is user code.
        withExtendedLifetime(unused) {}
    }
}

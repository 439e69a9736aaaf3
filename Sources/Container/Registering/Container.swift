@_exported public import Properties
import SharedState
import Synchronization

/// A dependency-injection container: registrations of services, their shared instances, and the properties that their
/// factories read.
///
///     let container = Container()
///     container.register(Clock.self) { _ in SystemClock() }.inObjectScope(.container)
///     container.register(Report.self) { r in Report(clock: try r.require(Clock.self)) }
///     let report = container.resolve(Report.self)
///
/// Any thread may use a container. No lock is held while a factory runs. When a container is no longer needed,
/// `close(timeout:)` closes what it has made.
public final class Container: @unchecked Sendable, PropertyReading {
    // @unchecked: `monitor` guards `state`. All other properties are immutable or atomic.

    /// The container that resolves the services that this one has no registration for.
    public let parent: Container?

    /// The properties that factories read. They override the properties of the parent and inherit the others.
    public let properties: PropertyStore

    /// The lock of every change of registrations and of every instance under construction, for all containers. No user
    /// code runs while a thread holds it.
    static let monitor: Monitor = {
        Monitor.holdDuringFork({ Container.monitor.lock() }, { Container.monitor.unlock() })
        return Monitor()
    }()

    /// The hazard under which threads read the table, its registrations and their shared instances without a lock.
    let hazard = Hazard()
    /// The current table, or nil before the first registration, so that a child container without any is cheap.
    let table = UnprotectedReference<RegistrationTable>()
    /// The scope of registrations without a scope: `.graph`, unless ContainerMigration sets another one.
    let defaultScope: Scope
    /// Guarded by `monitor`.
    var state = State()

    struct State {
        /// Replaced registrations, tables and instances that readers may still use.
        var retired: [AnyObject] = []
        fileprivate var failureHandler: (@Sendable (ResolutionError) -> Void)?
        /// What `close` must do. See `Container+Close.swift`.
        var closing = ClosingState()
    }

    /// Creates an empty container.
    ///
    /// - Parameter parent: the container that resolves the services that this one has no registration for.
    public convenience init(parent: Container? = nil) { self.init(parent: parent, defaultScope: .graph) }

    package init(parent: Container?, defaultScope: Scope) {
        self.parent = parent
        self.defaultScope = defaultScope
        properties = PropertyStore(parent: parent?.properties)
    }

    /// Not available: create the container first, and then register its services.
    ///
    /// - Parameter registeringClosure: registers the services.
    @available(*, unavailable, message: "Create the container with Container(), and then register its services")
    public convenience init(_ registeringClosure: (Container) -> Void) { self.init() }

    /// Sets the handler that receives the error if `resolve` returns nil although the service is registered, for
    /// example because a dependency failed.
    ///
    /// In debug builds, it also receives an error with the reason `.capturedContainer`, once for each registration
    /// whose factory or completion resolves from a captured container. Such a resolve has succeeded.
    ///
    /// A `resolve` of a service that is not registered returns nil without an error. A child without a handler uses the
    /// handler of its parent.
    ///
    /// - Parameter handler: the handler, which is called on the thread that resolves. Nil restores the default, which
    ///   writes to the standard error stream in debug builds and does nothing in release builds.
    public func onFailure(_ handler: (@Sendable (ResolutionError) -> Void)?) {
        // Releases the former handler outside the lock, because that may run the `deinit` of a user's captured object.
        var former = handler
        Self.monitor.withLock { swap(&state.failureHandler, &former) }
    }

    private var failureHandler: (@Sendable (ResolutionError) -> Void)? {
        Self.monitor.withLock { state.failureHandler } ?? parent?.failureHandler
    }

    /// Passes an error to the handler. Without a handler, debug builds write it to the standard error stream.
    func report(_ error: ResolutionError) {
        if error.reason == .unverified { return }
        if let handler = failureHandler { return handler(error) }
        #if DEBUG
            StandardError.writeLine(error.description)
        #endif
    }

    #if DEBUG
        deinit {
            let open = state.closing.names
            if open.isEmpty { return }
            let names = open.joined(separator: ", ")
            StandardError.writeLine("Container: released without close() and still open: \(names). Await close() first")
        }
    #endif

    /// The number of `verify()` calls that run in this process. During such a call, a lookup returns the registration
    /// even if a shared instance exists, so that `verify()` builds its own.
    static let verifications = Atomic(0)
    static var isVerifying: Bool { verifications.load(ordering: .relaxed) != 0 }
}

// MARK: - Properties

extension Container {
    /// Loads properties and merges them over the existing ones.
    ///
    /// - Parameter loader: the loader of the properties.
    /// - Throws: the error of the loader. The properties do not change then.
    public func applyPropertyLoader(_ loader: some PropertyLoader) throws { try properties.apply(loader) }

    /// Loads several sources and merges them in order, in one step: either all are applied, or none.
    ///
    /// - Parameter loaders: the loaders of the sources, such as `.standardSources(…)`.
    /// - Throws: the error of the first loader that fails. The properties do not change then.
    public func applyPropertyLoaders(_ loaders: [any PropertyLoader]) throws { try properties.apply(loaders) }

    /// Loads all sources of this container again and replaces the properties in one step.
    ///
    /// The sources of parents are not reloaded. Existing instances keep the values that they have read.
    ///
    /// - Throws: the error of the first loader that fails. The properties do not change then.
    public func reload() throws { try properties.reload() }
}

// MARK: - Lookup

extension Container {
    /// A resolver of this container, for a function that takes a `Resolver`. Each resolve starts a new graph.
    public var resolver: Resolver { Resolver(container: self, token: 0) }

    /// Returns whether a service is registered, in this container or one of its parents, with any runtime arguments.
    ///
    /// - Parameters:
    ///   - type: the type by which callers resolve the service.
    ///   - name: the name of the registration, or nil if it has none.
    /// - Returns: whether a registration exists. It is false if the container is closed.
    public func hasRegistration<Service>(of type: Service.Type, name: String? = nil) -> Bool {
        switch lookUp(type, name) {
        case .instance, .registration, .missing(hasOtherArguments: true): true
        case .closed, .missing(hasOtherArguments: false): false
        }
    }

    /// Looks up a service without runtime arguments in this container, and then in its parents.
    @usableFromInline
    func lookUp(_ type: Any.Type, _ name: String?) -> LookupResult {
        lookUp(ServiceKey(type, name))
    }

    /// Looks up a key in this container, and then in its parents. `isInherited` is whether the lookup began in a child.
    func lookUp(_ key: ServiceKey, isInherited: Bool = false) -> LookupResult {
        let own = hazard.protect { () -> LookupResult in
            table.withObject { $0.lookUp(key, isInherited: isInherited) } ?? .missing(hasOtherArguments: false)
        }
        guard case .missing(let hasOtherArguments) = own, let parent else { return own }
        let inherited = parent.lookUp(key, isInherited: true)
        if hasOtherArguments, case .missing = inherited { return own }
        return inherited
    }

    /// The registrations of this container without its parents, unsorted.
    var ownRegistrations: [Registration] { Self.monitor.withLock { table.copy()?.all ?? [] } }

    /// The registrations of this container, and those of its parents whose keys it does not register itself.
    var allRegistrations: [Registration] {
        let own = ownRegistrations
        let keys = own.map(\.key)
        return own + (parent?.allRegistrations.filter { !keys.contains($0.key) } ?? [])
    }

    /// Whether `close` has been called.
    var isClosed: Bool { hazard.protect { table.withObject { $0.isClosed } ?? false } }
}

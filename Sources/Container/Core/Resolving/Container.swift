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
/// `close(timeout:)` closes its instances.
///
/// After a `fork()` without an `exec`, the child process must not use any container.
public final class Container: Sendable, PropertyReading {
    /// The container that resolves services without a registration here.
    public let parent: Container?

    /// The properties that factories read. They override the properties of the parent and inherit the others.
    public let properties: PropertyStore

    /// The registrations and instances.
    let registry: StripedLock<Registry>
    /// The scope of registrations that set none.
    let defaultScope: Scope
    /// Whether this child, or one of its parents, overrides a registration of a parent. Without overrides, lookups skip
    /// the search for shared services that do not see one.
    let overrides: Atomic<Bool>
    var hasOverrides: Bool { overrides.load(ordering: .relaxed) }
    /// Whether this child builds all shared instances except in `.container` for itself, for `verify()`.
    let isVerifying: Bool

    /// Creates an empty container.
    ///
    /// - Parameter parent: the container that resolves services without a registration here.
    public convenience init(parent: Container? = nil) { self.init(parent: parent, defaultScope: .graph) }

    /// Creates an empty container with a default scope. A child container does not inherit the default scope.
    ///
    /// - Parameters:
    ///   - parent: the container that resolves services without a registration here.
    ///   - defaultObjectScope: the scope of registrations that set none: `.transient` or `.graph`.
    public convenience init(parent: Container? = nil, defaultObjectScope: UnsharedScope) {
        self.init(parent: parent, defaultScope: defaultObjectScope.scope)
    }

    /// Creates an empty container whose default scope shares instances, for services that the compiler does not know to
    /// be `Sendable`. A child container does not inherit the default scope.
    ///
    /// - Parameters:
    ///   - parent: the container that resolves services without a registration here.
    ///   - uncheckedDefaultObjectScope: the scope of registrations that set none. The caller must make sure that several
    ///     threads can safely use an instance of each of them at once.
    public convenience init(parent: Container? = nil, uncheckedDefaultObjectScope: SharedScope) {
        self.init(parent: parent, defaultScope: .shared(uncheckedDefaultObjectScope))
    }

    package init(parent: Container?, defaultScope: Scope, isVerifying: Bool = false) {
        self.parent = parent
        self.defaultScope = defaultScope
        self.isVerifying = isVerifying
        overrides = Atomic(!isVerifying && parent?.hasOverrides == true)
        properties = PropertyStore(parent: parent?.properties)
        // A child often lives for one request, which few threads handle.
        registry = StripedLock(Registry(), stripes: parent == nil ? 16 : 1)
    }

    /// Not available: create the container first, and then register its services.
    ///
    /// - Parameter registeringClosure: registers the services.
    @available(*, unavailable, message: "Create the container with Container(), and then register its services")
    public convenience init(_ registeringClosure: (Container) -> Void) { self.init() }

    #if DEBUG
        deinit { ContainerLife.released(self) }
    #endif
}

// MARK: - The task

extension Container {
    /// The global container of this task, for `@Inject`. Nil if it has none. A task that builds a shared service has the
    /// global container of the task that has first asked for the service.
    @TaskLocal package static var taskGlobal: Container?
}

// MARK: - Failures

extension Container {
    /// Sets the handler that receives the error if `resolve` returns nil although the service is registered, for
    /// example because a dependency failed, and each error of closing.
    ///
    /// A `resolve` of a service that is not registered returns nil without an error. A child without a handler uses the
    /// handler of its parent.
    ///
    /// - Parameter handler: the handler, which is called on the thread that resolves. Nil restores the default, which
    ///   writes to the standard error stream in debug builds and does nothing in release builds.
    public func onFailure(_ handler: (@Sendable (ResolutionError) -> Void)?) {
        // The old handler is released after unlocking: see `Lock`.
        var former = handler
        registry.withWrite { swap(&$0.failureHandler, &former) }
    }

    package var failureHandler: (@Sendable (ResolutionError) -> Void)? {
        sequence(first: self, next: \.parent).lazy.compactMap { $0.registry.withRead { $0.failureHandler } }.first
    }

    /// Passes an error to the handler. Without a handler, debug builds write it to the standard error stream.
    func report(_ error: ResolutionError) {
        let error = error.named(names)
        if let handler = failureHandler { return handler(error) }
        #if DEBUG
            StandardError.writeLine(error.description)
        #endif
    }
}

// MARK: - Properties

extension Container {
    /// Loads properties and merges them over the existing properties.
    ///
    /// - Parameter loader: the loader of the properties.
    /// - Throws: a `ConfigurationErrors` with all problems. The properties do not change then. Its type is not
    ///   declared, because code for Swinject catches it by a pattern. If the type is declared, Swift 6.3 may crash at
    ///   this pattern in top-level code.
    public func applyPropertyLoader(_ loader: some PropertyLoader) throws { try properties.apply(loader) }

    /// Declares a settings type, so that its settings are checked at the start and at each reload.
    ///
    ///     container.declare(ServerSettings.self, at: "server")
    ///
    /// - Parameters:
    ///   - type: the settings type.
    ///   - name: the flat name of its table, or nil if its settings are on the first level of the sources.
    ///   - environment: the variables of settings in place of the variables that the type gives them, by the name of
    ///     the setting in the table. Nil takes a variable away.
    ///   - formerly: the flat name that the table had in an earlier version. Sources may still use it, with a warning.
    public func declare<T: Settings>(
        _ type: T.Type, at name: String? = nil, environment: [String: String?] = [:], formerly: String? = nil
    ) {
        properties.declare(type, at: name, environment: environment, formerly: formerly)
    }
}

// MARK: - Lookup

extension Container {
    /// A resolver of this container, for a function that takes a `Resolver`. Each resolve starts a new graph.
    public var resolver: Resolver { Resolver(container: self) }

    /// Returns whether a service is registered, in this container or one of its parents, with any runtime arguments.
    ///
    /// - Parameters:
    ///   - type: the type by which callers resolve the service.
    ///   - name: the name of the registration, or nil if it has none.
    /// - Returns: whether a registration exists. It is false if the container is closed.
    public func hasRegistration<Service>(of type: Service.Type, name: String? = nil) -> Bool {
        isOpen && hasService(of: ServiceKey(type, name))
    }

    /// Whether `close` has not been called.
    var isOpen: Bool { registry.withRead { $0.isOpen } }

    /// Whether `close` has been called neither on this container nor on a parent.
    var isOpenWithParents: Bool { sequence(first: self, next: \.parent).allSatisfy(\.isOpen) }

    /// The error of a resolve for which this container, or the parent that has the service, builds nothing any more.
    func closed(_ path: [ServiceKey]) -> ResolutionError {
        let nearest = sequence(first: self, next: \.parent).first { !$0.isOpen }
        return ResolutionError(.closed, path: path, detail: nearest?.registry.withRead { $0.life.causeOfClosing })
    }

    /// Changes the registry.
    ///
    /// - Parameter change: the change. It returns the removed objects, which are released after unlocking.
    func change(_ change: (inout Registry) -> Removed) {
        let removed = registry.withWrite(change)
        withExtendedLifetime(removed) {}
    }
}

// MARK: - Description

extension Container {
    /// The names of services in the messages and reports of this container.
    package var names: ServiceNames {
        ServiceNames(sequence(first: self, next: \.parent).map { $0.registry.withWrite { $0.knownServices() } })
    }
}

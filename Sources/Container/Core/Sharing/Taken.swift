import SharedState
import Synchronization

/// A service that the factory or a completion of a shared service has got from its resolver.
struct Dependency: Sendable {
    /// The key of the registration that builds the service, also if another registration forwards to it.
    let key: ServiceKey
    let kind: Kind
    /// The identity of the container of the instance if it is shared, and otherwise nil.
    fileprivate(set) var containerID: ObjectIdentifier?
    /// The `id` of the instance if it is shared, and otherwise 0.
    fileprivate(set) var id: UInt64 = 0

    enum Kind {
        /// Its instance, which is held.
        case instance
        /// Its instance, from a `Provider`, which resolves again at each use.
        case provided
        /// A `Lazy` or a `Provider` of it.
        case deferred
    }

    init(_ key: ServiceKey, as kind: Kind) { (self.key, self.kind) = (key, kind) }

    init(_ shared: SharedInstance, as kind: Kind) {
        (key, self.kind, containerID, id) = (shared.key, kind, shared.containerID, shared.id)
    }

    /// Whether the service got a `Lazy` or `Provider`, which looks the instance up later.
    var isDeferred: Bool { kind == .deferred }
    /// Whether the shared service holds the instance.
    var isHeld: Bool { kind == .instance }

    func belongs(to container: Container) -> Bool { containerID == ObjectIdentifier(container) }

    fileprivate func isSameService(as other: Dependency) -> Bool {
        kind == other.kind && containerID == other.containerID && key == other.key
    }
}

/// The ledger of a shared instance: what its factory and its completions have taken, and for what it waits.
///
/// A resolve writes it. It reads only the ledger of a weak instance, whose dependencies its holder gets, too. Closing,
/// following and the reports read all ledgers.
struct Taken: ~Copyable, Sendable {
    private let contents = Lock(Contents())

    // Not private: Swift 6.3.1 crashes if the type in a lock of another file is.
    struct Contents {
        fileprivate var dependencies: [Dependency] = []
        fileprivate var aliases: [ServiceKey] = []
        fileprivate var awaited: [Awaited] = []

        /// Adds a dependency once for each container, because a factory may resolve a service very often.
        ///
        /// - Parameters:
        ///   - dependency: the dependency.
        ///   - keepsFormer: whether another instance of the service that it holds stays a dependency, too.
        fileprivate mutating func add(_ dependency: Dependency, keepsFormer: Bool = false) {
            let same = dependencies.lastIndex {
                dependency.isSameService(as: $0) && (!keepsFormer || $0.id == dependency.id)
            }
            if let same {
                dependencies[same].id = dependency.id
            } else {
                dependencies.append(dependency)
            }
        }
    }

    /// An instance for which another one waits.
    struct Awaited: Sendable {
        let id: UInt64
        let key: ServiceKey
    }

    var dependencies: [Dependency] { contents.withLock { $0.dependencies } }
    /// The keys of forwarding registrations by which it has got some of its dependencies.
    var aliases: [ServiceKey] { contents.withLock { $0.aliases } }
    /// The instances for which the instance waits while it is under construction.
    var awaited: [Awaited] { contents.withLock { $0.awaited } }

    /// Records another shared instance.
    func add(_ other: SharedInstance, as kind: Dependency.Kind) {
        // The instance of a weak scope is not closed, but its dependencies are.
        let inherited = other.registration.isWeak ? other.taken.dependencies : []
        contents.withLock { contents in
            // A replaced instance stays open as long as it is held.
            let keepsFormer = kind == .instance && other.registration.follows
            contents.add(Dependency(other, as: kind), keepsFormer: keepsFormer)
            for dependency in inherited { contents.add(dependency) }
        }
    }

    /// Records a service that is not shared, or the later instances of a service.
    func add(_ dependency: Dependency) { contents.withLock { $0.add(dependency) } }

    /// Records the key of a registration that forwards to another one.
    func add(alias: ServiceKey) {
        contents.withLock { if !$0.aliases.contains(alias) { $0.aliases.append(alias) } }
    }

    func beginWait(for other: SharedInstance) {
        contents.withLock { $0.awaited.append(Awaited(id: other.id, key: other.key)) }
    }

    func endWait(for other: SharedInstance) {
        contents.withLock { contents in
            if let index = contents.awaited.lastIndex(where: { $0.id == other.id }) {
                contents.awaited.remove(at: index)
            }
        }
    }
}

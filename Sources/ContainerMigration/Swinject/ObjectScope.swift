import Container
import Synchronization

/// A scope of Swinject: `.transient`, `.graph`, `.container`, `.weak`, or one of the program's own.
///
/// Replace a scope of the program's own by a `SharedScope`:
///
///     extension SharedScope {
///         static let tenant = SharedScope("tenant")
///     }
@available(*, deprecated, message: "Declare scopes of your own as static properties of SharedScope")
public final class ObjectScope: Sendable, CustomStringConvertible {
    /// A new instance for each resolve.
    public static let transient = ObjectScope(.transient)
    /// One instance for each outermost resolve. This is the default scope.
    public static let graph = ObjectScope(.graph)
    /// One instance for the life of the container.
    public static let container = ObjectScope(.shared(.container))
    /// One instance as long as a caller keeps it alive.
    public static let weak = ObjectScope(.shared(.weak))

    /// One instance for each combination of arguments.
    @available(
        *, unavailable,
        message: "There is no such scope. Share a service in .container that keeps a dictionary of the instances"
    )
    public static var multiton: ObjectScope { .container }

    /// The name of the scope.
    public let description: String
    let scope: Scope

    private init(_ scope: Scope) {
        self.scope = scope
        description = scope.description
    }

    /// Creates a scope.
    ///
    /// - Parameters:
    ///   - storageFactory: creates a storage of one of the four standard types, which determines how long an instance
    ///     is kept.
    ///   - description: the name of the scope.
    ///   - parent: a scope whose instances are also found in this one. The scope then keeps its instances as long as
    ///     the one of the two that keeps them longer.
    public init(
        storageFactory: () -> StandardStorage, description: String = "", parent: ObjectScope? = nil
    ) {
        let lifetime = max(storageFactory().lifetime, parent?.scope.lifetime ?? .resolve)
        scope = lifetime.scope(named: description)
        self.description = description
    }
}

/// How long a container keeps an instance, from the shortest time to the longest.
enum Lifetime: Int, Comparable {
    case resolve, graph, callers, reset

    /// The number of scopes that have been created. Two scopes of Swinject are different even if their names are equal.
    private static let count = Atomic(0)

    static func < (one: Lifetime, other: Lifetime) -> Bool { one.rawValue < other.rawValue }

    func scope(named name: String) -> Scope {
        let number = Self.count.add(1, ordering: .relaxed).newValue
        let name = "\(name.isEmpty ? "scope" : name) #\(number)"
        return switch self {
        case .resolve: .transient
        case .graph: .graph
        case .callers: .shared(SharedScope(name, isWeak: true))
        case .reset: .shared(SharedScope(name))
        }
    }
}

extension Scope {
    fileprivate var lifetime: Lifetime {
        switch self {
        case .transient: .resolve
        case .graph: .graph
        case .shared(let scope): scope == SharedScope(scope.description, isWeak: true) ? .callers : .reset
        }
    }
}

// MARK: - Storages

/// A storage of Swinject, which only determines how long an `ObjectScope` keeps its instances.
@available(*, deprecated, message: "Declare a SharedScope, which needs no storage")
public class StandardStorage {
    let lifetime: Lifetime
    init(_ lifetime: Lifetime) { self.lifetime = lifetime }
}

/// The storage of a scope like `.container`.
@available(*, deprecated, message: "Write SharedScope(\"name\")")
public final class PermanentStorage: StandardStorage {
    /// Creates a storage.
    public init() { super.init(.reset) }
}

/// The storage of a scope like `.weak`.
@available(*, deprecated, message: "Write SharedScope(\"name\", isWeak: true)")
public final class WeakStorage: StandardStorage {
    /// Creates a storage.
    public init() { super.init(.callers) }
}

/// The storage of a scope like `.graph`.
@available(*, deprecated, message: "Use the scope .graph")
public final class GraphStorage: StandardStorage {
    /// Creates a storage.
    public init() { super.init(.graph) }
}

/// The storage of a scope like `.transient`.
@available(*, deprecated, message: "Use the scope .transient")
public final class TransientStorage: StandardStorage {
    /// Creates a storage.
    public init() { super.init(.resolve) }
}

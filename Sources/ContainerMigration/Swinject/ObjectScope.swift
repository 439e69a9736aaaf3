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

    /// The number of scopes that have been created. Two scopes of Swinject are different even if their names are equal.
    private static let count = Atomic(0)

    private init(_ scope: Scope) {
        self.scope = scope
        description = scope.description
    }

    /// Creates a scope.
    ///
    /// - Parameters:
    ///   - storageFactory: creates a storage, which determines how long an instance is kept.
    ///   - description: the name of the scope.
    public init(storageFactory: () -> StandardStorage, description: String = "") {
        let number = Self.count.add(1, ordering: .relaxed).newValue
        let name = "\(description.isEmpty ? "scope" : description) #\(number)"
        scope = .shared(SharedScope(name, isWeak: storageFactory().isWeak))
        self.description = description
    }
}

// MARK: - Storages

/// A storage of Swinject, which only determines how long an `ObjectScope` keeps its instances.
@available(*, deprecated, message: "Declare a SharedScope, which needs no storage")
public class StandardStorage {
    let isWeak: Bool
    init(isWeak: Bool) { self.isWeak = isWeak }
}

/// The storage of a scope like `.container`.
@available(*, deprecated, message: "Write SharedScope(\"name\")")
public final class PermanentStorage: StandardStorage {
    /// Creates a storage.
    public init() { super.init(isWeak: false) }
}

/// The storage of a scope like `.weak`.
@available(*, deprecated, message: "Write SharedScope(\"name\", isWeak: true)")
public final class WeakStorage: StandardStorage {
    /// Creates a storage.
    public init() { super.init(isWeak: true) }
}

/// A scope whose instances all callers share, so that services must be `Sendable`.
///
/// Declare a scope of your own as a static, and empty it with `Container.reset(_:)`:
///
///     extension SharedScope {
///         static let tenant = SharedScope("tenant")
///     }
public struct SharedScope: Hashable, Sendable, CustomStringConvertible {
    /// One instance for the life of the container that has the registration.
    public static let container = SharedScope("container")
    /// One instance as long as a user of it keeps it alive. A value that is not an object is made for each resolve.
    ///
    /// A resolve checks whether the instance is alive, which costs several times what a resolve in `.container` does.
    public static let weak = SharedScope("weak", isWeak: true)
    /// One instance until `Container.resetSession()`.
    public static let session = SharedScope("session")

    /// The name of the scope in descriptions.
    public let description: String
    let isWeak: Bool

    /// Creates a scope. Two scopes with the same name and the same `isWeak` are one scope.
    ///
    /// - Parameters:
    ///   - name: the name in descriptions.
    ///   - isWeak: whether an instance ends when nobody but the container refers to it.
    public init(_ name: String, isWeak: Bool = false) {
        description = name
        self.isWeak = isWeak
    }
}

/// A scope whose instances stay inside one resolve, so that services need not be `Sendable`.
public struct UnsharedScope: Hashable, Sendable, CustomStringConvertible {
    /// A new instance for each resolve.
    public static let transient = UnsharedScope(scope: .transient)
    /// One instance for each resolution graph, that is for each outermost `resolve`. The default.
    public static let graph = UnsharedScope(scope: .graph)

    let scope: Scope

    /// The name of the scope in descriptions.
    public var description: String { scope.description }
}

/// The scope of a registration, shared or not.
package enum Scope: Hashable, Sendable, CustomStringConvertible {
    case transient
    case graph
    case shared(SharedScope)

    var shared: SharedScope? { if case .shared(let scope) = self { scope } else { nil } }

    package var description: String {
        switch self {
        case .transient: "transient"
        case .graph: "graph"
        case .shared(let scope): scope.description
        }
    }
}

/// A scope whose instances are shared by everybody who asks, so that they have to be `Sendable`.
///
/// Make a scope of your own as a static, and empty it with `Container.reset(_:)`:
///
///     extension SharedScope {
///         static let tenant = SharedScope("tenant")
///     }
public struct SharedScope: Hashable, Sendable, CustomStringConvertible {
    /// Exactly one instance for the life of the container that has the registration.
    public static let container = SharedScope("container")
    /// One instance as long as somebody holds it. A value that is no object is made anew each time.
    ///
    /// That somebody holds it is found out each time, which costs several times what a hit of `.container` does.
    public static let weak = SharedScope("weak", isWeak: true)
    /// One instance until `Container.resetSession()`.
    public static let session = SharedScope("session")

    /// What descriptions call it.
    public let description: String
    let isWeak: Bool

    /// Makes a scope. Two scopes of one name and one way to keep instances are one scope.
    ///
    /// - Parameters:
    ///   - name: what descriptions call it.
    ///   - isWeak: whether the container lets go of an instance that nobody else holds.
    public init(_ name: String, isWeak: Bool = false) {
        description = name
        self.isWeak = isWeak
    }
}

/// A scope whose instances stay inside one resolve, so that they need not be `Sendable`.
public struct UnsharedScope: Hashable, Sendable, CustomStringConvertible {
    /// A new instance each time.
    public static let transient = UnsharedScope(scope: .transient)
    /// One instance for each resolution graph, that is for one outermost `resolve`. The default.
    public static let graph = UnsharedScope(scope: .graph)

    let scope: Scope

    /// What descriptions call it.
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

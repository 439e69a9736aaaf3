/// A scope whose instances several callers and threads share. Its services must be `Sendable`.
///
/// Declare a scope of your own as a static property. `Container.reset(_:)` removes its instances.
///
///     extension SharedScope {
///         static let tenant = SharedScope("tenant")
///     }
public struct SharedScope: Hashable, Sendable, CustomStringConvertible {
    /// One instance for the life of the container that has the registration.
    public static let container = SharedScope("container")
    /// One instance as long as a caller keeps it alive. A service that is not an object is built for each resolve.
    ///
    /// A resolve checks whether the instance is still alive. It takes several times as long as in `.container`.
    public static let weak = SharedScope("weak", isWeak: true)
    /// One instance for each child container that resolves the service, although only a parent registers it.
    ///
    /// In a child, the service is as if the child had registered it in `.container`: its factory resolves from the
    /// child and sees the child's overrides, and `close()` of the child closes the instance. A grandchild has an
    /// instance of its own. A container that registers the service and also resolves it has one instance for itself.
    public static let child = SharedScope("child")
    /// One instance until `Container.resetSession()`.
    public static let session = SharedScope("session")

    /// The name of the scope in descriptions.
    public let description: String
    /// Whether only its callers keep an instance alive.
    let isWeak: Bool

    /// Creates a scope. Two scopes with the same name and the same `isWeak` are the same scope.
    ///
    /// - Parameters:
    ///   - name: the name of the scope.
    ///   - isWeak: whether only its callers, and not the container, keep an instance alive.
    public init(_ name: String, isWeak: Bool = false) {
        description = name
        self.isWeak = isWeak
    }
}

// The names of these scopes in other packages. A program that uses one gets an error with the name here.
extension SharedScope {
    /// The name of `.container` in other containers.
    @available(*, unavailable, renamed: "container", message: "One instance for the life of the container.")
    public static var singleton: SharedScope { .container }
    /// The name of `.child` in other containers.
    @available(*, unavailable, renamed: "child", message: "One instance for each child container, as of a request.")
    public static var request: SharedScope { .child }
    /// The name of `.child` in other containers.
    @available(*, unavailable, renamed: "child", message: "One instance for each child container, as of a request.")
    public static var scoped: SharedScope { .child }
}

/// A scope whose instances belong to one resolve. Its services need not be `Sendable`.
public enum UnsharedScope: Sendable {
    /// A new instance for each resolve.
    case transient
    /// One instance for each graph: an outermost `resolve` and all resolves that it causes. A shared service that it
    /// builds has a graph of its own. This is the default scope.
    case graph

    var scope: Scope { self == .transient ? .transient : .graph }
}

extension UnsharedScope {
    /// The name of `.transient` in other containers.
    @available(*, unavailable, renamed: "transient", message: "A new instance for each resolve.")
    public static var prototype: UnsharedScope { .transient }
    /// The name of `.transient` in other containers.
    @available(*, unavailable, renamed: "transient", message: "A new instance for each resolve.")
    public static var unique: UnsharedScope { .transient }
}

/// The scope of a registration.
package enum Scope: Hashable, Sendable, CustomStringConvertible {
    case transient
    case graph
    case shared(SharedScope)

    /// The shared scope, or nil.
    var shared: SharedScope? { if case .shared(let scope) = self { scope } else { nil } }

    package var description: String {
        switch self {
        case .transient: "transient"
        case .graph: "graph"
        case .shared(let scope): scope.description
        }
    }
}

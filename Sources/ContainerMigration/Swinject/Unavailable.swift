public import Container

// What this package cannot do. Each declaration only carries the compiler's message.

/// A function that Swinject calls for each registration.
@available(
    *, unavailable, message: "There are no behaviors. Register through a function of your own that does the rest"
)
public protocol Behavior {}

/// An object that keeps the instances of a scope in Swinject.
@available(
    *, unavailable,
    message: "The container keeps the instances. Declare a SharedScope, and remove its instances with reset(_:)"
)
public protocol InstanceStorage: AnyObject {
    /// The instance.
    var instance: Any? { get set }
}

/// A scope with a storage of its own in Swinject.
@available(*, unavailable, message: "Declare a SharedScope, and remove its instances with reset(_:)")
public protocol ObjectScopeProtocol: AnyObject {}

/// The identity of an object graph in Swinject.
@available(
    *, unavailable, message: "A graph is everything that one resolve builds. To join it, resolve from the parameter 'r'"
)
public struct GraphIdentifier: Hashable {
    /// Creates an identity.
    public init() {}
}

/// A storyboard whose view controllers Swinject fills.
@available(
    *, unavailable, message: "There is no storyboard. Resolve what a view controller needs from a container in its init"
)
public enum SwinjectStoryboard {}

extension Container {
    /// Creates a container with behaviors.
    ///
    /// - Parameters:
    ///   - parent: the parent.
    ///   - defaultObjectScope: the default scope.
    ///   - behaviors: the behaviors.
    ///   - registeringClosure: registers the services.
    @available(
        *, unavailable,
        message: "There are no behaviors. Register through a function of your own that does the rest"
    )
    public convenience init(
        parent: Container? = nil, defaultObjectScope: ObjectScope = .graph, behaviors: [Any],
        registeringClosure: (Container) -> Void = { _ in }
    ) { self.init(parent: parent) }

    /// Adds a function that is called for each registration.
    ///
    /// - Parameter behavior: the behavior.
    @available(
        *, unavailable,
        message: "There are no behaviors. Register through a function of your own that does the rest"
    )
    public func addBehavior(_ behavior: Any) {}

    /// The function that writes the messages of Swinject.
    @available(*, unavailable, message: "Call onFailure(_:) of a container")
    public static var loggingFunction: ((String) -> Void)? {
        get { nil }
        set {}
    }

    /// Writes a message.
    ///
    /// - Parameter message: the message.
    @available(*, unavailable, message: "Call onFailure(_:) of a container, and a logger of your own")
    public static func log(_ message: String) {}

    /// The graph that is being built.
    @available(
        *, unavailable,
        message: "A graph ends with its resolve. Resolve from the parameter 'r' what must join the graph"
    )
    public var currentObjectGraph: GraphIdentifier? { nil }

    /// Makes the next resolve join an earlier graph.
    ///
    /// - Parameter identifier: the identity of the graph.
    @available(
        *, unavailable,
        message: "A graph ends with its resolve. Resolve from the parameter 'r' what must join the graph"
    )
    public func restoreObjectGraph(_ identifier: Any) {}

    /// Runs a closure in an earlier graph.
    ///
    /// - Parameters:
    ///   - identifier: the identity of the graph.
    ///   - body: the closure.
    @available(
        *, unavailable,
        message: "A graph ends with its resolve. Resolve from the parameter 'r' what must join the graph"
    )
    public func withObjectGraph(_ identifier: Any, _ body: (Container) -> Void) {}
}

extension Assembler {
    /// Creates an assembler whose container has behaviors.
    ///
    /// - Parameters:
    ///   - assemblies: the assemblies.
    ///   - parent: the other assembler.
    ///   - defaultObjectScope: the default scope.
    ///   - behaviors: the behaviors.
    @available(
        *, unavailable,
        message: "There are no behaviors. Register through a function of your own that does the rest"
    )
    public convenience init(
        _ assemblies: [any Assembly], parent: Assembler?, defaultObjectScope: ObjectScope = .graph,
        behaviors: [Any]
    ) { self.init() }

    /// Creates an assembler whose container has behaviors.
    ///
    /// - Parameters:
    ///   - parentAssembler: the other assembler.
    ///   - defaultObjectScope: the default scope.
    ///   - behaviors: the behaviors.
    @available(
        *, unavailable,
        message: "There are no behaviors. Register through a function of your own that does the rest"
    )
    public convenience init(
        parentAssembler: Assembler?, defaultObjectScope: ObjectScope = .graph, behaviors: [Any]
    ) { self.init() }
}

public import Container

// The names that have no replacement in this package. Each declaration only carries the compiler's message.

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
}

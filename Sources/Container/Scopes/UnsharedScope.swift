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

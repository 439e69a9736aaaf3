/// A scope whose instances stay inside one resolve, so that they need not be `Sendable`.
public struct UnsharedScope: Hashable, Sendable, CustomStringConvertible {
    /// A new instance each time.
    public static let transient = UnsharedScope(description: "transient")
    /// One instance for each resolution graph, that is for one outermost `resolve`. The default.
    public static let graph = UnsharedScope(description: "graph")

    /// What descriptions call it.
    public let description: String
}

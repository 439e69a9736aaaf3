/// All that is wrong with what was asked for, found at once.
public struct PropertyErrors: Error, Sendable {
    /// The problems, in the order in which they were found; at least one.
    public let problems: [PropertyError]
}

extension PropertyErrors: CustomStringConvertible {
    /// One line for each problem.
    public var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}

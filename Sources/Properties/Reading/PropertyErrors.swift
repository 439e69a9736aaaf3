/// All that is wrong with what was asked for, found at once.
public struct PropertyErrors: Error, Sendable {
    /// The problems, in the order in which they were found; at least one.
    public let problems: [PropertyError]
}

extension PropertyErrors: CustomStringConvertible {
    /// How many problems the description tells of. To find the nearest name of one takes a look at all names.
    private static let shown = 20

    /// One line for each problem, up to twenty, and how many more there are.
    public var description: String {
        var lines = problems.prefix(Self.shown).map(\.description)
        if problems.count > Self.shown { lines.append("There are \(problems.count - Self.shown) more problems.") }
        return lines.joined(separator: "\n")
    }
}

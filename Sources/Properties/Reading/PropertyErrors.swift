/// All that is wrong with what was asked for, found at once.
public struct PropertyErrors: Error, Sendable {
    /// The problems, in the order in which they were found; at least one.
    public let problems: [PropertyError]
}

extension PropertyErrors: CustomStringConvertible {
    /// One line for each problem, up to twenty, and how many more there are.
    public var description: String {
        // Not all are put into words: to find the nearest name of one takes a comparison with all names.
        let shown = BoundedList(problems, limit: ListLimit.lines)
        let rest = shown.rest == 0 ? [] : ["There are \(shown.rest.grouped) more problems."]
        return (shown.elements.map(\.description) + rest).joined(separator: "\n")
    }
}

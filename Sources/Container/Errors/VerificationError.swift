/// The error of `Container.verify()` and `Container.start()`, with all problems that they found.
public struct VerificationError: Error, Sendable, CustomStringConvertible, CompositeError {
    /// The problems, sorted by their paths.
    public let problems: [ResolutionError]

    /// Creates an error from all problems that `verify()` or `start()` has found, or returns nil if there are none.
    init?(_ found: [ResolutionError]) {
        problems = Self.withoutConsequences(found.sorted { $0.path.lexicographicallyPrecedes($1.path) })
        if problems.isEmpty { return nil }
    }

    package var parts: [any Error] { problems }

    /// A title, and a line for each problem.
    public var description: String {
        let count = problems.count == 1 ? "1 problem" : "\(problems.count) problems"
        return (["The container has \(count):"] + problems.map { "  \($0)" }).joined(separator: "\n")
    }

    /// Removes the problems that only repeat another one at the end of a longer path, and all but the first problem of
    /// each dependency cycle.
    private static func withoutConsequences(_ problems: [ResolutionError]) -> [ResolutionError] {
        var circles: Set<Set<String>> = []
        return problems.filter { problem in
            let path = problem.path
            if problem.reason == .circular, let last = path.last, let start = path.firstIndex(of: last) {
                return circles.insert(Set(path[start...])).inserted
            }
            return !problems.contains { other in
                other.reason == problem.reason && other.path.count < path.count
                    && path.suffix(other.path.count).elementsEqual(other.path)
            }
        }
    }
}

/// All problems that `Container.verify()` has found.
public struct VerificationError: Error, Sendable, CustomStringConvertible {
    /// The problems, sorted by the service that `verify()` has resolved.
    public let problems: [ResolutionError]

    /// Creates an error of what `verify()` has found, or returns nil if that is nothing.
    init?(_ found: [ResolutionError]) {
        problems = Self.withoutConsequences(found)
        if problems.isEmpty { return nil }
    }

    /// A line for each problem.
    public var description: String {
        let count = problems.count == 1 ? "1 problem" : "\(problems.count) problems"
        return (["The container has \(count):"] + problems.map { "  \($0)" }).joined(separator: "\n")
    }

    /// The problems without those that repeat another one on a longer path, and each circle once.
    private static func withoutConsequences(_ problems: [ResolutionError]) -> [ResolutionError] {
        var circles: Set<Set<String>> = []
        return problems.filter { problem in
            let path = problem.path
            if problem.reason == .circular, let last = path.last, let start = path.firstIndex(of: last) {
                return circles.insert(Set(path[start...])).inserted
            }
            return !problems.contains { other in
                other.path.count < path.count && path.suffix(other.path.count).elementsEqual(other.path)
            }
        }
    }
}

extension Container {
    /// Builds every registration that needs no arguments, those of the parents included, and throws all problems.
    ///
    /// Call it when a service starts, so that a missing registration fails then and not at the first request. The
    /// instances are thrown away: shared ones are built anew, once for all of them, and nobody else gets them.
    /// Leave out what must not be built twice with `withoutVerification()`; what needs that is passed over too, as far
    /// as it takes it by `require`.
    ///
    /// - Throws: a `VerificationError` with all problems, each with its path.
    public func verify() throws(VerificationError) {
        var problems: [ResolutionError] = []
        let roots = allRegistrations.filter { $0.key.hasNoArguments && $0.isVerified }
        ThreadState.withScratch {
            for root in roots.sorted(by: { $0.key.description < $1.key.description }) {
                do throws(ResolutionError) {
                    try root.verify(for: self)
                } catch  where error.reason != .unverified {
                    problems.append(error)
                } catch {}
            }
        }
        problems = VerificationError.withoutConsequences(problems)
        if !problems.isEmpty { throw VerificationError(problems: problems) }
    }
}

/// All that `Container.verify()` has found.
public struct VerificationError: Error, Sendable, CustomStringConvertible {
    /// The problems, by the name of the service that was asked for.
    public let problems: [ResolutionError]

    /// A line for each problem.
    public var description: String {
        let count = problems.count == 1 ? "1 problem" : "\(problems.count) problems"
        return (["The container has \(count):"] + problems.map { "  \($0)" }).joined(separator: "\n")
    }

    /// The problems without those that only repeat another on a longer path, or a circle from another start.
    fileprivate static func withoutConsequences(_ problems: [ResolutionError]) -> [ResolutionError] {
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

import SharedState
import Synchronization

/// What `verify()` finds while it builds services.
final class Verification: Sendable {
    private let found = Lock<[ResolutionError]>([])

    /// The resolves from captured containers, at most one for each service whose closures do that.
    var captures: [ResolutionError] { found.withLock { $0 } }

    func add(_ error: ResolutionError) {
        found.withLock { all in
            let isKnown = all.contains { $0.keys.dropLast().last == error.keys.dropLast().last }
            if !isKnown { all.append(error) }
        }
    }
}

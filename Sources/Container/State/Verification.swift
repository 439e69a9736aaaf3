import SharedState
import Synchronization

/// What `verify()` finds while it builds services.
final class Verification: Sendable {
    private let state = Lock(State())

    private struct State {
        var captures: [ResolutionError] = []
        var unshared: [PendingInstance] = []
    }

    /// The resolves from captured containers, at most one for each service whose closures do that.
    var captures: [ResolutionError] { state.withLock { $0.captures } }

    /// What records the services that each unshared service has taken.
    var unshared: [PendingInstance] { state.withLock { $0.unshared } }

    func add(capture error: ResolutionError) {
        state.withLock { state in
            let isKnown = state.captures.contains { $0.keys.dropLast().last == error.keys.dropLast().last }
            if !isKnown { state.captures.append(error) }
        }
    }

    func add(unshared user: PendingInstance) { state.withLock { $0.unshared.append(user) } }
}

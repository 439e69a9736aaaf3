import SharedState
import Synchronization

/// The shared instances that one thread builds and that are not complete yet.
///
/// A construction starts when a thread that builds no shared instance begins to build one, and ends with that instance:
/// when its factory and all completions have run. Then all members become complete at once. Nobody else gets a member
/// before that, unless threads would wait for each other: their constructions become one, and end together.
///
/// The thread runs the factories and the completions of all its members itself.
final class Construction: Sendable {
    /// The container of its first instance.
    let container: Container
    let state = Lock(State())

    init(in container: Container) { self.container = container }

    struct State {
        var members: [PendingInstance] = []
        /// The instances whose factories have begun in this construction and have not thrown.
        var begun: [PendingInstance] = []
        var isMerged = false
        var outcome: Outcome?
    }

    /// The end of a construction.
    enum Outcome {
        case complete
        /// A completion of this construction or of one that it was merged with threw an error, or a member is stale.
        case failed
    }

    /// The end of merged constructions, set when all of them have ended.
    var outcome: Outcome? { state.withLock { $0.outcome } }

    /// Records that the factory of an instance begins.
    func begin(_ pending: PendingInstance) { state.withLock { $0.begun.append(pending) } }

    /// Records that the factory of an instance has thrown.
    func remove(_ pending: PendingInstance) { state.withLock { $0.begun.removeAll { $0 === pending } } }

    /// Returns the instance of a registration that has begun in this construction, also if a reset has removed it
    /// meanwhile, so that services which need each other get the same instances.
    func find(
        _ registration: Registration, in container: Container, for replacement: Replacement?
    ) -> PendingInstance? {
        state.withLock { state in
            state.begun.last {
                $0.registration === registration && $0.container === container && $0.replacement === replacement
            }
        }
    }

    /// Adds an instance whose factory has returned.
    func add(_ member: PendingInstance) { state.withLock { $0.members.append(member) } }

    /// Records that this construction ends together with others. Its thread waits meanwhile.
    func merge() { state.withLock { $0.isMerged = true } }
}

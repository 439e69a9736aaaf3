import SharedState
import Synchronization

/// The shared instances that one thread or task builds and that are not complete yet.
///
/// The construction of a task has one instance, which becomes complete alone. The following holds for threads.
///
/// A construction starts when a thread that builds no shared instance begins to build one, and ends with that instance:
/// when its factory and all completions have run. Then all members become complete at once. Nobody else gets a member
/// before that, unless threads would wait for each other: their constructions become one, and end together.
///
/// The thread runs the factories and the completions of all its members itself.
final class Construction: Sendable {
    let state = Lock(State())

    struct State {
        /// The instances whose factories have begun. One that fails or is complete before the others is removed.
        var members: [PendingInstance] = []
        /// Sent when the construction ends, with whether its members are complete. Nil unless it was merged with others.
        var end: Signal<Bool>?
    }

    func add(_ member: PendingInstance) { state.withLock { $0.members.append(member) } }

    func remove(_ member: PendingInstance) { state.withLock { $0.members.removeAll { $0 === member } } }

    var hasMembers: Bool { state.withLock { !$0.members.isEmpty } }

    /// Returns the member of a registration, also if a reset has removed it meanwhile, so that services which need each
    /// other get the same instances.
    func find(
        _ registration: Registration, in container: Container, for replacement: Replacement?
    ) -> PendingInstance? {
        state.withLock { state in
            state.members.last {
                $0.registration === registration && $0.container === container && $0.replacement === replacement
            }
        }
    }

    /// Records that this construction ends together with others. Its thread waits meanwhile.
    func merge() { state.withLock { $0.end = $0.end ?? Signal() } }
}

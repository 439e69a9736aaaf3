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
        /// The instances whose factories have begun. One that fails or is complete before the others is removed.
        var members: [PendingInstance] = []
        var isMerged = false
        /// Set at the end: false if a completion of this construction or of one that it was merged with threw an error,
        /// or if a member was stale.
        var isComplete: Bool?
    }

    /// Whether the members are complete, or nil before the end.
    var isComplete: Bool? { state.withLock { $0.isComplete } }

    /// Adds an instance whose factory begins.
    func add(_ member: PendingInstance) { state.withLock { $0.members.append(member) } }

    var hasMembers: Bool { state.withLock { !$0.members.isEmpty } }

    /// Removes the members, and returns them.
    func takeMembers() -> [PendingInstance] {
        state.withLock { state in
            defer { state.members = [] }
            return state.members
        }
    }

    func remove(_ member: PendingInstance) { state.withLock { $0.members.removeAll { $0 === member } } }

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
    func merge() { state.withLock { $0.isMerged = true } }
}

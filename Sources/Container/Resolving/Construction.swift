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
    private let state = Lock(State())

    init(in container: Container) { self.container = container }

    private struct State {
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
    func find(_ registration: Registration, in container: Container) -> PendingInstance? {
        state.withLock { $0.begun.last { $0.registration === registration && $0.container === container } }
    }

    /// Adds an instance whose factory has returned.
    func add(_ member: PendingInstance) { state.withLock { $0.members.append(member) } }

    /// Records that this construction ends together with others. Its thread waits meanwhile.
    func merge() { state.withLock { $0.isMerged = true } }

    /// Ends the construction when its thread has run all its factories and completions. If it was merged, waits for the
    /// others.
    ///
    /// - Parameter hasFailed: whether a completion threw an error.
    /// - Returns: whether the members are complete. Otherwise none of them is kept.
    func end(hasFailed: Bool) -> Bool {
        // Released outside of the lock. The instances refer to their construction.
        var begun: [PendingInstance] = []
        let (members, isMerged) = state.withLock { state in
            swap(&begun, &state.begun)
            return (state.members, state.isMerged)
        }
        // What an instance without completions has been built from is complete already.
        if members.isEmpty, !isMerged { return !hasFailed }
        let hasFailed = hasFailed || members.contains { $0.isStale }
        if !isMerged { return Self.end([self], hasFailed) }
        guard let (all, anyFailed) = Waits.finish(self, hasFailed) else {
            Waits.waitForEnd(of: self)
            return outcome == .complete
        }
        defer { Waits.wakeThoseThatCanGo() }
        return Self.end(all, anyFailed)
    }

    private static func end(_ constructions: [Construction], _ hasFailed: Bool) -> Bool {
        let members = constructions.flatMap { one in one.state.withLock { $0.members } }
            .sorted { $0.number < $1.number }
        if hasFailed { members.discard() } else { for member in members { member.publish() } }
        for one in constructions {
            one.state.withLock { ($0.members, $0.outcome) = ([], hasFailed ? .failed : .complete) }
        }
        return !hasFailed
    }
}

extension PendingInstance {
    /// Makes the instance available to all.
    func publish() {
        guard case .built(let instance) = phase else { return }
        container.keep(self, instance)
        enter(.complete(instance))
    }
}

extension [PendingInstance] {
    /// Removes instances whose construction has failed, and closes them in order.
    func discard() {
        let records = compactMap { member -> (member: PendingInstance, record: ServiceRecord)? in
            guard case .built(let instance) = member.phase else { return nil }
            return (member, ServiceRecord(registration: member.registration, instance: instance, takes: member.takes))
        }
        // The hooks count as activities before the constructions cease to be ones, so that `close()` misses neither.
        var order = records.map(\.record).closingOrder(aliases: first?.container.aliases ?? [:])[...]
        while let next = order.first {
            let container = records[next].member.container
            let same = order.prefix { records[$0].member.container === container }
            container.registry.withWrite { $0.closing.activities += 1 }
            container.run(same.flatMap { records[$0].record.hooks })
            order = order.dropFirst(same.count)
        }
        for member in self {
            member.container.abandon(member)
            member.enter(.failed)
        }
    }
}

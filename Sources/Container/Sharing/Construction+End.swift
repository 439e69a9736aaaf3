import SharedState
import Synchronization

extension Construction {
    /// Ends the construction when its thread has run all its factories and completions. If it was merged, waits for the
    /// others.
    ///
    /// - Parameter hasFailed: whether a completion threw an error.
    /// - Returns: whether the members are complete. Otherwise none of them is kept.
    func end(hasFailed: Bool) -> Bool {
        let (members, end) = state.withLock { ($0.members, $0.end) }
        // What an instance without completions has been built from is complete already.
        if members.isEmpty, end == nil { return !hasFailed }
        guard let end else { return Self.end([self], hasFailed) }
        guard let (all, anyFailed) = Waits.finish(self, hasFailed) else { return end.block() ?? false }
        return Self.end(all, anyFailed)
    }

    private static func end(_ constructions: [Construction], _ hasFailed: Bool) -> Bool {
        // A closure of `onClose` that runs here may build other instances, which do not belong to this end.
        let former = constructions.map { one in
            one.state.withLock { state in
                defer { state = State() }
                return state
            }
        }
        let members = former.flatMap(\.members).sorted { $0.number < $1.number }
        let hasFailed = hasFailed || members.contains { $0.isStale }
        if hasFailed { members.discard() } else { for member in members { member.publish() } }
        for state in former { state.end?.send(!hasFailed) }
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

    /// Gives the instance up, because its factory has thrown.
    func fail(_ error: ResolutionError? = nil) {
        container.abandon(self)
        enter(.failed(error))
    }
}

extension [PendingInstance] {
    /// Removes instances whose construction has failed, and closes them in order.
    ///
    /// - Parameter error: the error of the task that has built them, or nil.
    func discard(_ error: ResolutionError? = nil) {
        let records = compactMap { member -> (member: PendingInstance, record: ServiceRecord)? in
            guard case .built(let instance) = member.phase else { return nil }
            return (member, ServiceRecord(registration: member.registration, instance: instance, takes: member.takes))
        }
        // `close()` waits for activities. The hooks become one before the failed constructions stop being some.
        var order = records.map(\.record).closingOrder[...]
        while let next = order.first {
            let container = records[next].member.container
            let same = order.prefix { records[$0].member.container === container }
            container.registry.withWrite { $0.closing.activities += 1 }
            container.run(same.flatMap { records[$0].record.hooks })
            order = order.dropFirst(same.count)
        }
        for member in self { member.fail(error) }
    }
}

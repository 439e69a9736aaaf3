import SharedState
import Synchronization

extension Container {
    /// The status of the service at this time.
    public var status: ContainerStatus {
        ContainerStatus(
            phase: phase, outdatedServices: outdatedServices, formerServices: formerServices, start: startStatus,
            properties: properties.status)
    }

    /// The status of the start in progress, or of the last start, or nil if there was no start.
    package var startStatus: StartStatus? {
        let (progress, building) = registry.withRead { ($0.life.starting.progress, $0.building) }
        return progress?.status(names, building)
    }

    /// The current phase of the service, and each later one, as a sequence for one reader.
    ///
    ///     for await phase in container.phases { readiness.set(phase == .ready) }
    ///
    /// The sequence ends after `.stopping`. A child container has the phases of its topmost parent.
    public var phases: AsyncStream<ContainerStatus.Phase> {
        let (phases, reader) = AsyncStream.makeStream(of: ContainerStatus.Phase.self)
        let topmost = topmost
        guard let number = topmost.registry.withWrite({ $0.life.starting.phases.add(reader) }) else { return phases }
        reader.onTermination = { [weak topmost] _ in
            _ = topmost?.registry.withWrite { $0.life.starting.phases.readers.removeValue(forKey: number) }
        }
        return phases
    }

    /// The current phase of the service.
    package var phase: ContainerStatus.Phase { topmost.registry.withRead { $0.life.starting.phases.phase } }

    /// The service that the closing in progress waits for. If several closings are in progress, such as of children, it
    /// is the one that has waited for the longest time.
    package var closingNow: ClosingWait? { topmost.registry.withRead { $0.life.starting.phases.closings.first?.wait } }

    /// Records that the closing of an instance begins, or the wait for its construction.
    func begin(closing shared: SharedInstance, isConstruction: Bool = false) {
        let wait = ClosingWait(
            service: names.text(of: shared.key), isConstruction: isConstruction, isFormer: shared.isFormer, since: .now)
        topmost.registry.withWrite { $0.life.starting.phases.closings.append((shared.id, wait)) }
    }

    /// Records that the closing of an instance, or the wait for its construction, has ended.
    func end(closing shared: SharedInstance) {
        topmost.registry.withWrite { registry in
            let index = registry.life.starting.phases.closings.firstIndex { $0.instance == shared.id }
            if let index { registry.life.starting.phases.closings.remove(at: index) }
        }
    }

    /// The number of readers of `phases`, for tests.
    package var phaseReaders: Int { topmost.registry.withRead { $0.life.starting.phases.readers.count } }

    /// Begins a later phase. Nothing happens if this container has a parent, or if the phase has begun already.
    package func begin(_ phase: ContainerStatus.Phase) {
        if parent != nil { return }
        // After unlocking, because the end of a sequence removes its reader, which takes the lock. A reader that has
        // got `.stopping` from another thread ignores later phases.
        for reader in registry.withWrite({ $0.life.starting.phases.begin(phase) }) {
            reader.yield(phase)
            if phase == .stopping { reader.finish() }
        }
    }
}

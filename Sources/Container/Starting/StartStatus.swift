import SharedState
import Synchronization

/// The progress of a start, or the result of the last start, with times.
///
/// It has the shared services of the container itself, without the services of its parents.
public struct StartStatus: Sendable {
    /// A shared service that the start builds or has built.
    public struct Service: Sendable {
        /// The type and the name of the service, as in `RegisteredService.service`.
        public let service: String
        /// For a service under construction, the time since its construction began. Otherwise the duration of its
        /// construction, including the waits for other services.
        public let duration: Duration
        /// The shared services for which it waits, and which are not complete.
        public let waitsFor: [String]
    }

    /// The time since the start began, or the time that it took.
    public let duration: Duration
    /// Whether the start is in progress.
    public let isInProgress: Bool
    /// Whether the sources have been loaded and checked.
    public let isLoaded: Bool
    /// The services under construction, beginning with the earliest.
    public let building: [Service]
    /// The services whose construction has ended, beginning with the slowest. A service that was built several times
    /// has the longest time.
    public let built: [Service]
}

/// Measures the shared instances that a container builds during its start.
///
/// A container keeps the progress of its last start. `current` is nil when that start is over, so constructions are
/// measured at no other time.
package final class StartProgress: Sendable {
    private let now: @Sendable () -> ContinuousClock.Instant
    private let start: ContinuousClock.Instant
    private let state = Lock(State())
    private let isOver = Atomic(false)

    private struct State {
        var end: ContinuousClock.Instant?
        var isLoaded = false
        var building: [UInt64: Building] = [:]
        var built: [ServiceKey: Duration] = [:]
    }

    private struct Building {
        let key: ServiceKey
        let start: ContinuousClock.Instant
    }

    /// The clock of the starts in a task, for tests. It is also read under locks, so it must not use the container.
    @TaskLocal package static var clock = Clock { .now }

    /// A type of its own, because a task-local function crashes in release builds of Swift 6.3.1.
    package struct Clock: Sendable {
        let now: @Sendable () -> ContinuousClock.Instant
        package init(_ now: @escaping @Sendable () -> ContinuousClock.Instant) { self.now = now }
    }

    init() {
        now = Self.clock.now
        start = now()
    }

    /// This progress, unless the start is over.
    var current: StartProgress? { isOver.load(ordering: .relaxed) ? nil : self }

    /// Records that the sources have been loaded.
    func endLoading() { state.withLock { $0.isLoaded = true } }

    func end() {
        isOver.store(true, ordering: .relaxed)
        state.withLock { state in
            state.end = now()
            state.building = [:]
        }
    }

    // An instance is identified by its `id`.

    /// Records that the construction of an instance begins.
    func begin(_ id: UInt64, _ key: ServiceKey) {
        state.withLock { state in
            if state.end != nil { return }
            state.building[id] = Building(key: key, start: now())
        }
    }

    /// Records that an instance is complete or has failed.
    func end(_ id: UInt64) {
        state.withLock { state in
            guard let building = state.building.removeValue(forKey: id) else { return }
            state.built[building.key] = max(now() - building.start, state.built[building.key] ?? .zero)
        }
    }

    /// The status, with what the instances under construction wait for.
    func status(_ names: ServiceNames, _ instances: [SharedInstance]) -> StartStatus {
        let (end, isLoaded, building, built) = state.withLock { ($0.end, $0.isLoaded, $0.building, $0.built) }
        let awaited = Dictionary(instances.map { ($0.id, $0.taken.awaited.map(\.key)) }) { $1 }
        let now = end ?? now()
        return StartStatus(
            duration: now - start, isInProgress: end == nil, isLoaded: isLoaded,
            building: building.sorted {
                ($0.value.start, $0.value.key.description) < ($1.value.start, $1.value.key.description)
            }.map { id, building in
                StartStatus.Service(
                    service: names.fullText(of: building.key), duration: now - building.start,
                    waitsFor: (awaited[id] ?? []).map(names.fullText))
            },
            built: built.map { StartStatus.Service(service: names.fullText(of: $0), duration: $1, waitsFor: []) }
                .sorted { ($1.duration, $0.service) < ($0.duration, $1.service) })
    }
}

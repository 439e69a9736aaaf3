import SharedState

/// The state of the services of a container that follow their settings. Its lock guards it.
struct FollowingState {
    /// Nil until a following service is registered.
    var observation: SettingsObservation?
    /// Whether a task compares the instances with the properties.
    var isComparing = false
    /// Whether something has changed since that task last compared them.
    var isChanged = false
    /// The replacements in progress, by their registrations. A replacement that is not needed any more is removed. Its
    /// task closes the instance that it still builds.
    var replacements: [ObjectIdentifier: Replacement] = [:]
    /// Sent when no service is being replaced any more, if a task waits for that.
    private var settled: Signal<Void>?
    /// The number of the last replacement.
    private var lastNumber = 0
    /// The failed replacements, by the `id` of the former instance, which stays.
    var failed: [UInt64: FailedReplacement] = [:]
    /// The `id` of each open instance that has been replaced, and whether its drain time is over.
    var retired: [UInt64: Bool] = [:]

    /// The services whose failed or slow replacement was reported, which are not up to date yet, and since when.
    var reported: [ServiceKey: ContinuousClock.Instant] = [:]
    /// Gets the events of replacements, or nil.
    var observer: FollowingObserver?
    /// Calls a closure after a time, or nil for a `Deadline`. Tests set it.
    var timer: FollowingTimer?

    /// The construction of a new instance, and the calls of `onReplace` after it.
    struct Replacement {
        let number: Int
        let key: ServiceKey
        let since = ContinuousClock.now
        /// The `id` of the instance that is replaced.
        let former: UInt64
        /// The new instance under construction, or nil when that has ended and `onReplace` runs.
        var successor: SharedInstance?
    }

    mutating func begin(_ successor: SharedInstance, inPlaceOf former: SharedInstance) -> Replacement {
        lastNumber += 1
        let replacement = Replacement(number: lastNumber, key: former.key, former: former.id, successor: successor)
        replacements[ObjectIdentifier(former.registration)] = replacement
        return replacement
    }

    /// Records that a failed or slow replacement was reported.
    mutating func addReport(of key: ServiceKey, since: ContinuousClock.Instant) {
        reported[key] = reported[key] ?? since
    }

    /// Forgets the reports of the services that are not outdated, nor being replaced, and returns them.
    mutating func takeRecovered(outdated: Set<ServiceKey>) -> [(key: ServiceKey, since: ContinuousClock.Instant)] {
        if reported.isEmpty { return [] }
        let open = outdated.union(replacements.values.map(\.key))
        let over = reported.filter { !open.contains($0.key) }
        for key in over.keys { reported[key] = nil }
        return over.map { ($0.key, $0.value) }.sorted { $0.key.description < $1.key.description }
    }

    /// Whether no service is being replaced, and none needs to be.
    var isSettled: Bool { !isComparing && replacements.isEmpty }

    /// Returns the signal that is sent when no service is being replaced any more, or nil if no service is being
    /// replaced.
    mutating func waitUntilSettled() -> Signal<Void>? {
        if isSettled { return nil }
        let signal = settled ?? Signal()
        settled = signal
        return signal
    }

    /// Takes the signal that is sent when no service is being replaced any more, if no service is.
    ///
    /// - Parameter isEnd: whether nobody waits any longer, because the container is closed.
    /// - Returns: the signal, which the caller sends outside of the lock, or nil if nobody waits.
    mutating func takeSettled(isEnd: Bool = false) -> Signal<Void>? { isEnd || isSettled ? settled.take() : nil }

    /// The replacement that builds an instance, or nil if it is not needed any more.
    func replacement(building shared: SharedInstance) -> Replacement? {
        replacements[ObjectIdentifier(shared.registration)].flatMap { $0.successor === shared ? $0 : nil }
    }
}

/// Gets the events of the following services of a container and its children, besides their errors.
package struct FollowingObserver: Sendable {
    /// Gets each replacement that begins.
    let began: @Sendable (RunningReplacement) -> Void
    /// Gets each service that is up to date again, and since when it was not.
    let recovered: @Sendable (_ service: String, _ since: ContinuousClock.Instant) -> Void
}

/// A replacement that has begun. It keeps neither the container nor an instance alive.
package struct RunningReplacement: Sendable {
    /// The name of the service.
    package let service: String
    /// When it began.
    package let since: ContinuousClock.Instant
    fileprivate let number: Int
    fileprivate let key: ServiceKey
    fileprivate let container: @Sendable () -> Container?

    init(_ replacement: FollowingState.Replacement, in container: Container) {
        (service, since) = (replacement.key.description, replacement.since)
        (number, key) = (replacement.number, replacement.key)
        self.container = { [weak container] in container }
    }

    /// Whether it has not ended, and is still needed.
    package var isRunning: Bool {
        container()?.registry.withRead { $0.following.replacements.values.contains { $0.number == number } } ?? false
    }

    /// Makes the container report when the service is up to date again. Call it after reporting that it is not, so that
    /// the reports come in order.
    package func wasReported() {
        guard let container = container() else { return }
        container.registry.withWrite { $0.following.addReport(of: key, since: since) }
        container.compareFollowers()
    }
}

/// Calls a closure after a time.
package typealias FollowingTimer = @Sendable (_ time: Duration, _ action: @escaping @Sendable () -> Void) -> Void

/// A replacement that has failed, and is tried again.
struct FailedReplacement {
    /// The number of the replacement.
    let number: Int
    let since: ContinuousClock.Instant
    /// The pause before it is tried again without a change. Nil if it is not tried again, or has been restarted.
    var pause: Duration?
    /// What the construction and the former instance have read, with the values at the time of the construction, and what
    /// it has taken. If some of it changes, it is tried again at once. A change of anything else does not shorten the
    /// pause, because each try may count: a database locks an account after a few wrong passwords.
    let reads: [ReadLog]
    var dependencies: [SharedInstance.Dependency] = []
    /// Whether it is tried again now: the pause is over, or a caller has asked for it.
    var isDue = false

    /// Makes it due. If it fails again, the pauses begin with the shortest pause.
    mutating func restart() { (pause, isDue) = (nil, true) }

    /// The pause before a replacement is tried again, which doubles from the shortest to the longest pause.
    ///
    /// - Parameters:
    ///   - pauses: the shortest and the longest pause.
    ///   - former: the previous failure, or nil.
    /// - Returns: the pause.
    static func pause(in pauses: ClosedRange<Duration>, after former: FailedReplacement?) -> Duration {
        // Without a pause, failures would occupy a thread.
        let shortest = max(pauses.lowerBound, .milliseconds(10))
        guard let last = former?.pause else { return shortest }
        return last > pauses.upperBound / 2 ? max(pauses.upperBound, shortest) : last * 2
    }
}

/// Calls a function after each change of a store or of a store above it, until it is deallocated.
final class SettingsObservation: Sendable {
    private let observers: [(store: PropertyStore, number: Int)]

    init(of store: PropertyStore, _ action: @escaping @Sendable () -> Void) {
        observers = sequence(first: store, next: \.parent).map { ($0, $0.addObserver(action)) }
    }

    deinit { for observer in observers { observer.store.removeObserver(observer.number) } }
}

extension Registry {
    /// Removes the replaced instances whose drain time is over, unless a following instance of this container that
    /// is open or under construction holds them. Instances of children do not count: see `SharedInstance.mayHold`.
    mutating func removeDrained() -> [SharedInstance] {
        var drained = Set(following.retired.filter(\.value).keys)
        if drained.isEmpty { return [] }
        let held = (complete + underConstruction).filter(\.registration.follows).map { holder in
            (holder: holder.id, ids: Set(holder.dependencies.filter(\.isHeld).map(\.id)).subtracting([holder.id]))
        }
        var count = -1
        while drained.count != count {
            count = drained.count
            for (holder, ids) in held where !drained.contains(holder) { drained.subtract(ids) }
        }
        for id in drained { following.retired[id] = nil }
        return removeComplete { drained.contains($0.id) }
    }
}

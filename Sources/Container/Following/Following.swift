import SharedState

/// The state of the services of a container that follow their settings. Its lock guards it.
struct FollowingState {
    /// Nil until a following service is registered.
    var observation: SettingsObservation?
    /// Whether a task compares the instances with the properties.
    var isComparing = false
    /// Whether something has changed since that task last compared them.
    var isChanged = false
    /// The number of complete instances that are not yet compared with what has changed during their construction.
    var uncomparedCount = 0
    /// The replacements in progress, by their registrations. A replacement that is not needed any more is removed. Its
    /// task closes the instance that it still builds.
    var replacements: [ObjectIdentifier: Replacement] = [:]
    /// Sent when no service is being replaced any more, if a task waits for that.
    private var settled: Signal<Void>?
    /// The number of the last replacement.
    private var lastNumber = 0
    /// The failed replacements, by the `id` of the former instance, which stays.
    var failed: [UInt64: FailedReplacement] = [:]
    /// The replaced instances that are not closed, by their `id`.
    var formers: [UInt64: FormerInstance] = [:]

    /// The services whose failed or slow replacement was reported, and which are not up to date yet.
    var reported: [ServiceKey: ReportedReplacement] = [:]
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

    /// Records that a slow replacement was reported, or a failed one with its error.
    ///
    /// - Returns: the former record, which the caller releases after unlocking.
    mutating func addReport(
        of key: ServiceKey, since: ContinuousClock.Instant, _ error: ResolutionError? = nil
    ) -> ReportedReplacement? {
        let former = reported[key]
        var report = former ?? ReportedReplacement(since: since)
        if let error { (report.error, report.failures) = (error, report.failures + 1) }
        reported[key] = report
        return former
    }

    /// Forgets the reports of the services that are not outdated, nor being replaced, and returns them.
    mutating func takeRecovered(outdated: Set<ServiceKey>) -> [(key: ServiceKey, report: ReportedReplacement)] {
        if reported.isEmpty { return [] }
        let open = outdated.union(replacements.values.map(\.key))
        let over = reported.filter { !open.contains($0.key) }
        for key in over.keys { reported[key] = nil }
        return over.map { ($0.key, $0.value) }.sorted { $0.key.description < $1.key.description }
    }

    /// The services of the replaced instances whose closing did not end within its limit, and goes on.
    var lateFormers: [ServiceKey] {
        formers.values.filter(\.isLate).map(\.key).sorted { $0.description < $1.description }
    }

    /// Whether no service is being replaced, and none needs to be.
    var isSettled: Bool { !isComparing && uncomparedCount == 0 && replacements.isEmpty }

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
    /// - Returns: the signal, which the caller sends after unlocking, or nil if nobody waits.
    mutating func takeSettled(isEnd: Bool = false) -> Signal<Void>? { isEnd || isSettled ? settled.take() : nil }

    /// The replacement that builds an instance, or nil if it is not needed any more.
    func replacement(building shared: SharedInstance) -> Replacement? {
        replacements[ObjectIdentifier(shared.registration)].flatMap { $0.successor === shared ? $0 : nil }
    }
}

/// Gets the events of the following services of a container and its children, besides their errors.
package typealias FollowingObserver = @Sendable (FollowingEvent) -> Void

/// An event of a following service.
package enum FollowingEvent: Sendable {
    /// A replacement has begun.
    case began(RunningReplacement)
    /// A new instance has replaced the former one. `keepsObject` is whether the factory has returned the same object
    /// again, which stays open.
    case replaced(_ service: String, time: Duration, _ changes: [PropertyChange<PropertyEntry>], keepsObject: Bool)
    /// The service is up to date again after a failed or slow replacement.
    case recovered(_ service: String, since: ContinuousClock.Instant)
    /// The closing of a replaced instance has begun.
    case closing(ClosingFormer)
    /// A replaced instance is closed.
    case closed(_ service: String, time: Duration)
}

/// A replaced instance that is not closed.
struct FormerInstance {
    let key: ServiceKey
    /// When it was replaced.
    let since = ContinuousClock.now
    var isDrained = false
    /// When its closing began, or nil.
    var closing: ContinuousClock.Instant?
    /// The number of hooks that go on after the limit of the closing. Nothing waits for them any more.
    var lateHooks = 0
    var isLate: Bool { lateHooks != 0 }
}

/// The closing of a replaced instance. It keeps neither the container nor the instance alive.
package struct ClosingFormer: Sendable {
    /// The name of the service.
    package let service: String
    /// When the closing began.
    package let since: ContinuousClock.Instant
    fileprivate let id: UInt64
    fileprivate let container: @Sendable () -> Container?

    init(_ former: SharedInstance, in container: Container) {
        (service, since, id) = (container.names.text(of: former.key), .now, former.id)
        self.container = { [weak container] in container }
    }

    /// Whether the closing has neither ended nor reached its limit.
    package var isRunning: Bool {
        container()?.registry.withRead { registry in
            registry.life.following.formers[id].map { $0.closing != nil && !$0.isLate }
        } ?? false
    }
}

/// A failed or slow replacement that was reported.
struct ReportedReplacement {
    /// When the first of the replacements began.
    let since: ContinuousClock.Instant
    /// The number of failures.
    var failures = 0
    /// The last error, or nil if none has failed.
    var error: ResolutionError?
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
        (service, since) = (container.names.text(of: replacement.key), replacement.since)
        (number, key) = (replacement.number, replacement.key)
        self.container = { [weak container] in container }
    }

    /// Whether it has not ended, and is still needed.
    package var isRunning: Bool {
        container()?.registry.withRead { $0.life.following.replacements.values.contains { $0.number == number } }
            ?? false
    }

    /// Makes the container report when the service is up to date again. Call it after reporting that it is not, so that
    /// the reports come in order.
    package func wasReported() {
        guard let container = container() else { return }
        let former = container.registry.withWrite { $0.life.following.addReport(of: key, since: since) }
        withExtendedLifetime(former) {}
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
    /// What the construction and the former instance have read and taken, with the values and the instances at the time of
    /// the construction. If some of it changes, it is tried again at once. A change of anything else does not shorten the
    /// pause, because each try may count: a database locks an account after a few wrong passwords.
    let reads: [ReadLog]
    private(set) var dependencies: [Dependency]
    /// When it is tried again without a change, or nil.
    var nextTry: ContinuousClock.Instant?
    /// Whether it is tried again now: the pause is over, or a caller has asked for it.
    var isDue = false

    init(
        number: Int, since: ContinuousClock.Instant, pause: Duration?, reads: [ReadLog], dependencies: [Dependency]
    ) {
        (self.number, self.since, self.pause) = (number, since, pause)
        (self.reads, self.dependencies) = (reads, dependencies)
    }

    /// Records what the construction has held until it failed, in place of what the former instance holds of the same
    /// services.
    mutating func add(_ held: [Dependency]) {
        let services = Set(held.map(\.key))
        dependencies = held + dependencies.filter { !services.contains($0.key) }
    }

    /// Makes it due. If it fails again, the pauses begin with the shortest pause.
    mutating func restart() { (pause, nextTry, isDue) = (nil, nil, true) }

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

/// Calls a function after each change of a store or of its parents, until it is deallocated.
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
        var drained = Set(life.following.formers.filter { $0.value.isDrained && $0.value.closing == nil }.keys)
        if drained.isEmpty { return [] }
        let held = (life.closing.toClose + building).filter(\.registration.follows).map { holder in
            (holder: holder.id, ids: Set(holder.taken.dependencies.filter(\.isHeld).map(\.id)).subtracting([holder.id]))
        }
        var count = -1
        while drained.count != count {
            count = drained.count
            for (holder, ids) in held where !drained.contains(holder) { drained.subtract(ids) }
        }
        let removed = life.closing.remove { drained.contains($0.id) }
        for former in removed { life.following.formers[former.id]?.closing = .now }
        // A reset has closed the others.
        for id in drained where life.following.formers[id]?.closing == nil { life.following.formers[id] = nil }
        return removed
    }
}

extension SharedInstance {
    /// Whether both are the same object.
    func hasInstance(of other: SharedInstance) -> Bool {
        guard case .complete(let one) = phase, case .complete(let two) = other.phase else { return false }
        return one.object === two.object
    }

    /// Whether it may hold an instance that is replaced when its settings change: it is replaced, too, or it belongs to
    /// a child. It is assumed, and not checked, that the child ends within the drain time.
    func mayHold(_ follower: SharedInstance) -> Bool {
        registration.follows || registration.isPerChild || containerID != follower.containerID
    }
}

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

/// Calls a closure after a time.
package typealias FollowingTimer = @Sendable (_ time: Duration, _ action: @escaping @Sendable () -> Void) -> Void

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

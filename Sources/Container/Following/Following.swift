import SharedState

/// The state of the services of a container that follow their settings. Its lock guards it.
struct FollowingState {
    /// Nil until such a service is registered.
    var observation: SettingsObservation?
    /// Whether a task compares the instances with the properties.
    var isComparing = false
    /// Whether something has changed since that task last compared them.
    var isChanged = false
    /// Increases with each change of the properties.
    var change = 0
    /// The replacements in progress, by their registrations. One that is not needed any more is removed. Its task closes
    /// what it still builds.
    var replacements: [ObjectIdentifier: Replacement] = [:]
    /// Sent when no service is being replaced any more, if a task waits for that.
    private var settled: Signal<Void>?
    /// The number of the last replacement.
    private var lastNumber = 0
    /// The instances for which no new one could be built, each with the change after which that was tried. The next
    /// change tries again.
    var failed: [UInt64: Int] = [:]
    /// The open instances that have been replaced, and whether the drain time of each is over.
    var retired: [UInt64: Bool] = [:]

    /// The construction of a new instance, and the calls of `onReplace` after it.
    struct Replacement {
        let number: Int
        /// The instance that is replaced.
        let former: UInt64
        /// The new instance under construction, or nil when that has ended and `onReplace` runs.
        var successor: SharedInstance?
    }

    mutating func begin(_ successor: SharedInstance, inPlaceOf former: SharedInstance) -> Int {
        lastNumber += 1
        replacements[ObjectIdentifier(former.registration)] = Replacement(
            number: lastNumber, former: former.id, successor: successor)
        return lastNumber
    }

    /// Whether no service is being replaced, and none needs to be.
    var isSettled: Bool { !isComparing && replacements.isEmpty }

    /// Returns the signal that is sent when no service is being replaced any more, or nil if none is.
    mutating func waitUntilSettled() -> Signal<Void>? {
        if isSettled { return nil }
        let signal = settled ?? Signal()
        settled = signal
        return signal
    }

    /// Forgets the signal that is sent when no service is being replaced any more, if that is so.
    ///
    /// - Parameter isEnd: whether nobody waits any longer, because the container is closed.
    /// - Returns: the signal, which the caller sends outside of the lock, or nil if nobody waits.
    mutating func takeSettled(isEnd: Bool = false) -> Signal<Void>? { isEnd || isSettled ? settled.take() : nil }

    /// The replacement that builds an instance, or nil if it is not needed any more.
    func replacement(building shared: SharedInstance) -> Replacement? {
        replacements[ObjectIdentifier(shared.registration)].flatMap { $0.successor === shared ? $0 : nil }
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

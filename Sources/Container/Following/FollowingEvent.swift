import SharedState

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

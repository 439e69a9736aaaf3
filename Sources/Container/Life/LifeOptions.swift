/// The options of a registration for closing, following and starting. The core keeps them.
struct LifeOptions: Sendable {
    /// The closures of `onClose`, in the order of their addition.
    var closures: [CloseClosure] = []
    /// Whether `start()` and `verify()` leave the service out.
    var isOnDemand = false
    /// How long a replaced instance stays open, or nil if the service does not follow its settings.
    var draining: Duration?
    /// How long the closing of a replaced instance may take.
    var closeTimeout = Container.defaultCloseTimeout
    /// The shortest and the longest pause before a failed replacement is tried again, or nil if only a change does that.
    var retrying: ClosedRange<Duration>?
    /// The closures of `onReplace`.
    var replaceClosures: [@Sendable ([PropertyChange<PropertyEntry>]) -> Void] = []
}

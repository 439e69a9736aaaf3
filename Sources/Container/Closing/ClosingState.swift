/// What a container must close. The container's lock guards it.
struct ClosingState {
    enum Phase {
        case open
        /// The signal is sent when all is closed.
        case closing(Signal<[ResolutionError]>)
        case closed([ResolutionError])
    }

    var phase = Phase.open
    /// Whether `close()` has taken the records, so that an instance which is completed later is closed at once.
    var isDrained = false
    /// The shared instances that the container keeps, in the order in which they were completed.
    var records: [ServiceRecord] = []
    /// The number of shared instances under construction, and of removed instances whose hooks run in a task.
    var activities = 0
    /// Sent when no activity is left, if `close()` waits for that.
    var idle: Signal<Void>?

    var isOpen: Bool { if case .open = phase { true } else { false } }

    /// Removes the records that fulfil a condition, and returns them.
    mutating func removeRecords(where isRemoved: (ServiceRecord) -> Bool) -> [ServiceRecord] {
        let removed = records.filter(isRemoved)
        if !removed.isEmpty { records.removeAll(where: isRemoved) }
        return removed
    }

    /// Records that an activity has ended, and returns the signal to send outside of the lock if it was the last one.
    mutating func endActivity() -> Signal<Void>? {
        activities -= 1
        return activities > 0 ? nil : idle
    }
}

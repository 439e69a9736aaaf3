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

/// A failed or slow replacement that was reported.
struct ReportedReplacement {
    /// When the first of the replacements began.
    let since: ContinuousClock.Instant
    /// The number of failures.
    var failures = 0
    /// The last error, or nil if none has failed.
    var error: ResolutionError?
}

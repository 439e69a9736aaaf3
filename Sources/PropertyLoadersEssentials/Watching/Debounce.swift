/// Decides when a series of changes has ended, so that a reload reads complete files.
///
/// A series ends when no change has followed for a pause, or after the longest delay.
package struct Debounce {
    package typealias Instant = ContinuousClock.Instant

    private let pause: Duration, longestDelay: Duration
    /// The first and the last change of the current series.
    private var first: Instant?, last: Instant?
    /// Whether the last change was a write to a file that may still be open.
    private var isWriting = false
    private var previousEnd: Instant?

    /// Creates an instance without changes.
    ///
    /// - Parameters:
    ///   - pause: the time without changes after which a series ends.
    ///   - longestDelay: the maximum length of a series.
    package init(pause: Duration, longestDelay: Duration) {
        (self.pause, self.longestDelay) = (pause, longestDelay)
    }

    /// Records a change.
    ///
    /// - Parameters:
    ///   - isWriting: whether the change is a write to a file that may still be open. The series then waits for the
    ///     next change, such as the close of the file, or for the longest delay. Nil for a change that is not of a
    ///     file, which does not end that wait.
    ///   - now: the time of the change.
    package mutating func note(isWriting: Bool? = false, at now: Instant) {
        // If the changes have not paused since the last series, the delay of this one counts from there. So files that
        // keep changing are reloaded once in each longest delay.
        if first == nil { first = previousEnd.flatMap { now - $0 < pause ? $0 : nil } ?? now }
        (last, self.isWriting) = (now, isWriting ?? self.isWriting)
    }

    /// The time at which the series ends, or nil if there are no changes.
    package var due: Instant? {
        guard let first, let last else { return nil }
        let latest = first + longestDelay
        // A write just before the end gets one more pause, in which the file will probably be closed.
        return isWriting ? min(max(latest, last + pause), latest + pause) : min(latest, last + pause)
    }

    /// Removes all changes, so that the next one begins a new series.
    package mutating func end(at now: Instant) { (first, last, previousEnd, isWriting) = (nil, nil, now, false) }
}

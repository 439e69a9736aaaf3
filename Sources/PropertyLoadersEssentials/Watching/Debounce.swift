/// Decides when a series of changes has ended, so that a reload reads complete files.
///
/// A series ends when no change has followed for a pause, or after the longest delay.
package struct Debounce {
    package typealias Instant = ContinuousClock.Instant

    private let pause: Duration, longestDelay: Duration
    /// The first and the last change of the current series.
    private var first: Instant?, last: Instant?

    /// Creates an instance without changes.
    ///
    /// - Parameters:
    ///   - pause: the time without changes after which a series ends.
    ///   - longestDelay: the maximum length of a series.
    package init(pause: Duration, longestDelay: Duration) {
        (self.pause, self.longestDelay) = (pause, longestDelay)
    }

    /// Records a change.
    package mutating func note(at now: Instant) { (first, last) = (first ?? now, now) }

    /// The time at which the series ends, or nil if there are no changes.
    package var due: Instant? {
        guard let first, let last else { return nil }
        return min(first + longestDelay, last + pause)
    }

    /// Removes all changes, so that the next one begins a new series.
    package mutating func end() { (first, last) = (nil, nil) }
}

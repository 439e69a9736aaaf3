/// Tells since when a set of files has not changed.
///
/// The times of files tell it, unless they are in the future: then only what was seen of them counts.
struct Stillness {
    private let clock = ContinuousClock()
    private var seen: FileFingerprint?
    private var since: ContinuousClock.Instant

    /// Begins with files that were never seen.
    init() { since = clock.now }

    /// Takes note of the files as they are now.
    ///
    /// - Returns: whether they changed since the last call; the first call is a change.
    mutating func update(_ current: FileFingerprint) -> Bool {
        if current == seen { return false }
        (seen, since) = (current, clock.now)
        return true
    }

    /// Whether the files of the last update have not changed for a time.
    func lasts(_ time: Duration) -> Bool {
        guard let seen else { return false }
        return clock.now - since > time || seen.isOlder(than: time)
    }
}

/// Decides when changes that follow each other count.
///
/// They count when nothing has followed for a while and no file is left that was created and not yet closed.
struct Debounce<Place: Hashable> {
    /// How many times the pause changes wait at most while others follow.
    static var patience: Int { 20 }

    private let pause: Duration
    private var first, last: ContinuousClock.Instant?
    private var unfinished: Set<Place> = []

    /// Begins with no changes.
    ///
    /// - Parameter pause: how long nothing may follow.
    init(_ pause: Duration) { self.pause = pause }

    /// Takes a change.
    mutating func change(at now: ContinuousClock.Instant) {
        first = first ?? now
        last = now
    }

    /// Notes that a file was created which somebody may be writing.
    mutating func create(_ place: Place) { unfinished.insert(place) }

    /// Notes that a file is closed or gone.
    mutating func finish(_ place: Place) { unfinished.remove(place) }

    /// Forgets which files were created: the reports of their ends are lost.
    mutating func forgetCreated() { unfinished = [] }

    /// Whether a file was created and is not closed yet.
    var isWriting: Bool { !unfinished.isEmpty }

    /// When the changes count; nil while there are none.
    var due: ContinuousClock.Instant? {
        guard let first, let last else { return nil }
        let patience = pause * Self.patience
        if isWriting { return first + max(patience, SteadyReload.writingPatience) }
        return min(last + pause, first + patience)
    }

    /// Begins anew once the changes count.
    mutating func reset() { (first, last, unfinished) = (nil, nil, []) }
}

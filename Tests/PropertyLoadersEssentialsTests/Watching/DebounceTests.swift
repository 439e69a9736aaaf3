import PropertyLoadersEssentials
import Testing

@Suite("When a series of changes ends")
struct DebounceTests {
    private let start = ContinuousClock.now

    private func debounce() -> Debounce { Debounce(pause: .milliseconds(100), longestDelay: .seconds(1)) }

    /// The end of the series in milliseconds after the start.
    private func end(_ debounce: Debounce) -> Int? {
        debounce.due.map { Int(($0 - start) / .milliseconds(1)) }
    }

    private func time(_ milliseconds: Int) -> Debounce.Instant { start + .milliseconds(milliseconds) }

    @Test("A series ends after a pause without changes")
    func pause() {
        var debounce = debounce()
        #expect(end(debounce) == nil)
        for now in [0, 50, 120] { debounce.note(at: time(now)) }
        #expect(end(debounce) == 220)
        debounce.end()
        #expect(end(debounce) == nil)
        debounce.note(at: time(5000))
        #expect(end(debounce) == 5100)
    }

    @Test("A series without a pause ends after the longest delay, and the next change begins another one")
    func restless() {
        var debounce = debounce()
        for now in stride(from: 0, through: 980, by: 70) { debounce.note(at: time(now)) }
        #expect(end(debounce) == 1000)
        debounce.end()
        debounce.note(at: time(1050))
        #expect(end(debounce) == 1150)
    }
}

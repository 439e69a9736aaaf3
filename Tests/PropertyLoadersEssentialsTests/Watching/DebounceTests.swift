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
        debounce.end(at: time(220))
        #expect(end(debounce) == nil)
        debounce.note(at: time(5000))
        #expect(end(debounce) == 5100)
    }

    @Test("A file that is being written delays the end until it is closed, or until the longest delay")
    func writing() {
        var debounce = debounce()
        debounce.note(isWriting: true, at: time(0))
        #expect(end(debounce) == 1000)
        debounce.note(at: time(300))
        #expect(end(debounce) == 400)
        debounce.note(isWriting: true, at: time(350))
        #expect(end(debounce) == 1000)
        debounce.note(isWriting: true, at: time(940))
        #expect(end(debounce) == 1040)
        debounce.note(isWriting: true, at: time(1035))
        #expect(end(debounce) == 1100)
        debounce.note(at: time(1036))
        #expect(end(debounce) == 1000)
    }

    @Test("A change that is not of a file does not end the wait for a file that is open for writing")
    func otherChange() {
        var debounce = debounce()
        debounce.note(isWriting: true, at: time(0))
        debounce.note(isWriting: nil, at: time(10))
        #expect(end(debounce) == 1000)
        debounce.end(at: time(1000))
        debounce.note(isWriting: nil, at: time(5000))
        #expect(end(debounce) == 5100)
    }

    @Test("A file that is rewritten every 70 ms is loaded once a second")
    func restless() {
        var debounce = debounce(), last = 0, count = 0
        for now in 0...20_000 {
            if now % 70 == 0 { debounce.note(isWriting: true, at: time(now)) }
            if now % 70 == 1 { debounce.note(at: time(now)) }
            if let due = debounce.due, time(now) >= due {
                debounce.end(at: time(now))
                // One more millisecond if the file is open then.
                #expect(now - last <= 1001)
                (last, count) = (now, count + 1)
            }
        }
        #expect(count >= 19)
    }
}

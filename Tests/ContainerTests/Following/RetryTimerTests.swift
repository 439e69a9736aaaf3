import Container
import Testing

/// The pauses after a failed replacement: what they delay, and what their timers keep.
@Suite("The timer of a retry", .hangLimit)
struct RetryTimerTests {
    typealias Pool = FollowingTests.Pool
    let container = Container()
    let failures = Failures()
    let timer = ManualTimer()
    /// The number of calls of the factory.
    let built = Counter()
    /// Whether the factory throws, as long as this is odd.
    let outages = Counter()

    init() {
        failures.listen(to: container)
        container.setFollowingTimer { [timer] in timer.add($0, $1) }
    }

    @Test("A replacement that fails while the followers are compared is not tried again before its pause")
    func once() async throws {
        let built = built
        container.register(Pool.self) { r in
            if built.increment() > 1 { throw Failure("no route") }
            return Pool(try r.require("host"))
        }
        .inObjectScope(.container).followsSettings(retrying: nil)
        try container.properties.set("host", to: "a")
        _ = try container.require(Pool.self)
        for number in 1...1000 {
            try container.properties.set("host", to: "\(number)")
            await container.settled()
            guard built.count == number + 1 else { break }
        }
        #expect(built.count == 1001)
        await container.closeSlowly()
    }

    @Test("The timer of a pause keeps neither the container nor an instance alive, and does nothing after close")
    func release() async throws {
        weak var released: Container?
        weak var pool: Pool?
        do {
            let (other, outages) = (Container(), outages)
            other.onFailure { _ in }
            other.setFollowingTimer { [timer] in timer.add($0, $1) }
            other.register(Pool.self) { r in
                if outages.count == 1 { throw Failure("no route") }
                return Pool(try r.require("host"))
            }
            .inObjectScope(.container).followsSettings()
            try other.properties.set("host", to: "a")
            pool = try other.require(Pool.self)
            outages.increment()
            try other.properties.set("host", to: "b")
            await other.settled()
            #expect(timer.all == [.seconds(5)])
            released = other
            await other.closeSlowly()
            timer.fire(0)
        }
        await until { released == nil && pool == nil }
        #expect(timer.all.count == 1)
    }

    @Test("Without a timer of a test, the pause is one of the clock")
    func clock() async throws {
        let (other, calls) = (Container(), Counter())
        other.onFailure { _ in }
        other.register(Shared.self) { r in
            let size = try r.property("size", default: 1)
            if calls.increment() == 2 { throw Failure("no route") }
            return Shared(size)
        }
        .inObjectScope(.container).followsSettings(retrying: .milliseconds(10)...(.milliseconds(10)))
        _ = try other.require(Shared.self)
        try other.properties.set("size", to: 2)
        await until { (try? other.require(Shared.self).number) == 2 }
        await other.closeSlowly()
    }
}

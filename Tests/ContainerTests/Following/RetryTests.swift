import Container
import Testing

/// What happens after a replacement that has failed. A test decides when the pauses are over.
@Suite("A failed replacement is tried again", .hangLimit)
struct RetryTests {
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

    /// Registers a pool, builds it, and changes its setting during an outage.
    private func failReplacement(
        retrying: ClosedRange<Duration>? = .seconds(1)...(.seconds(5)),
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let (built, outages) = (built, outages)
        container.register(Pool.self) { r in
            built.increment()
            if outages.count % 2 == 1 { throw Failure("no route") }
            return Pool(try r.require("host"))
        }
        .inObjectScope(.container).followsSettings(draining: .seconds(9), retrying: retrying)
        try container.properties.set("host", to: "a")
        _ = try container.require(Pool.self)
        outages.increment()
        try container.properties.set("host", to: "b")
        await container.settled()
        #expect(failures.all.map(\.reason) == [.replacementFailed], sourceLocation: sourceLocation)
        #expect(built.count == 2, sourceLocation: sourceLocation)
    }

    /// Ends the pauses, and waits for what is tried then.
    private func endPauses() async {
        timer.fire()
        await container.settled()
    }

    private var host: String { get throws { try container.require(Pool.self).host } }

    @Test("The pauses double up to the longest one, each failure says when the next try is, and success ends them")
    func pauses() async throws {
        try await failReplacement()
        for _ in 0..<4 { await endPauses() }
        #expect(timer.all == [1, 2, 4, 5, 5].map(Duration.seconds))
        let seconds = ["1.0", "2.0", "4.0", "5.0", "5.0"]
        #expect(failures.all.count == seconds.count)
        for (error, seconds) in zip(failures.all, seconds) {
            let text = error.description
            #expect(text.hasPrefix("Pool: the former instance stays, because a new one could not be built: Pool: "))
            #expect(text.contains(". Changed: host: \"a\" ("))
            #expect(text.hasSuffix("). The next try is in \(seconds) seconds"), "\(text)")
        }
        #expect(try host == "a")
        #expect(container.outdatedServices.map(\.service) == ["Pool"])
        outages.increment()
        await endPauses()
        #expect(try host == "b")
        #expect(container.outdatedServices.isEmpty)
        // The drain time of the former instance.
        #expect(timer.all.dropFirst(5) == [.seconds(9)])
        await endPauses()
        #expect((failures.all.count, built.count) == (5, 7))
        await container.closeSlowly()
    }

    @Test("A change tries at once, and the pauses begin with the shortest one. Those that were running have no effect")
    func change() async throws {
        try await failReplacement()
        await endPauses()
        #expect(timer.all == [.seconds(1), .seconds(2)])
        try container.properties.set("host", to: "c")
        await container.settled()
        #expect(timer.all == [.seconds(1), .seconds(2), .seconds(1)])
        #expect(built.count == 4)
        timer.fire(1)
        await container.settled()
        #expect(built.count == 4)
        timer.fire()
        await container.settled()
        #expect(built.count == 5)
        await container.closeSlowly()
    }

    @Test("A request tries at once, whatever the pause, and the pauses begin with the shortest one")
    func request() async throws {
        try await failReplacement()
        for _ in 0..<3 { await endPauses() }
        container.retryReplacements()
        await container.settled()
        #expect(timer.all == [1, 2, 4, 5, 1].map(Duration.seconds))
        outages.increment()
        container.retryReplacements()
        await container.settled()
        #expect(try host == "b")
        container.retryReplacements()
        await endPauses()
        #expect(built.count == 7)
        await container.closeSlowly()
    }

    @Test("A new state of the properties without a change does not try again, also if it comes during a try")
    func noChange() async throws {
        try await failReplacement()
        for value in ["b", "b", "c", "c"] {
            try container.properties.set("host", to: .string(value))
            await container.settled()
        }
        #expect(built.count == 3)
        #expect(timer.all == [.seconds(1), .seconds(1)])
        let (other, gate, calls) = (Container(), Gate(), Counter())
        other.onFailure { _ in }
        other.setFollowingTimer { [timer] in timer.add($0, $1) }
        other.register(Pool.self) { (r: AsyncResolver) async throws in
            let host: String = try r.require("host")
            if calls.increment() == 1 { return Pool(host) }
            await gate.pass()
            throw Failure("no route")
        }
        .inObjectScope(.container).followsSettings()
        try other.properties.set("host", to: "a")
        _ = try await other.require(async: Pool.self)
        try other.properties.set("host", to: "b")
        await until { gate.waiting == 1 }
        try other.properties.set("host", to: "b")
        gate.open()
        await other.settled()
        #expect(calls.count == 2)
        try other.properties.set("host", to: "c")
        await other.settled()
        #expect(calls.count == 3)
        await other.closeSlowly()
        await container.closeSlowly()
    }

    @Test("Without pauses, only a change of what the factory has read and a request try again")
    func noPauses() async throws {
        try await failReplacement(retrying: nil)
        #expect(timer.all.isEmpty)
        #expect(failures.all.first?.description.contains("next try") == false)
        container.retryReplacements()
        await container.settled()
        #expect(built.count == 3)
        // A change of what the factory has not read would only be one more wrong password.
        try container.properties.set("other", to: 1)
        await container.settled()
        #expect(built.count == 3)
        try container.properties.set("host", to: "c")
        await container.settled()
        #expect(built.count == 4)
        #expect(timer.all.isEmpty)
        await container.closeSlowly()
    }

    @Test("Nothing is tried again if the settings are what they were, or the service is registered again or reset")
    func notNeeded() async throws {
        try await failReplacement()
        try container.properties.set("host", to: "a")
        await endPauses()
        #expect(built.count == 2)
        try container.properties.set("host", to: "b")
        await container.settled()
        #expect(built.count == 3)
        container.register(Pool.self) { _ in Pool("other") }.inObjectScope(.container).followsSettings()
        await endPauses()
        container.retryReplacements()
        await container.settled()
        #expect(try host == "other")
        #expect(built.count == 3)
        await container.closeSlowly()
    }

    @Test("A service that holds the one that is tried again is replaced after it")
    func holder() async throws {
        try await failReplacement()
        container.register(FollowingTests.Repository.self) { r in
            FollowingTests.Repository(try r.require(Pool.self), "")
        }
        .inObjectScope(.container).followsSettings()
        #expect(try container.require(FollowingTests.Repository.self).pool.host == "a")
        outages.increment()
        await endPauses()
        #expect(try container.require(FollowingTests.Repository.self).pool.host == "b")
        await container.closeSlowly()
    }

    /// When a service takes another one that is replaced, while its own replacement fails before that.
    enum Taking: CaseIterable {
        case inFactory, inCompletion, inPart
        /// The try has got a `Provider` of it, or has used one, before it failed.
        case afterProvider, afterUseOfProvider, afterProviderOfPart
    }

    @Test(
        "A new instance of what the former one holds tries again, also if the try has failed before it took that",
        arguments: Taking.allCases)
    func heldService(taking: Taking) async throws {
        let (built, outages) = (built, outages)
        container.register(Pool.self) { r in Pool(try r.require("host")) }
            .inObjectScope(.container).followsSettings()
        container.register(FollowingTests.Repository.self) { r in
            FollowingTests.Repository(try r.require(Pool.self), "")
        }
        container.register(Cat.self) { r in
            _ = try r.require(Provider<Pool>.self)
            return Cat(name: "Mimi")
        }
        container.register(Shared.self) { r in
            built.increment()
            let size: Int = try r.require("size")
            switch taking {
            case .afterProvider: _ = try r.require(Provider<Pool>.self)
            case .afterUseOfProvider: _ = try r.require(Provider<Pool>.self).get()
            case .afterProviderOfPart: _ = try r.require(Cat.self)
            case .inFactory, .inCompletion, .inPart: break
            }
            if outages.count % 2 == 1 { throw Failure("no route") }
            switch taking {
            case .inFactory: _ = try r.require(Pool.self)
            case .inPart: _ = try r.require(FollowingTests.Repository.self)
            case .inCompletion, .afterProvider, .afterUseOfProvider, .afterProviderOfPart: break
            }
            return Shared(size)
        }
        .inObjectScope(.container).followsSettings()
        .initCompleted { r, _ in
            if taking != .inFactory, taking != .inPart { _ = try r.require(Pool.self) }
        }
        try container.properties.set("host", to: "a")
        try container.properties.set("size", to: 1)
        _ = try container.require(Shared.self)
        outages.increment()
        try container.properties.set("size", to: 2)
        await container.settled()
        #expect(container.outdatedServices.map(\.service) == ["Shared"])
        try container.properties.set("other", to: 1)
        await container.settled()
        #expect(built.count == 2)
        // Once for a new instance of the pool, and not again for a pool that stays.
        try container.properties.set("host", to: "b")
        await container.settled()
        try container.properties.set("other", to: 2)
        await container.settled()
        #expect(built.count == 3)
        outages.increment()
        try container.properties.set("host", to: "c")
        await container.settled()
        #expect(container.outdatedServices.isEmpty)
        #expect((built.count, try container.require(Shared.self).number) == (4, 2))
        await container.closeSlowly()
    }

    /// Observes the errors, the replacements and the recoveries.
    private func observe() -> (events: Results<String>, running: Results<RunningReplacement>) {
        let (events, running) = (Results<String>(), Results<RunningReplacement>())
        container.onFailure { [failures] error in
            failures.add(error)
            events.add("failed")
        }
        container.observeFollowing { event in
            switch event {
            case .began(let replacement): running.add(replacement)
            case .recovered(let service, _): events.add("\(service) is back")
            case .replaced, .closing, .closed: break
            }
        }
        return (events, running)
    }

    @Test("A service that is up to date again after an error is reported once, also if its settings change back")
    func recovered() async throws {
        let (events, running) = observe()
        try await failReplacement()
        await endPauses()
        outages.increment()
        await endPauses()
        #expect(events.all == ["failed", "failed", "Pool is back"])
        outages.increment()
        try container.properties.set("host", to: "c")
        await container.settled()
        try container.properties.set("host", to: "b")
        await container.settled()
        try container.properties.set("other", to: 1)
        await container.settled()
        #expect(events.all.dropFirst(3) == ["failed", "Pool is back"])
        outages.increment()
        try container.properties.set("host", to: "d")
        await container.settled()
        #expect(try host == "d")
        #expect(events.all.count == 5)
        #expect(running.all.map(\.service) == Array(repeating: "Pool", count: 5))
        #expect(running.all.filter(\.isRunning).isEmpty)
        await container.closeSlowly()
    }

    @Test("A replacement that was reported because it is slow is reported when it is over, and no other one is")
    func slow() async throws {
        let (events, running) = observe()
        let gate = Gate()
        container.register(Shared.self) { (r: AsyncResolver) async throws in
            let size = try r.property("size", default: 1)
            if size == 2 { await gate.pass() }
            return Shared(size)
        }
        .inObjectScope(.container).followsSettings()
        _ = try await container.require(async: Shared.self)
        try container.properties.set("size", to: 2)
        await until { gate.waiting == 1 }
        let first = try #require(running.all.first)
        #expect(first.isRunning)
        first.wasReported()
        try container.properties.set("size", to: 3)
        await container.settled()
        #expect(!first.isRunning)
        #expect(events.all == ["Shared is back"])
        // The report can come when the replacement has just ended.
        first.wasReported()
        await container.settled()
        #expect(events.all == ["Shared is back", "Shared is back"])
        try container.properties.set("size", to: 4)
        await container.settled()
        #expect(events.all.count == 2)
        gate.open()
        await container.closeSlowly()
    }

    @Test(
        "Pauses of any length neither spin nor overflow",
        arguments: [
            (Duration.zero...Duration.zero, [10, 10, 10]), (.seconds(-1)...(.milliseconds(15)), [10, 15, 15]),
            (.milliseconds(1)...Duration(secondsComponent: .max, attosecondsComponent: 0), [10, 20, 40]),
        ])
    func anyPauses(range: ClosedRange<Duration>, pauses: [Int]) async throws {
        try await failReplacement(retrying: range)
        for _ in 0..<2 { await endPauses() }
        #expect(timer.all == pauses.map(Duration.milliseconds))
        await container.closeSlowly()
    }
}

import Container
import Measuring

/// Measures what it costs that services follow their settings: a thousand services that read ten settings each.
struct Following {
    private static let services = (0..<1_000).map { "\($0)" }
    private static let settings = (0..<10).map { PropertyKey("service.setting\($0)") }

    private var plain = Measure("build a service that reads ten settings")
    private var following = Measure("build one that follows them")
    private var plainPublish = Measure("publish a change beside 1,000 services")
    private var followingPublish = Measure("publish one beside 1,000 that follow others")
    private var plainHit = Measure("hit")
    private var followingHit = Measure("hit of a service that follows")

    mutating func sample() throws {
        let plainContainer = try Self.container(follows: false)
        let followingContainer = try Self.container(follows: true)
        plain.sample(Self.services.count) { Self.build(plainContainer) }
        following.sample(Self.services.count) { Self.build(followingContainer) }
        plainPublish.sample(10) { Self.publish(plainContainer) }
        followingPublish.sample(10) { Self.publish(followingContainer) }
        plainHit.sample(10_000) { times(10_000) { consume(plainContainer.resolve(Visit.self, name: "0")) } }
        followingHit.sample(10_000) { times(10_000) { consume(followingContainer.resolve(Visit.self, name: "0")) } }
    }

    private static func container(follows: Bool) throws -> Container {
        let container = Container()
        try container.properties.set("other", to: 0)
        try container.applyPropertyLoader(Ten())
        for name in services {
            let entry = container.register(Visit.self, name: name) { r in
                for key in settings { consume(try r.require(key, as: Int.self)) }
                return Visit(Single())
            }
            .inObjectScope(.container)
            if follows { entry.followsSettings() }
        }
        return container
    }

    private static func build(_ container: Container) -> Int {
        for name in services { consume(container.resolve(Visit.self, name: name)) }
        return services.count
    }

    private static func publish(_ container: Container) -> Int {
        for number in 0..<10 { try? container.properties.set("other", to: .integer(Int64(number))) }
        return 10
    }

    private struct Ten: PropertyLoader {
        func load() -> PropertyLayer {
            ["service": .table(PropertyTable((0..<10).map { ("setting\($0)", .integer(Int64($0))) }))]
        }
    }

    func report() {
        print("\nServices that follow their settings")
        print(line(plain, to: plain))
        print(line(following, to: plain))
        // 1 would need reads that are recorded without a store of their own, from which the factory reads.
        print(added("more for a construction", following, plain, atMost: 3))
        print(line(plainPublish, to: plainPublish))
        print(line(followingPublish, to: plainPublish))
        print(added("more for a publication", followingPublish, plainPublish, atMost: 100))
        print(line(plainHit, to: plainHit))
        print(line(followingHit, to: plainHit, atMost: 1.1))
    }

    /// A line with the difference of two measures in microseconds.
    private func added(_ name: String, _ measure: Measure, _ base: Measure, atMost limit: Double) -> String {
        let microseconds = (measure.median - base.median) / 1_000
        return "\(name)\(tenths(microseconds)) µs  (limit \(limit): \(microseconds <= limit ? "ok" : "MISSED"))"
    }
}

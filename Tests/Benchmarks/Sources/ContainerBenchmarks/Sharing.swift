import Container
import Measuring

/// Measures shared services that take shared services, and a child that sees those of its parent.
struct Sharing {
    private let parent: Container
    /// A child that overrides another service than the one that it resolves.
    private let child: Container

    private var first = Measure("first resolve of thirty shared that take three each")
    private var overriding = Measure("hit in a parent, in a child that overrides another")

    init() {
        parent = Container.benchmark()
        parent.register(Holder.self) { _ in Holder() }.inObjectScope(.container)
        child = Container(parent: parent)
        child.register(Holder.self) { _ in Holder() }.inObjectScope(.container)
        consume(child.resolve(Single.self))
    }

    mutating func sample() {
        first.sample(100) { times(100) { Self.resolveThirty() } }
        let child = child
        overriding.sample(10_000) { times(10_000) { consume(child.resolve(Single.self)) } }
    }

    private static let names = (0..<30).map { "\($0)" }

    /// Each service takes the three before it.
    private static func resolveThirty() {
        let container = Container()
        for index in 0..<30 {
            let needs = names[max(0, index - 3)..<index]
            container.register(Shared.self, name: names[index]) { r in
                Shared(try needs.map { try r.require(Shared.self, name: $0) })
            }
            .inObjectScope(.container)
        }
        for name in names { consume(container.resolve(Shared.self, name: name)) }
    }

    private final class Shared: Sendable {
        let parts: [Shared]
        init(_ parts: [Shared]) { self.parts = parts }
    }

    func report(hit: Measure, graph: Measure) {
        print("\nShared services, as ratios to a graph of ten services and to a singleton hit")
        print(line(first, to: graph, atMost: 15))
        print(line(overriding, to: hit, atMost: 3.8))
    }
}

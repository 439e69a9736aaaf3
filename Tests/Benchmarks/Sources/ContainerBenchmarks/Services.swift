import Container
import Measuring

/// A value in the plain dictionary, which is the baseline of the measurements.
enum Plain {
    case integer(Int)
    case string(String)
}

final class Single: Sendable {}
final class Leaf {}

final class Branch {
    let leaf: Leaf
    init(_ leaf: Leaf) { self.leaf = leaf }
}

/// A service that each request has once.
final class Visit: Sendable {
    let single: Single
    init(_ single: Single) { self.single = single }
}

/// Contains a strong reference that several threads copy.
final class Holder: Sendable {
    let single = Single()
}

/// One of the ten services of a graph. The type parameter makes each of them a separate service type.
final class Node<Place> {
    let children: (AnyObject?, AnyObject?)
    init(_ one: AnyObject? = nil, _ other: AnyObject? = nil) { children = (one, other) }
}

enum P0 {}
enum P1 {}
enum P2 {}
enum P3 {}
enum P4 {}
enum P5 {}
enum P6 {}
enum P7 {}
enum P8 {}
enum P9 {}

extension Container {
    static func benchmark() -> Container {
        let container = Container()
        container.register(Single.self) { _ in Single() }.inObjectScope(.container)
        container.register(Leaf.self) { _ in Leaf() }.inObjectScope(.transient)
        container.register(Branch.self) { r in Branch(try r.require(Leaf.self)) }.inObjectScope(.transient)
        container.registerGraph()
        return container
    }

    private func registerGraph() {
        register(Node<P0>.self) { _ in Node() }
        register(Node<P1>.self) { r in Node(try r.require(Node<P0>.self)) }
        register(P2.self, P1.self, P0.self)
        register(P3.self, P2.self, P0.self)
        register(P4.self, P3.self, P1.self)
        register(P5.self, P4.self, P0.self)
        register(P6.self, P5.self, P2.self)
        register(P7.self, P6.self, P3.self)
        register(P8.self, P7.self, P0.self)
        register(P9.self, P8.self, P4.self)
    }

    private func register<Place, One, Other>(_ place: Place.Type, _ one: One.Type, _ other: Other.Type) {
        register(Node<Place>.self) { r in Node(try r.require(Node<One>.self), try r.require(Node<Other>.self)) }
    }
}

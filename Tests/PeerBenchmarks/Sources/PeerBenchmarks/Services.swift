import Measuring

// The same services in both containers. The module of each container has a type `Container`, so that each stands in a
// file of its own.

final class Single: Sendable {}

final class Visit: Sendable {
    let single: Single
    init(_ single: Single) { self.single = single }
}

final class Leaf {}

final class Branch {
    let leaf: Leaf
    init(_ leaf: Leaf) { self.leaf = leaf }
}

/// One of the ten services of a graph, which take two others each. The type parameter makes each a type of its own.
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

/// Compares resolves of services, and a container that is made for a request or a test.
func resolving() {
    var swinject = Comparison("Swinject", target: 3.4)
    table("Services", [swinject])
    let (ours, theirs) = (OurServices(), SwinjectServices())
    row("hit of a shared service", [swinject.measure({ ours.hit() }, { theirs.hit() })])
    row("transient", [swinject.measure({ ours.transient() }, { theirs.transient() })])
    row("graph of ten", [swinject.measure({ ours.graph() }, { theirs.graph() })])
    row("child, two resolves", [swinject.measure({ ours.child() }, { theirs.child() })])
    row("container, two resolves", [swinject.measure(OurServices.container, SwinjectServices.container)])
    conclude([swinject])
}

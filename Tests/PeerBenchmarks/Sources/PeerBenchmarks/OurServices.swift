import Container
import Measuring

/// The services of the comparison in this package's container.
struct OurServices {
    private let services = Container()

    init() {
        services.register(Single.self) { _ in Single() }.inObjectScope(.container)
        services.register(Leaf.self) { _ in Leaf() }.inObjectScope(.transient)
        services.register(Branch.self) { r in Branch(r.resolve(Leaf.self)!) }.inObjectScope(.transient)
        services.register(Node<P0>.self) { _ in Node() }
        services.register(Node<P1>.self) { r in Node(r.resolve(Node<P0>.self)!) }
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
        services.register(Node<Place>.self) { r in Node(r.resolve(Node<One>.self)!, r.resolve(Node<Other>.self)!) }
    }

    func hit() { keep(services.resolve(Single.self)) }
    func transient() { keep(services.resolve(Branch.self)) }
    func graph() { keep(services.resolve(Node<P9>.self)) }

    func child() {
        let child = Container(parent: services)
        child.register(Branch.self) { r in Branch(r.resolve(Leaf.self)!) }
        keep(child.resolve(Branch.self))
        keep(child.resolve(Single.self))
    }

    static func container() {
        let services = Container()
        services.register(Single.self) { _ in Single() }.inObjectScope(.container)
        services.register(Visit.self) { r in Visit(r.resolve(Single.self)!) }.inObjectScope(.container)
        keep(services.resolve(Visit.self))
        keep(services.resolve(Single.self))
    }
}

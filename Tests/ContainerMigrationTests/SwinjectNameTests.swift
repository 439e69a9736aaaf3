import Container
import ContainerMigration
import Testing

private class Cat {
    let name: String
    init(_ name: String = "Mimi") { self.name = name }
}

private protocol Animal: AnyObject {}
extension Cat: Animal {}
private final class Firm: Sendable {}

private struct Home {
    let firm: Firm
}

private struct CatAssembly: Assembly {
    func assemble(container: Container) { container.register(Cat.self) { _ in Cat() } }
}

@available(*, deprecated)
extension ObjectScope {
    fileprivate static let visit = ObjectScope(storageFactory: PermanentStorage.init, description: "visit")
    fileprivate static let other = ObjectScope(storageFactory: PermanentStorage.init, description: "visit")
}

@Suite("Names of Swinject do the same as in Swinject")
struct SwinjectNameTests {
    private let container = Container()

    /// Whether two resolves return one instance.
    private func isShared() -> Bool {
        let one = container.resolve(Cat.self)
        return one === container.resolve(Cat.self)
    }

    @available(*, deprecated, message: "tests deprecated names")
    @Test("A scope in a variable is one of the four standard scopes")
    func scopeVariable() {
        for (scope, expected): (ObjectScope, Bool) in [
            (.transient, false), (.graph, false), (.container, true), (.weak, true),
        ] {
            container.register(Cat.self) { _ in Cat() }.inObjectScope(scope)
            #expect(isShared() == expected, "\(scope)")
        }
        let weak = Container()
        weak.register(Cat.self) { _ in Cat() }.inObjectScope(ObjectScope.weak)
        var cat = weak.resolve(Cat.self)
        let first = cat.map { ObjectIdentifier($0) }
        #expect(weak.resolve(Cat.self).map { ObjectIdentifier($0) } == first)
        weak var released: Cat?
        released = cat
        cat = nil
        #expect(released == nil)
    }

    @available(*, deprecated, message: "tests deprecated names")
    @Test("A scope of one's own keeps instances as its storage says, until it is reset")
    func ownScopes() {
        container.register(Cat.self) { _ in Cat() }.inObjectScope(.visit)
        let first = container.resolve(Cat.self)
        container.resetObjectScope(.other)
        #expect(container.resolve(Cat.self) === first)
        container.resetObjectScope(.visit)
        #expect(container.resolve(Cat.self) !== first)

        let weak = ObjectScope(storageFactory: WeakStorage.init, description: "brief")
        #expect(weak.description == "brief")
        container.register(Cat.self) { _ in Cat() }.inObjectScope(weak)
        #expect(isShared())
        weak var released: Cat?
        released = container.resolve(Cat.self)
        #expect(released == nil)
    }

    @available(*, deprecated, message: "tests deprecated names")
    @Test("A container with a default scope gives it to the registrations that set none")
    func defaultScope() {
        let shared = Container(defaultObjectScope: .container) { c in c.register(Cat.self) { _ in Cat() } }
        let first = shared.resolve(Cat.self)
        #expect(first != nil && shared.resolve(Cat.self) === first)
        shared.register(Cat.self) { _ in Cat() }.inObjectScope(.transient)
        let second = shared.resolve(Cat.self)
        #expect(shared.resolve(Cat.self) !== second)
        // A child has a default of its own, as in Swinject.
        let child = Container(parent: shared)
        child.register(Cat.self) { _ in Cat() }
        let third = child.resolve(Cat.self)
        #expect(child.resolve(Cat.self) !== third)
    }

    @Test("Without the deprecated names, a container has a default scope too")
    func currentDefaultScope() {
        let transient = Container(defaultObjectScope: .transient)
        transient.register(Cat.self) { _ in Cat() }
        transient.register([Cat].self) { r in [r.resolve(Cat.self)!, r.resolve(Cat.self)!] }
        #expect(transient.resolve([Cat].self).map { $0[0] !== $0[1] } == true)
        let shared = Container(parent: transient, uncheckedDefaultObjectScope: .container)
        shared.register(Cat.self) { _ in Cat() }
        let first = shared.resolve(Cat.self)
        #expect(first != nil && shared.resolve(Cat.self) === first)
    }

    @available(*, deprecated, message: "tests deprecated names")
    @Test("The instances of one service are reset, with those of its forwards and of the parents, and no others")
    func resetService() throws {
        let child = Container(parent: container)
        for each in [container, child] {
            each.register(Cat.self) { _ in Cat() }.inObjectScope(.container).implements((any Animal).self)
            each.register(Cat.self, name: "visit") { _ in Cat() }.inObjectScope(.visit)
            each.register(Firm.self) { _ in Firm() }.inObjectScope(.container)
        }
        func instances() throws -> [AnyObject] {
            try [container, child].flatMap { each -> [AnyObject] in
                try [each.require(Cat.self), each.require(Cat.self, name: "visit"), each.require(Firm.self)]
            }
        }
        func changed(since old: [AnyObject]) throws -> [Bool] { try zip(old, instances()).map { $0 !== $1 } }
        for type: Any.Type in [Cat.self, (any Animal).self] {
            let old = try instances()
            child.resetObjectScope(.container, serviceType: type)
            #expect(try changed(since: old) == [true, false, false, true, false, false], "\(type)")
        }
        let old = try instances()
        child.resetObjectScope(.visit, serviceType: Cat.self)
        #expect(try changed(since: old) == [false, true, false, false, true, false])
        child.resetObjectScope(.graph, serviceType: Cat.self)
        container.resetObjectScope(.container, serviceType: Int.self)
        #expect(try changed(since: old) == [false, true, false, false, true, false])
    }

    @available(*, deprecated, message: "tests deprecated names")
    @Test("A factory takes four to nine arguments, in their order")
    func arguments() {
        container.register(String.self) { (_, a: Int, b: Int, c: Int, d: Int) in "\([a, b, c, d])" }
        container.register(String.self) { (_, a: Int, b: Int, c: Int, d: Int, e: Int) in "\([a, b, c, d, e])" }
        container.register(String.self) { (_, a: Int, b: Int, c: Int, d: Int, e: Int, f: Int) in
            "\([a, b, c, d, e, f])"
        }
        container.register(String.self) { (_, a: Int, b: Int, c: Int, d: Int, e: Int, f: Int, g: Int) in
            "\([a, b, c, d, e, f, g])"
        }
        container.register(String.self) { (_, a: Int, b: Int, c: Int, d: Int, e: Int, f: Int, g: Int, h: Int) in
            "\([a, b, c, d, e, f, g, h])"
        }
        container.register(String.self) { (_, a: Int, b: Int, c: Int, d: Int, e: Int, f: Int, g: Int, h: Int, i: Int) in
            "\([a, b, c, d, e, f, g, h, i])"
        }
        #expect(container.resolve(String.self, arguments: 1, 2, 3, 4) == "[1, 2, 3, 4]")
        #expect(container.resolve(String.self, arguments: 1, 2, 3, 4, 5) == "[1, 2, 3, 4, 5]")
        #expect(container.resolve(String.self, arguments: 1, 2, 3, 4, 5, 6) == "[1, 2, 3, 4, 5, 6]")
        #expect(container.resolve(String.self, arguments: 1, 2, 3, 4, 5, 6, 7) == "[1, 2, 3, 4, 5, 6, 7]")
        #expect(container.resolve(String.self, arguments: 1, 2, 3, 4, 5, 6, 7, 8) == "[1, 2, 3, 4, 5, 6, 7, 8]")
        #expect(container.resolve(String.self, arguments: 1, 2, 3, 4, 5, 6, 7, 8, 9) == "[1, 2, 3, 4, 5, 6, 7, 8, 9]")
        container.onFailure { #expect($0.reason == .wrongArguments) }
        #expect(container.resolve(String.self, arguments: 1, 2, 3, "4") == nil)
    }

    @available(*, deprecated, message: "tests deprecated names")
    @Test("A plug-in registers and resolves by the methods with an underscore")
    func plugIns() throws {
        container._register(Cat.self, factory: { (_: Resolver) in Cat("Tom") }, name: "own").inObjectScope(.container)
        let resolver = container.resolver
        let cat: Cat? = container._resolve(name: "own") { (factory: (Resolver) -> Any) in factory(resolver) }
        #expect(cat?.name == "Tom" && cat === container.resolve(Cat.self, name: "own"))
        let none: Cat? = container._resolve(name: nil) { (factory: (Resolver) -> Any) in factory(resolver) }
        #expect(none == nil)
        container._register(Firm.self, factory: { (_: Resolver) in "a" })
        let error = #expect(throws: ResolutionError.self) { try container.require(Firm.self) }
        #expect(
            error?.description
                == "Firm: the factory of Firm threw: expected Firm; the factory returned String")
    }

    @available(*, deprecated, message: "tests deprecated names")
    @Test("A closure registers the services of a new container")
    func registeringClosure() {
        container.register(Firm.self) { _ in Firm() }
        let child = Container(parent: container) { $0.register(Cat.self) { _ in Cat() } }
        #expect(child.resolve(Cat.self) != nil && child.resolve(Firm.self) != nil)
        #expect(container.resolve(Cat.self) == nil)
    }

    @available(*, deprecated, message: "tests deprecated names")
    @Test("A synchronized container resolves what the container registers, and has registrations of its own")
    func synchronize() {
        let resolver: Resolver = container.synchronize()
        container.register(Cat.self) { _ in Cat() }
        #expect(resolver.resolve(Cat.self) != nil)
        let child = container.synchronize()
        child.register(Firm.self) { _ in Firm() }
        #expect(child.resolve(Firm.self) != nil && child.resolve(Cat.self) != nil)
        #expect(container.resolve(Firm.self) == nil)
    }

    @available(*, deprecated, message: "tests deprecated names")
    @Test("A forwarded type has the name that forward gets, and shares the instances")
    func forward() {
        let entry: ServiceEntry<Cat> = container.register(Cat.self) { _ in Cat() }.inObjectScope(.container)
        container.forward((any Animal).self, name: "pet", to: entry)
        #expect(container.resolve((any Animal).self, name: "pet") === container.resolve(Cat.self))
        #expect(container.resolve((any Animal).self) == nil)
    }

    @available(*, deprecated, message: "tests deprecated names")
    @Test("A registration is found by its type and its name, also in the parent")
    func registrations() {
        container.register(Cat.self, name: "Mimi") { _ in Cat() }
        let child = Container(parent: container)
        child.register(Firm.self) { (_, _: Int) in Firm() }
        #expect(child.hasAnyRegistration(of: Cat.self, name: "Mimi") && child.hasAnyRegistration(of: Firm.self))
        #expect(!child.hasAnyRegistration(of: Cat.self) && !container.hasAnyRegistration(of: Firm.self))
    }

    @available(*, deprecated, message: "tests deprecated names")
    @Test("An initializer gets its parameters from the container")
    func autoregister() {
        container.autoregister(Firm.self, initializer: Firm.init).inObjectScope(.container)
        container.autoregister(Home.self, name: "own", initializer: Home.init)
        let home = container.resolve(Home.self, name: "own")
        #expect(home != nil && home?.firm === container.resolve(Firm.self))
    }

    @available(*, deprecated, message: "tests deprecated names")
    @Test("An assembler takes its assemblies without a label")
    func assemblers() {
        let assembler = Assembler([CatAssembly()])
        #expect(assembler.resolver.resolve(Cat.self) != nil)
        let child = Assembler([], parent: assembler)
        #expect(child.resolver.resolve(Cat.self) != nil)
        let own = Assembler([CatAssembly()], container: container)
        #expect(own.resolver.resolve(Cat.self) != nil && isShared() == false)

        let shared = Assembler([CatAssembly()], parent: nil, defaultObjectScope: .container)
        #expect(shared.resolver.resolve(Cat.self) === shared.resolver.resolve(Cat.self))
        let later = Assembler(parentAssembler: shared, defaultObjectScope: .container)
        later.apply(assembly: CatAssembly())
        #expect(later.resolver.resolve(Cat.self) === later.resolver.resolve(Cat.self))
        #expect(later.resolver.resolve(Cat.self) !== shared.resolver.resolve(Cat.self))
    }
}

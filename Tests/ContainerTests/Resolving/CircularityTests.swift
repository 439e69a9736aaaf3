import Container
import Testing

final class Parent: Sendable {
    let child: Child?
    init(child: Child? = nil) { self.child = child }
}

final class Child: @unchecked Sendable {
    // @unchecked: the completion sets the variables before another thread gets the instance.
    weak var parent: Parent?
    var strongParent: Parent?
}

@Suite("Dependency cycles")
struct CircularityTests {
    let container = Container()

    final class A {}
    final class B {}
    final class C {}

    @Test(
        "A cycle of factories is an error that contains the path",
        arguments: [UnsharedScope.transient, .graph], [true, false])
    func circle(scope: UnsharedScope, shared: Bool) {
        let entries = (
            container.register(A.self, needs: B.self) { A() },
            container.register(B.self, needs: C.self) { B() },
            container.register(C.self, needs: A.self) { C() }
        )
        if shared {
            entries.0.inObjectScope(unchecked: .container)
            entries.1.inObjectScope(unchecked: .weak)
            entries.2.inObjectScope(unchecked: .session)
        } else {
            entries.0.inObjectScope(scope)
            entries.1.inObjectScope(scope)
            entries.2.inObjectScope(scope)
        }
        let error = failure { _ = try container.require(A.self) }
        #expect(error?.reason == .circular)
        #expect(error?.path == ["A", "B", "C", "A"])
        #expect(
            error?.description
                == "A → B → C → A: A needs itself. Let one of them take the other "
                + (shared ? "as a Lazy, or in initCompleted(_:)" : "in initCompleted(_:), as a weak reference"))
    }

    @Test("A circle through a captured container is an error")
    func captured() {
        container.register(A.self) { [container] _ in try container.require(A.self) }
        #expect(failure { _ = try container.require(A.self) }?.path == ["A", "A"])
    }

    @Test("If resolve returns nil because of a cycle, the factory can continue and succeeds")
    func goesOn() {
        let failures = Failures()
        failures.listen(to: container)
        container.register(Parent.self) { r in Parent(child: r.resolve(Child.self)) }.inObjectScope(.container)
        container.register(Child.self) { r in
            let child = Child()
            child.parent = r.resolve(Parent.self)
            return child
        }.inObjectScope(.container)
        let parent = container.resolve(Parent.self)
        #expect(parent?.child != nil)
        #expect(parent?.child?.parent == nil)
        #expect(failures.all.map(\.path) == [["Parent", "Child", "Parent"]])
    }

    @Test("initCompleted can connect two services of the weak scope, and both can be released")
    func closesWeak() throws {
        container.register(Parent.self) { r in Parent(child: try r.require(Child.self)) }.inObjectScope(.weak)
        container.register(Child.self) { _ in Child() }.inObjectScope(.weak)
            .initCompleted { r, child in child.parent = try r.require(Parent.self) }
        var parent: Parent? = try container.require(Parent.self)
        weak let child = parent?.child
        #expect(child != nil && child?.parent === parent)
        #expect(container.resolve(Parent.self) === parent && container.resolve(Child.self) === child)
        parent = nil
        #expect(child == nil)
    }

    @Test("Completions of transient services that resolve each other are a circular error")
    func endlessCompletions() {
        container.register(A.self) { _ in A() }.inObjectScope(.transient)
            .initCompleted { r, _ in _ = try r.require(B.self) }
        container.register(B.self) { _ in B() }.inObjectScope(.transient)
            .initCompleted { r, _ in _ = try r.require(A.self) }
        let error = failure { _ = try container.require(A.self) }
        #expect(error?.reason == .circular)
        #expect(error?.path == ["A", "B", "A"])
    }

    @Test("Several completions of one service run in the order of their registration, once for each instance")
    func order() {
        let counter = Counter()
        container.register(Cat.self) { _ in Cat() }.inObjectScope(.transient)
            .initCompleted { _, _ in #expect(counter.increment() == 1) }
            .initCompleted { _, cat in
                #expect(counter.increment() == 2)
                cat.owner = Person(pet: nil)
            }
        #expect(container.resolve(Cat.self)?.owner != nil)
        #expect(counter.count == 2)
    }

    @Test("After its factory has returned, a resolver starts a new graph with each resolve")
    func keptResolver() throws {
        final class Keeper {
            let resolver: Resolver
            let cat: Cat
            init(_ resolver: Resolver, _ cat: Cat) { (self.resolver, self.cat) = (resolver, cat) }
        }
        container.register(Cat.self) { _ in Cat() }
        container.register(Keeper.self) { r in Keeper(r, try r.require(Cat.self)) }
        container.register([Cat].self) { r in
            let keeper = try r.require(Keeper.self)
            let fresh = try keeper.resolver.require(Cat.self)
            return [keeper.cat, fresh, try r.require(Cat.self)]
        }
        let keeper = try container.require(Keeper.self)
        #expect(try keeper.resolver.require(Cat.self) !== keeper.cat)
        let cats = try container.require([Cat].self)
        #expect(cats[0] === cats[2] && cats[0] !== cats[1])
    }
}

@Suite("Forwarding")
struct ForwardingTests {
    let container = Container()

    protocol Pet: AnyObject {}
    protocol Guard: AnyObject, Sendable {}
    final class Dog: Pet, Guard {}

    @Test("Several types forward to one registration and share its instance")
    func shares() {
        container.register(Dog.self) { _ in Dog() }.inObjectScope(.container)
            .implements((any Pet).self, (any Guard).self).implements(AnyObject.self, name: "dog")
        let dog = container.resolve(Dog.self)
        for _ in 0..<2 {
            #expect(container.resolve((any Pet).self) === dog)
            #expect(container.resolve((any Guard).self) === dog)
            #expect(container.resolve(AnyObject.self, name: "dog") === dog)
        }
        #expect(container.resolve(AnyObject.self) == nil)
        container.reset(.container)
        let next = container.resolve((any Pet).self)
        #expect(next != nil && next !== dog && next === container.resolve(Dog.self))
    }

    @Test("implements and inObjectScope can be called in either order")
    func order() {
        container.register(Dog.self) { _ in Dog() }.implements((any Pet).self).inObjectScope(.container)
        #expect(container.resolve((any Pet).self) === container.resolve(Dog.self))
    }

    @Test("Forwarded types share the instance in the graph scope and in the weak scope")
    func otherScopes() {
        container.register(Dog.self) { _ in Dog() }.implements((any Pet).self)
        container.register([AnyObject].self) { r in [try r.require(Dog.self), try r.require((any Pet).self)] }
        #expect(container.resolve([AnyObject].self).map { $0[0] === $0[1] } == true)
        container.register(Dog.self, name: "weak") { _ in Dog() }.inObjectScope(.weak)
            .implements((any Pet).self, name: "weak")
        let dog = container.resolve(Dog.self, name: "weak")
        #expect(dog != nil && container.resolve((any Pet).self, name: "weak") === dog)
    }

    @Test("Whoever registers a type again overrides it also for the types that forward to it")
    func overridden() throws {
        let entry = container.register(Shared.self) { _ in Shared(1) }.inObjectScope(.container)
            .implements(AnyObject.self)
        container.register(AnyObject.self, name: "far") { _ in Shared(9) }
        container.register(Shared.self, name: "chain") { _ in Shared(3) }.implements(AnyObject.self, name: "far")
        let later = try container.require(Provider<AnyObject>.self)
        #expect((try later.get() as? Shared)?.number == 1)
        container.register(Shared.self) { _ in Shared(2) }.inObjectScope(.container)
        #expect((container.resolve(AnyObject.self) as? Shared)?.number == 2)
        #expect(try later.get() === container.require(Shared.self))
        #expect((container.resolve(AnyObject.self, name: "far") as? Shared)?.number == 3)
        entry.inObjectScope(.session)
        #expect((container.resolve(AnyObject.self) as? Shared)?.number == 2)
    }

    @Test("A child that registers a type overrides it also for the types that forward to it")
    func inChild() throws {
        let child = Container(parent: container)
        container.register(Int.self) { _ in 1 }
        child.register(Int.self) { _ in 2 }
        container.register(Shared.self) { r in Shared(10 * (try r.require(Int.self))) }.implements(AnyObject.self)
        #expect((try child.require(AnyObject.self) as? Shared)?.number == 20)
        child.register(Shared.self) { _ in Shared(7) }
        #expect((try child.require(AnyObject.self) as? Shared)?.number == 7)
        #expect((try container.require(AnyObject.self) as? Shared)?.number == 10)
        #expect(try child.require(Shared.self).number == 7)
    }

    @Test("A forwarded type overrides with await, too")
    func inChildAsync() async throws {
        let child = Container(parent: container)
        container.register(Shared.self) { _ in Shared(1) }.inObjectScope(.container).implements(AnyObject.self)
        child.register(Shared.self) { _ async in Shared(2) }.inObjectScope(.container)
        #expect((try await child.require(async: AnyObject.self) as? Shared)?.number == 2)
        #expect((try await container.require(async: AnyObject.self) as? Shared)?.number == 1)
    }

    @Test("Types that forward to each other are a circular error")
    func forwardCircle() {
        let entry = container.register(Dog.self) { _ in Dog() }
        container.register((any Pet).self) { _ in Dog() }.implements(Dog.self)
        entry.implements((any Pet).self)
        let error = failure { _ = try container.require(Dog.self) }
        #expect(error?.reason == .circular)
        #expect(failure { _ = try container.require((any Pet).self) }?.reason == .circular)
    }

    @Test("An instance is released when its registration has been replaced")
    func replaced() {
        container.register(Dog.self) { _ in Dog() }.inObjectScope(.container).implements((any Pet).self)
        weak let dog = container.resolve((any Pet).self)
        #expect(dog != nil && dog === container.resolve((any Pet).self))
        container.register(Dog.self) { _ in Dog() }
        #expect(dog == nil)
    }

    @Test("implements with the type of the registration itself has no effect")
    func forwardToItself() {
        container.register(Cat.self) { _ in Cat(name: "Tom") }.implements(Cat.self)
        #expect(container.resolve(Cat.self)?.name == "Tom")
    }

    @Test("A forwarded type takes the same runtime arguments")
    func arguments() {
        container.register(Shared.self) { (_, number: Int) in Shared(number) }.implements(AnyObject.self)
        #expect((container.resolve(AnyObject.self, arguments: 3) as? Shared)?.number == 3)
    }

    @Test("If the service does not conform to a forwarded type, the error names the service and the type")
    func wrongType() {
        container.register(Dog.self) { _ in Dog() }.implements(Cat.self)
        let error = failure { _ = try container.require(Cat.self) }
        #expect(error?.reason == .wrongType)
        #expect(error?.description.hasPrefix("Dog: the instance of Dog does not have the type Cat") == true)
    }
}

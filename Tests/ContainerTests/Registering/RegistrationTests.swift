import Container
import Testing

@Suite("Registration and resolution")
struct RegistrationTests {
    let container = Container()

    @Test("Names distinguish registrations of one type")
    func names() {
        container.register((any Animal).self) { _ in Cat(name: "none") }
        container.register((any Animal).self, name: "a") { _ in Cat(name: "A") }
        container.register((any Animal).self, name: "b") { _ in Cat(name: "B") }
        #expect(container.resolve((any Animal).self)?.name == "none")
        #expect(container.resolve((any Animal).self, name: "a")?.name == "A")
        #expect(container.resolve((any Animal).self, name: "b")?.name == "B")
        #expect(container.resolve((any Animal).self, name: "B") == nil)
        let given: String? = nil
        #expect(container.resolve((any Animal).self, name: given)?.name == "none")
    }

    @Test("A later registration of the same key replaces an earlier one and its instance")
    func replaces() {
        container.register(Shared.self) { _ in Shared(1) }.inObjectScope(.container)
        #expect(container.resolve(Shared.self)?.number == 1)
        container.register(Shared.self) { _ in Shared(2) }.inObjectScope(.container)
        #expect(container.resolve(Shared.self)?.number == 2)
    }

    @Test("Few and many services of one type are found by their names, and no other", arguments: [1, 8, 9, 20])
    func manyNames(count: Int) async {
        for index in 0..<count {
            container.register(Shared.self, name: "\(index)") { _ in Shared(index) }.inObjectScope(.container)
        }
        let found = (0..<count).map { container.resolve(Shared.self, name: "\($0)")?.number }
        #expect(found == (0..<count).map(Int?.some))
        #expect(container.resolve(Shared.self, name: "\(count)") == nil)
        for index in 0..<count { container.register(Shared.self, name: "\(index)") { _ in Shared(-index) } }
        #expect(container.resolve(Shared.self, name: "\(count - 1)")?.number == 1 - count)
        #expect(container.registrations.count == count)
        container.removeAll()
        #expect(container.resolve(Shared.self, name: "0") == nil)
        container.register(Shared.self, name: "0") { _ in Shared(7) }
        #expect(container.resolve(Shared.self, name: "0")?.number == 7)
    }

    @Test("The entry of a replaced registration has no effect")
    func replacedEntry() {
        let entry = container.register(Shared.self) { _ in Shared(1) }
        container.register(Shared.self) { _ in Shared(2) }
        entry.inObjectScope(.container).initCompleted { _, _ in }.onDemand()
        #expect(container.resolve(Shared.self)?.number == 2)
        #expect(container.resolve(Shared.self) !== container.resolve(Shared.self))
    }

    @Test("A registration is found by its type and name, with any arguments, in the container or its parents")
    func hasRegistration() async {
        container.register(Cat.self) { _ in Cat() }
        container.register(Shared.self, name: "counted") { (_, number: Int) in Shared(number) }
        let child = Container(parent: container)
        child.register(Person.self) { _ in Person(pet: nil) }
        for container in [container, child] {
            #expect(container.hasRegistration(of: Cat.self))
            #expect(!container.hasRegistration(of: Cat.self, name: "Tom"))
            #expect(container.hasRegistration(of: Shared.self, name: "counted"))
            #expect(!container.hasRegistration(of: Shared.self))
        }
        #expect(child.hasRegistration(of: Person.self) && !container.hasRegistration(of: Person.self))
        #expect(child.resolver.resolve(Person.self)?.pet == nil)
        await container.close()
        #expect(!container.hasRegistration(of: Cat.self))
    }

    @Test("Each of 5,000 registrations can be resolved")
    func many() {
        for number in 0..<5_000 { container.register(Int.self, name: "\(number)") { _ in number } }
        #expect((0..<5_000).allSatisfy { (number: Int) in container.resolve(Int.self, name: "\(number)") == number })
        #expect(container.resolve(Int.self, name: "5000") == nil)
    }

    @Test("Functions, subclasses and structs that conform to a protocol can be services")
    func otherTypes() {
        struct Reptile: Sized { let size = 3 }
        class Tiger: Cat {}
        container.register(((Int) -> Int).self) { _ in { $0 + 1 } }
        container.register((any Sized).self) { _ in Reptile() }.inObjectScope(.container)
        container.register(Cat.self) { _ in Tiger(name: "Tiger") }
        #expect(container.resolve(((Int) -> Int).self)?(1) == 2)
        #expect((0..<2).map { _ in container.resolve((any Sized).self)?.size } == [3, 3])
        #expect(container.resolve(Cat.self) is Tiger)
        #expect(container.resolve(Tiger.self) == nil)
    }

    protocol Sized: Sendable { var size: Int { get } }

    @Test("A resolve of Container returns the container itself, in a child the child")
    func itself() {
        let child = Container(parent: container)
        #expect(container.resolve(Container.self) === container)
        #expect(child.resolve(Container.self) === child)
        #expect(container.resolve(Container.self, name: "other") == nil)
    }
}

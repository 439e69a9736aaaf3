import Container
import Testing

@Suite("Optional services")
struct OptionalTests {
    let container = Container()

    @Test("An optional service is nil if it is not registered")
    func missing() throws {
        let cat: Cat?? = container.resolve(Cat?.self)
        #expect(cat != nil && cat! == nil)
        #expect(try container.require(Cat?.self, name: "Tom") == nil)
        container.register(Person.self) { r in Person(pet: try r.require((any Animal)?.self)) }
        #expect(try container.require(Person.self).pet == nil)
    }

    @Test("An optional service is the service if that is registered, with its name, arguments and scope")
    func registered() throws {
        container.register(Shared.self) { _ in Shared(1) }.inObjectScope(.container)
        container.register(Int.self, name: "two") { _ in 2 }
        container.register(Cat.self) { (_, name: String) in Cat(name: name) }
        let shared: Shared?? = container.resolve(Shared?.self)
        #expect(shared??.number == 1)
        #expect(try container.require(Shared?.self) === container.require(Shared.self))
        #expect(try container.require(Int?.self, name: "two") == 2)
        #expect(try container.require(Int?.self) == nil)
        #expect(try container.require(Cat?.self, arguments: "Tom")?.name == "Tom")
        #expect(try Container(parent: container).require(Shared?.self) === shared!)
    }

    @Test("A registration of the optional type itself comes first")
    func ownRegistration() throws {
        container.register(Int.self) { _ in 1 }
        container.register(Int?.self) { _ in 2 }
        #expect(try container.require(Int?.self) == 2)
        #expect(try container.require(Int.self) == 1)
    }

    @Test("If the service is registered but cannot be built, the resolve fails as that of the service")
    func fails() {
        let failures = Failures()
        failures.listen(to: container)
        container.register(Cat.self) { _ in throw Failure("gone") }
        #expect(failure { _ = try container.require(Cat?.self) }?.cause as? Failure == Failure("gone"))
        let cat: Cat?? = container.resolve(Cat?.self)
        #expect(cat == nil)
        #expect(failures.all.map(\.path) == [["Cat"]])
        #expect(failure { _ = try container.require(Cat?.self, arguments: "Tom") }?.reason == .wrongArguments)
    }

    @Test("An optional service may be built asynchronously")
    func asynchronous() async throws {
        #expect(try await container.require(async: Database?.self) == nil)
        container.register(Database.self) { _ in try await .open(7) }
        #expect(try await container.require(async: Database?.self)?.number == 7)
        container.register(Int.self) { r async throws in try await r.require(Database?.self)?.number ?? 0 }
        #expect(try await container.require(async: Int.self) == 7)
        #expect(failure { _ = try container.require(Database?.self) }?.reason == .asynchronous)
    }
}

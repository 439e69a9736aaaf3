import Container
import Testing

private protocol Store: Sendable { var size: Int { get } }

private struct MemoryStore: Store {
    let size: Int
    init(size: Int) { self.size = size }
}

private final class Archive: Sendable {
    let store: any Store
    let title: String?
    let numbers: [Int]
    init(store: any Store, title: String?, numbers: [Int]) throws {
        if numbers.isEmpty { throw Failure("empty") }
        (self.store, self.title, self.numbers) = (store, title, numbers)
    }
}

private final class Catalog {
    let archive: Archive
    let cat: Cat
    let again: Cat
    let lazy: Lazy<Archive>
    init(_ archive: Archive, _ cat: Cat, _ again: Cat, _ lazy: Lazy<Archive>) {
        (self.archive, self.cat, self.again, self.lazy) = (archive, cat, again, lazy)
    }
}

private final class Empty { init() {} }

@Suite("Registration of initializers")
struct InitializerTests {
    let container = Container()

    init() {
        container.register(Int.self) { _ in 5 }
        container.register([Int].self) { _ in [1, 2] }
        container.register(using: MemoryStore.init, as: (any Store).self)
        container.register(using: Archive.init(store:title:numbers:), as: Archive.self).inObjectScope(.container)
        container.register(Cat.self) { _ in Cat() }
        container.register(using: Catalog.init, as: Catalog.self)
        container.register(using: Empty.init, as: Empty.self)
    }

    @Test("The parameters of an initializer are resolved by their types, in the graph of the service")
    func resolves() throws {
        let catalog = try container.require(Catalog.self)
        #expect(catalog.archive.store.size == 5)
        #expect(catalog.cat === catalog.again)
        #expect(catalog.archive === container.resolve(Archive.self))
        #expect(catalog.lazy.instance === catalog.archive)
        #expect(try container.require(Catalog.self) !== catalog)
        #expect(container.resolve(Empty.self) != nil)
    }

    @Test("An optional parameter is nil if its type is not registered")
    func optional() throws {
        #expect(try container.require(Archive.self).title == nil)
        let child = Container(parent: container)
        child.register(using: Archive.init, as: Archive.self)
        child.register(String.self) { _ in "Notes" }
        #expect(try child.require(Archive.self).title == "Notes")
    }

    @Test("An array parameter is the service that is registered for the array")
    func array() throws {
        #expect(try container.require(Archive.self).numbers == [1, 2])
        let other = Container()
        other.register((any Store).self) { _ in MemoryStore(size: 1) }
        other.register(Int.self) { _ in 5 }
        other.register(using: Archive.init, as: Archive.self)
        #expect(failure { _ = try other.require(Archive.self) }?.path == ["Archive", "Array<Int>"])
        other.register([Int].self) { _ in [] }
        #expect(failure { _ = try other.require(Archive.self) }?.cause as? Failure == Failure("empty"))
    }

    @Test("A trailing closure whose parameters have types is a factory, and not an initializer")
    func typedFactories() {
        container.register(String.self) { (_: Resolver, id: Int) in "sync \(id)" }
        container.register(String.self, name: "two") { (r: Resolver, id: Int, text: String) -> String in
            "\(try r.require(Int.self)) \(id) \(text)"
        }
        #expect(container.resolve(String.self, arguments: 1) == "sync 1")
        #expect(container.resolve(String.self, name: "two", arguments: 1, "b") == "5 1 b")
    }
}

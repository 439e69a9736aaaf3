import DeclarativeContainer
import Synchronization
import Testing

extension Qualifier {
    static let myQualifier = Qualifier(name: "my_qual")
}

@Suite("The builders, the global container and the property wrappers")
struct BuilderTests {
    class Foo {}
    final class Bar: Sendable {}
    final class Baz: Sendable {}
    protocol Counting {}
    protocol Naming: AnyObject {}
    final class Both: Counting, Naming, Sendable {}

    /// A class with injected properties, which is therefore not Sendable.
    final class Injected {
        @Inject var foo: Foo
        @Inject var bar: Bar
        @Inject(.myQualifier) var mine: Bar
        @Inject(qualifier: "my_qual") var same: Bar
        @Inject var container: Container
        @SafeInject var optional: Baz?
        @SafeInject(.myQualifier) var missing: Baz?
        @SafeInject(qualifier: "other") var other: Baz?
    }

    @Test("Each injection gets a new Prototype, the same Singleton, and the same Session service until a reset")
    func scopes() throws {
        try Container.withGlobal(Container()) {
            GlobalContainer {
                Prototype { Service { _ in Foo() } }
                Singleton {
                    Service { _ in Bar() }
                    Service { _ in Bar() }.qualifier(.myQualifier)
                }
                Session { Service { _ in Baz() } }
            }
            let (one, two, three) = (Injected(), Injected(), Injected())
            #expect(one.foo !== two.foo)
            #expect(one.foo === one.foo)
            #expect(one.bar === two.bar)
            #expect(one.mine !== one.bar && one.mine === one.same)
            #expect(one.container === Container.global)
            #expect(one.missing == nil && one.other == nil)
            let baz = try #require(one.optional)
            #expect(baz === two.optional)
            one.container.resetSession()
            #expect(baz === one.optional)
            #expect(three.optional != nil && three.optional !== baz)
        }
    }

    @Test("If a property cannot be resolved, its next read tries again")
    func triesAgain() {
        Container.withGlobal(Container()) {
            let object = Injected()
            #expect(object.optional == nil)
            GlobalContainer { Prototype { Service { _ in Baz() } } }
            #expect(object.optional != nil)
        }
    }

    @Test("A service can be resolved by another type, or by several types that share an instance")
    func types() throws {
        let container = Container {
            Singleton {
                Service(type: (any Naming).self) { _ in Both() }.qualifier("one")
                Service(types: [(any Counting).self, (any Naming).self, Both.self]) { _ in Both() }
            }
        }
        let both = try container.make(Both.self)
        #expect(try container.make((any Naming).self) === both)
        #expect(try container.make((any Counting).self) as? Both === both)
        #expect(try container.make((any Naming).self, qualifier: "one") !== both)
        #expect(container.resolve(Both.self, name: "one") == nil)
        let service = Service(types: [(any Naming).self, Both.self]) { _ in Both() }
        #expect(service.types.elementsEqual([(any Naming).self, Both.self]) { $0 == $1 })
        #expect(Service { _ in Both() }.types.elementsEqual([Both.self]) { $0 == $1 })
    }

    @Test("If an instance does not have the type of its service, the resolve throws an error")
    func wrongType() {
        let container = Container { Prototype { Service(type: (any Naming).self) { _ in Foo() } } }
        #expect(failure { _ = try container.make((any Naming).self) }?.reason == .wrongType)
    }

    @Test("Builders accept if, else, switch and for", arguments: [true, false])
    func control(flag: Bool) throws {
        let container = Container {
            if flag {
                Prototype { Service { _ in "yes" } }
            } else {
                Prototype { Service { _ in "no" } }
            }
            Prototype {
                for number in 1...3 { Service { _ in number }.qualifier(Qualifier(name: "\(number)")) }
                if flag { Service { _ in 1.5 } }
                switch flag {
                case true: Service { _ in UInt8(1) }
                case false: Service { _ in UInt8(0) }
                }
            }
            Singleton { if !flag { Service { _ in Bar() } } }
        }
        #expect(try container.make(String.self) == (flag ? "yes" : "no"))
        #expect(try (1...3).map { try container.make(Int.self, qualifier: Qualifier(name: "\($0)")) } == [1, 2, 3])
        #expect(container.resolve(Double.self) == (flag ? 1.5 : nil))
        #expect(try container.make(UInt8.self) == (flag ? 1 : 0))
        #expect((container.resolve(Bar.self) == nil) == flag)
    }

    @Test("If two services have the same type and qualifier, a resolve throws an error that names both places")
    func duplicates() throws {
        try Container.withGlobal(Container()) {
            GlobalContainer {
                Prototype { Service { _ in Baz() } }
                Singleton {
                    Service { _ in Baz() }
                    Service { _ in Bar() }
                }
            }
            let error = failure { _ = try Container.global.make(Baz.self) }
            #expect(error?.reason == .duplicate)
            let text = try #require(error?.description)
            let file = "DeclarativeContainerTests/BuilderTests.swift"
            #expect(text.hasPrefix("Baz: Baz is defined twice: in scope transient at \(file):"))
            #expect(text.contains(" and in scope container at \(file):"))
            Container.global.onFailure { #expect($0.description == text) }
            #expect(Injected().optional == nil)
            #expect(try Container.global.make(Bar.self) === Injected().bar)
        }
    }

    @Test("GlobalContainer replaces all services, and a reset removes them. Properties do not change")
    func replaces() throws {
        let container = Container()
        try Container.withGlobal(container) {
            struct Loader: PropertyLoader { func load() throws -> PropertyLayer { ["port": 80] } }
            try container.applyPropertyLoader(Loader())
            GlobalContainer { Prototype { Service { _ in Foo() } } }
            GlobalContainer { Prototype { Service { c in c.property("port") as Int? } } }
            #expect(container.resolve(Foo.self) == nil)
            #expect(try container.make(Int?.self) == 80)
            GlobalContainer.resetGlobalContainer()
            #expect(try container.make(Int?.self) == nil)
        }
    }

    @Test("An object that was created inside withGlobal always resolves from that container")
    func keepsGlobal() {
        let object = Container.withGlobal(Container { Singleton { Service { _ in Bar() } } }) { Injected() }
        #expect(Container.global.resolve(Bar.self) == nil)
        #expect(object.bar === object.container.resolve(Bar.self))
    }

    /// How the closure of `withGlobal` reaches an asynchronous factory.
    enum Way: CaseIterable { case start, require, group, outer, completion, first }

    @Test("withGlobal reaches the asynchronous factories that run for its closure", arguments: Way.allCases)
    func reachesTasks(way: Way) async throws {
        final class Page: Sendable {
            let container: Container
            init(_ container: Container) { self.container = container }
        }
        let container = Container()
        container.register(Page.self) { _ async in
            await Task.yield()
            return Page(Injected().container)
        }.inObjectScope(.container)
        container.register(Page.self, name: "outer") { r async throws in
            await Task.yield()
            return Page(try await r.require(Page.self).container)
        }.inObjectScope(.container)
        container.register(Page.self, name: "completed") { r async throws in try await r.require(Page.self) }
            .inObjectScope(.container)
            .initCompleted { _, _ async in
                await Task.yield()
                #expect(Container.global === container)
            }
        let page = try await Container.withGlobal(container) { () async throws -> Page in
            switch way {
            case .start: try await container.start()
            case .require: _ = try await container.require(async: Page.self)
            case .group:
                try await withThrowingTaskGroup { group in
                    group.addTask { _ = try await container.require(async: Page.self) }
                    try await group.waitForAll()
                }
            case .outer: return try await container.require(async: Page.self, name: "outer")
            case .completion: return try await container.require(async: Page.self, name: "completed")
            case .first: _ = try await Container(parent: container).require(async: Page.self)
            }
            return try container.make(Page.self)
        }
        #expect(page.container === container)
        await container.close()
    }

    @Test("A shared service that has read its injected property does not keep its container")
    func releasesGlobal() throws {
        final class Page {
            @Inject var bar: Bar
            @SafeInject var foo: Bar?
        }
        weak var released: Container?
        do {
            let container = Container {
                Singleton {
                    Service { _ in Bar() }
                    Service(unchecked: Page.self) { _ in Page() }
                }
            }
            released = container
            let page = try Container.withGlobal(container) { try container.make(Page.self) }
            #expect(page.bar === page.foo)
        }
        #expect(released == nil)
    }

    @Test("With unchecked:, a class with injected properties can be shared")
    func unchecked() throws {
        let container = Container {
            Singleton {
                Service(unchecked: Injected.self) { _ in Injected() }
                Service(unchecked: Foo.self, types: [Foo.self, AnyObject.self]) { _ in Foo() }
            }
        }
        #expect(try container.make(Injected.self) === container.make(Injected.self))
        #expect(try container.make(Foo.self) === container.make(AnyObject.self))
    }

    @Test("If @Inject cannot be resolved, the process ends with the text of the error")
    func traps() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Injected().bar
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("Bar: nothing is registered for Bar"))
    }
}

/// Returns the resolution error that a closure throws, or nil.
private func failure(_ body: () throws -> Void) -> ResolutionError? {
    do { try body() } catch { return error as? ResolutionError }
    return nil
}

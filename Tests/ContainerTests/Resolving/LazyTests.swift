import Container
import Dispatch
import Testing

private final class Engine {
    let number: Int
    init(_ number: Int = 0) { self.number = number }
}

private final class Wheel {
    let car: Lazy<Car>
    init(_ car: Lazy<Car>) { self.car = car }
}

private final class Car {
    let wheel: Wheel
    let engine: Lazy<Engine>
    init(_ wheel: Wheel, _ engine: Lazy<Engine>) { (self.wheel, self.engine) = (wheel, engine) }
}

@Suite("Services that are resolved later", .hangLimit)
struct LazyTests {
    let container = Container()
    let made = Counter()

    /// Registers all services, the engine in a scope.
    private func register(engine scope: UnsharedScope = .graph) {
        container.register(Engine.self) { [made] _ in Engine(made.increment()) }.inObjectScope(scope)
        container.register(Wheel.self) { r in Wheel(try r.require(Lazy<Car>.self)) }
        container.register(Car.self) { r in Car(try r.require(Wheel.self), try r.require(Lazy<Engine>.self)) }
    }

    @Test("A Lazy resolves its service at the first read and keeps it, a Provider resolves at each read")
    func reads() throws {
        register()
        let lazy = try container.require(Lazy<Engine>.self)
        let provider = try container.require(Provider<Engine>.self)
        #expect(made.count == 0)
        #expect(try lazy.instance === lazy.get())
        #expect(made.count == 1)
        #expect(try provider.instance !== provider.get())
        #expect(made.count == 3)
    }

    @Test("A Lazy of an optional unshared service keeps it, and looks again for one that was not registered")
    func optional() throws {
        let early = try container.require(Lazy<Engine?>.self)
        #expect(try early.get() == nil)
        register()
        #expect(try early.get()?.number == 1)
        let lazy = try container.require(Lazy<Engine?>.self)
        #expect(try lazy.get()?.number == 2)
        #expect(try lazy.get()?.number == 2)
        #expect(try container.require(Provider<Engine?>.self).get()?.number == 3)
    }

    @Test("A Lazy or Provider has the name of its service, and can be of a type that implements forwards")
    func names() throws {
        container.register(Cat.self, name: "Tom") { _ in Cat(name: "Tom") }.implements((any Animal).self, name: "Tom")
        #expect(try container.require(Lazy<Cat>.self, name: "Tom").instance.name == "Tom")
        #expect(try container.require(Lazy<any Animal>.self, name: "Tom").instance.name == "Tom")
        #expect(try container.require(Provider<any Animal>.self, name: "Tom").instance.name == "Tom")
        #expect(container.resolve(Lazy<Cat>.self) == nil)
        #expect(container.resolve(Provider<Cat>.self, name: "Tim") == nil)
    }

    @Test("If the service is not registered, or only with arguments, the resolve of a Lazy fails at once")
    func missing() throws {
        container.register(Wheel.self) { r in Wheel(try r.require(Lazy<Car>.self)) }
        let error = failure { _ = try container.require(Wheel.self) }
        #expect(
            error?.description
                == "Wheel → Car: nothing is registered for Car. Register it in this container or a parent")
        container.register(Engine.self) { (_, number: Int) in Engine(number) }
        let other = failure { _ = try container.require(Provider<Engine>.self) }
        #expect(
            other?.description
                == "Engine: nothing is registered for Engine. Registered is Engine with (Int). Register it in this container or a parent"
        )
        let with = failure { _ = try container.require(Lazy<Engine>.self, arguments: 5) }
        #expect(
            with?.description
                == "Lazy<Engine>: Lazy<Engine> takes no runtime arguments. Resolve Engine itself with them"
        )
    }

    @Test("If the factory throws, get throws, and the next read tries again")
    func retries() throws {
        container.register(Engine.self) { [made] _ in
            if made.increment() == 1 { throw Failure("cold") }
            return Engine(7)
        }
        let lazy = try container.require(Lazy<Engine>.self)
        #expect(failure { _ = try lazy.get() }?.description == "Engine: the factory of Engine threw: cold")
        #expect(lazy.instance.number == 7)
    }

    @Test("If the service cannot be resolved, instance ends the process with the text of the error")
    func traps() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let container = Container()
            container.register(Engine.self) { _ in throw Failure("cold") }
            _ = try container.require(Lazy<Engine>.self).instance
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("Lazy: Engine: the factory of Engine threw: cold"))
    }

    // MARK: - The graph

    @Test("A Lazy that is first read after its graph is made resolves an instance of its own, as a new resolve does")
    func later() throws {
        register()
        var car: Car? = try container.require(Car.self)
        let lazy = try #require(car?.wheel.car)
        #expect(lazy.instance !== car && lazy.instance.wheel.car.instance !== lazy.instance)
        weak let old = car
        car = nil
        #expect(old == nil)
    }

    @Test("A Lazy that a completion has read keeps that instance of the graph")
    func readInGraph() throws {
        register()
        container.register(Wheel.self) { r in Wheel(try r.require(Lazy<Car>.self)) }
            .initCompleted { _, wheel in _ = try wheel.car.get() }
        let car = try container.require(Car.self)
        #expect(car.wheel.car.instance === car)
    }

    @Test("While its graph is made, a Lazy and a Provider read from it", arguments: [UnsharedScope.graph, .transient])
    func joins(scope: UnsharedScope) throws {
        register()
        container.register(Int.self) { [made] _ in made.increment() }
        container.register(Engine.self) { r in Engine(try r.require(Int.self)) }.inObjectScope(scope)
        container.register(String.self) { r in
            let (lazy, provider) = (try r.require(Lazy<Engine>.self), try r.require(Provider<Engine>.self))
            let engine = try r.require(Engine.self)
            #expect((lazy.instance === engine) == (scope == .graph))
            #expect(lazy.instance === lazy.instance)
            #expect((provider.instance === provider.instance) == (scope == .graph))
            return "\(lazy.instance.number) \(provider.instance.number) \(try r.require(Int.self))"
        }
        #expect(try container.require(String.self) == "1 1 1")
        #expect(made.count == 1)
    }

    @Test("A factory that reads a Lazy of its own service gets a circular error")
    func circle() {
        container.register(Car.self) { r in
            let wheel = try r.require(Wheel.self)
            return try wheel.car.get()
        }
        container.register(Wheel.self) { r in Wheel(try r.require(Lazy<Car>.self)) }
        let error = failure { _ = try container.require(Car.self) }
        #expect(error?.reason == .circular)
        #expect(error?.path == ["Car", "Car"])
    }

    @Test("If the graph fails, no instance of it is kept")
    func failedGraph() throws {
        container.register(Engine.self) { [made] _ in Engine(made.increment()) }
        container.register(Car.self) { r in
            let lazy = try r.require(Lazy<Engine>.self)
            #expect(lazy.instance.number == 1)
            throw Kept(lazy)
        }
        let lazy = try #require((failure { _ = try container.require(Car.self) }?.cause as? Kept)?.engine)
        #expect(lazy.instance.number == 2)
    }

    private struct Kept: Error, @unchecked Sendable {
        // @unchecked: the test uses it on one thread only.
        let engine: Lazy<Engine>
        init(_ engine: Lazy<Engine>) { self.engine = engine }
    }

    @Test("A child's Lazy resolves from the child")
    func child() throws {
        container.register(Engine.self) { _ in Engine(1) }
        container.register(Wheel.self) { r in Wheel(try r.require(Lazy<Car>.self)) }
        container.register(Car.self) { r in Car(try r.require(Wheel.self), try r.require(Lazy<Engine>.self)) }
        let child = Container(parent: container)
        child.register(Engine.self) { _ in Engine(2) }
        #expect(try child.require(Car.self).engine.instance.number == 2)
        #expect(try container.require(Car.self).engine.instance.number == 1)
    }

    // MARK: - Other scopes, tasks and threads

    @Test("A Lazy of a shared service returns the shared instance, also of one that existed before")
    func shared() throws {
        container.register(Shared.self) { [made] _ in Shared(made.increment()) }.inObjectScope(.container)
        let lazy = try container.require(Lazy<Shared>.self)
        let shared = container.resolve(Shared.self)
        #expect(lazy.instance === shared)
        #expect(try container.require(Lazy<Shared>.self).instance === shared)
        #expect(made.count == 1)
    }

    @Test("Each of the first readers of a Lazy may run the factory, and all get the instance that was complete first")
    func firstReaders() throws {
        let both = DispatchSemaphore(value: 0)
        container.register(Shared.self) { [made] _ in
            let number = made.increment()
            // Neither factory ends before the other has begun.
            (1...2).forEach { _ in both.signal() }
            (1...2).forEach { _ in both.wait() }
            while made.count < 2 {}
            return Shared(number)
        }.inObjectScope(.transient)
        let lazy = try container.require(Lazy<Shared>.self)
        let read = onThreads(2) { _ in lazy.instance }
        #expect(made.count == 2)
        #expect(read[0] === read[1] && read[0] === lazy.instance)
    }

    @Test("Threads that are the first to read a Lazy get the same instance")
    func race() throws {
        container.register(Shared.self) { [made] _ in Shared(made.increment()) }.inObjectScope(.transient)
        for _ in 0..<200 {
            let lazy = try container.require(Lazy<Shared>.self)
            let read = onThreads(4) { _ in lazy.instance }
            #expect(read.allSatisfy { $0 === read[0] && $0 === lazy.instance })
        }
    }
}

import DeclarativeContainer
import Testing

// The Swift blocks of the article on Factory, copied verbatim.

protocol Weather: Sendable {
    func forecast() -> String
}

struct LiveWeather: Weather {
    let key: String
    func forecast() -> String { "sunny (\(key))" }
}

struct FakeWeather: Weather {
    var text = "no forecast"
    func forecast() -> String { text }
}

struct WeatherAssembly: Assembly {
    func assemble(container: Container) {
        container.register((any Weather).self) { r in LiveWeather(key: try r.require("weather.key")) }
            .inObjectScope(.container)
        container.register(Forecast.self) { r in Forecast(weather: try r.weather()) }
    }
}

extension Resolver {
    func weather() throws -> any Weather { try require((any Weather).self) }
}

struct Forecast {
    let weather: any Weather
}

final class WeatherScreen {
    @Inject var weather: any Weather
}

struct GlobalServices: TestTrait, SuiteTrait, TestScoping {
    let overriding: @Sendable (Container) -> Void
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let assembler = Assembler(assemblies: [WeatherAssembly()], overriding: overriding)
        try await Container.withGlobal(assembler.resolver.require(Container.self)) { try await function() }
    }
}

@Suite(GlobalServices { $0.register((any Weather).self) { _ in FakeWeather() } })
struct WeatherTests {
    @Test("A test has services of its own", arguments: 0..<20)
    func forecast(number: Int) {
        #expect(WeatherScreen().weather.forecast() == "no forecast")
        Container.global.register((any Weather).self) { _ in FakeWeather(text: "\(number) degrees") }
        #expect(WeatherScreen().weather.forecast() == "\(number) degrees")
    }
}

final class Processor: Sendable {
    let workers: Int
    init(workers: Int) { self.workers = workers }
}

extension Resolver {
    func fastProcessor() throws -> Processor { try require(Processor.self, name: "fast") }
}

protocol Loading: AnyObject {}
protocol Saving: AnyObject {}
final class Disk: Loading, Saving {}

struct Cabinet {
    let loading: any Loading
    let saving: any Saving
}

@Suite("The examples on Factory")
struct FactoryExamples {
    struct Key: PropertyLoader {
        func load() throws -> PropertyLayer { ["weather.key": "demo"] }
    }

    @Test("A registration, a typed accessor, and an override")
    func registration() throws {
        let container = Container()
        Assembler(container: container).apply(assembly: WeatherAssembly())
        try container.applyPropertyLoader(Key())
        #expect(try container.require(Forecast.self).weather.forecast() == "sunny (demo)")

        #if DEBUG
            container.register((any Weather).self) { _ in FakeWeather() }
        #endif

        container.register((any Weather).self) { _ in FakeWeather() }
        #expect(try container.require(Forecast.self).weather.forecast() == "no forecast")
    }

    @Test("A later registration of a type replaces the earlier one, unless it has a name")
    func names() throws {
        let container = Container()
        container.register(Processor.self) { _ in Processor(workers: 8) }
        container.register(Processor.self) { _ in Processor(workers: 1) }
        #expect(try container.require(Processor.self).workers == 1)

        container.register(Processor.self, name: "fast") { _ in Processor(workers: 8) }
        container.register(Processor.self, name: "slow") { _ in Processor(workers: 1) }

        #expect(try container.resolver.fastProcessor().workers == 8)
        #expect(try container.require(Processor.self, name: "slow").workers == 1)
    }

    @Test("A service that is registered again has no scope of the former registration")
    func scopeOfReplacement() throws {
        let container = Container()
        container.register(Processor.self) { _ in Processor(workers: 1) }.inObjectScope(.container)
        #expect(try container.require(Processor.self) === container.require(Processor.self))
        container.register(Processor.self) { _ in Processor(workers: 2) }
        #expect(try container.require(Processor.self) !== container.require(Processor.self))
    }

    @Test("A reset removes the instances of one scope, and restores no registration")
    func reset() throws {
        let cached = SharedScope("cached")
        let container = Container()
        container.register(Processor.self) { _ in Processor(workers: 1) }.inObjectScope(.container)
        container.register(Processor.self, name: "cached") { _ in Processor(workers: 2) }.inObjectScope(cached)
        let (single, kept) = try (container.require(Processor.self), container.require(Processor.self, name: "cached"))
        container.reset(cached)
        #expect(try container.require(Processor.self) === single)
        #expect(try container.require(Processor.self, name: "cached") !== kept)
        container.reset(.container)
        #expect(try container.require(Processor.self) !== single)

        let test = Container(parent: container)
        test.register(Processor.self) { _ in Processor(workers: 3) }
        #expect(try test.require(Processor.self).workers == 3)
        #expect(try container.require(Processor.self).workers == 1)
    }

    @Test("A property resolves at its first read, so a verification does not see it")
    func injection() async throws {
        let container = Container()
        let screen = Container.withGlobal(container) { WeatherScreen() }
        try await container.verify()
        container.register((any Weather).self) { _ in FakeWeather() }
        #expect(screen.weather.forecast() == "no forecast")

        container.register(Forecast.self) { r in Forecast(weather: try r.make(qualifier: "promised")) }
        await #expect(throws: ConfigurationErrors.self) { try await container.verify() }
    }

    final class Injected {
        @Inject var loading: any Loading
        @Inject var saving: any Saving
    }

    @Test("A factory takes from its graph, a property from a graph of its own")
    func graphs() throws {
        let container = Container()
        container.register(Disk.self) { _ in Disk() }.implements((any Loading).self, (any Saving).self)
        container.register(Cabinet.self) { r in Cabinet(loading: try r.make(), saving: try r.make()) }
        let cabinet = try container.require(Cabinet.self)
        #expect(cabinet.loading as AnyObject === cabinet.saving as AnyObject)
        let injected = Container.withGlobal(container) { Injected() }
        #expect(injected.loading as AnyObject !== injected.saving as AnyObject)
    }

    @Test("A provider resolves at each read, and a container can have another default scope")
    func providers() throws {
        let container = Container(uncheckedDefaultObjectScope: .container)
        container.register(Processor.self) { _ in Processor(workers: 1) }
        let provider = try container.require(Provider<Processor>.self)
        #expect(try provider.get() === container.require(Processor.self))
        container.register(Processor.self) { _ in Processor(workers: 2) }
        #expect(try provider.get().workers == 2)
        #expect(container.resolve(Disk.self) == nil)
    }
}

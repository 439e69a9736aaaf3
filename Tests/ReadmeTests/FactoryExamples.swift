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
}

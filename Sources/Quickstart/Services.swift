import Container
import PropertyLoaders

struct APIClient {
    let baseURL: String?
    let timeout: Double
    let apiKey: String?
    let isVerbose: Bool
}

struct Database {
    let host: String
    let port: UInt16
    let name: String
}

struct PricingService {
    let database: Database
    let unlimitedCost: Double
    let features: [String]
}

struct Person {
    let name: String?
    let count: Int?
    let team: String
}

/// The registrations of the example service. Their factories read settings by name. All services are shared, so that the
/// start builds them and finds the mistakes in their settings.
struct ServiceAssembly: Assembly {
    func assemble(container: Container) {
        container.register(APIClient.self) { r in
            APIClient(
                baseURL: r.property(.apiBaseURL), timeout: try r.property(.apiTimeout, default: 60),
                apiKey: r.property(.apiKey), isVerbose: try r.property(.debugMode, default: false))
        }.inObjectScope(.container)
        // `require` throws if a setting is missing or has another type, so the service does not start with a wrong
        // value.
        container.register(Database.self) { r in
            Database(
                host: try r.require("database.host"), port: try r.require("database.port"),
                name: try r.require("database.name"))
        }.inObjectScope(.container)
        container.register(PricingService.self) { r in
            PricingService(
                database: try r.require(Database.self), unlimitedCost: try r.require("packages.unlimited.cost"),
                features: try r.property("packages.unlimited.features", default: []))
        }.inObjectScope(.container)
        container.register(Person.self) { r in
            Person(name: r.property("name"), count: r.property("count"), team: try r.require("team"))
        }.inObjectScope(.container)
    }
}

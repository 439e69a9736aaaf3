import Container
import PropertyLoaders

final class APIClient {
    var baseURL: String?
    var timeout: Double = 60
    var apiKey: String?
    var isVerbose = false
}

struct Database: Sendable {
    let host: String
    let port: UInt16
    let name: String
}

final class PricingService {
    let database: Database
    var unlimitedCost = 0.0
    var features: [String] = []

    init(database: Database) {
        self.database = database
    }
}

final class Person {
    var name: String!
    var count: Int?
    var team: String = ""
}

/// The registrations of the example service. Their factories read settings by name.
struct ServiceAssembly: Assembly {
    func assemble(container: Container) {
        container.register(APIClient.self) { r in
            let client = APIClient()
            client.baseURL = r.property(.apiBaseURL)
            client.timeout = r.property(.apiTimeout) ?? 60
            client.apiKey = r.property(.apiKey)
            client.isVerbose = r.property(.debugMode) ?? false
            return client
        }
        // `require` throws if a setting is missing or has another type, so the service does not start with a wrong
        // value.
        container.register(Database.self) { r in
            Database(
                host: try r.require("database.host"), port: try r.require("database.port"),
                name: try r.require("database.name"))
        }.inObjectScope(.container)
        container.register(PricingService.self) { r in
            let service = PricingService(database: try r.require(Database.self))
            service.unlimitedCost = try r.require("packages.unlimited.cost")
            service.features = r.property("packages.unlimited.features") ?? []
            return service
        }
        container.register(Person.self) { r in
            let person = Person()
            person.name = r.property("name")
            person.count = r.property("count")
            person.team = try r.require("team")
            return person
        }
    }
}

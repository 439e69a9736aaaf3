import Container
import Foundation
import Settings

final class APIClient {
    var baseURL: String?
    var endpoint: URL?
    var timeout: Int?
    var retryAfter: Double = 0
    var apiKey: String!
    var level: Level?
}

final class Database {
    var host = ""
    var port = 0
    var name = ""
}

final class PricingService {
    var unlimitedCost = 0.0
    let database: Database

    init(database: Database) { self.database = database }
}

final class Person {
    var name: String!
    var count: Int?
    var team: String = ""
}

final class Cache: Sendable {}

final class ServiceAssembly: Assembly {
    func assemble(container: Container) {
        container.register(APIClient.self) { r in
            let client = APIClient()
            client.baseURL = r.property(.apiBaseURL)
            client.endpoint = r.property(.apiBaseURL)
            client.timeout = r.property("api.timeout")
            client.retryAfter = try r.property(.apiTimeout, default: 30)
            client.apiKey = r.property(.apiKey)
            client.level = r.property(.level)
            return client
        }
        container.register(Database.self) { r in
            let db = Database()
            db.host = r.property("database.host")!
            db.port = r.property("database.port")!
            db.name = r.property("database.name")!
            return db
        }.inObjectScope(.transient)
        container.register(PricingService.self) { r in
            let service = PricingService(database: r.resolve(Database.self)!)
            service.unlimitedCost = r.property("packages.unlimited.cost")!
            return service
        }.inObjectScope(.graph)
        container.register(Person.self, name: "lead") { r in
            let person = Person()
            person.name = r.property("name")
            person.count = r.property("count")
            person.team = r.property("team")!
            return person
        }
        container.register(Cache.self) { _ in Cache() }.inObjectScope(.container)
    }
}

final class MoreAssembly: Assembly {
    func assemble(container: Container) {
        // The assembler applies properties before assemblies, so an assembly can read them.
        if container.property("debugMode") == true {
            container.register(Cache.self, name: "debug") { _ in Cache() }.inObjectScope(.weak)
        }
    }

    func loaded(resolver: Resolver) {
        precondition(resolver.property("debugMode") == true)
    }
}

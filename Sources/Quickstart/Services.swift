import Container

struct APIClient {
    let settings: APISettings
}

struct Database {
    let settings: DatabaseSettings
    var address: String { "\(settings.host):\(settings.port)/\(settings.name)" }
}

struct PricingService {
    let database: Database
    let settings: PackageSettings
}

/// The registrations of the example service, with the settings that their factories read. All services are shared, so
/// that the start builds them, and are built anew when their settings change.
struct ServiceAssembly: Assembly {
    func assemble(container: Container) {
        container.declare(TeamSettings.self)
        container.declare(APISettings.self, at: "api")
        container.declare(DatabaseSettings.self, at: "database")
        container.declare(PackageSettings.self, at: "packages.unlimited")

        container.register(APIClient.self) { r in APIClient(settings: try r.settings(APISettings.self)) }
            .inObjectScope(.container).followsSettings()
        container.register(Database.self) { r in Database(settings: try r.settings(DatabaseSettings.self)) }
            .inObjectScope(.container).followsSettings()
        container.register(PricingService.self) { r in
            PricingService(database: try r.require(Database.self), settings: try r.settings(PackageSettings.self))
        }
        .inObjectScope(.container).followsSettings()
    }
}

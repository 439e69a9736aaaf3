import ServiceHost

struct ServerSettings: Settings {
    @Setting("Where clients connect", in: 1...65535, needsRestart: true) var port = 8080
}

struct DatabaseSettings: Settings {
    @Setting("The most connections", in: 1...100) var pool = 10
    @Setting("The password of the user", isSecret: true) var password: String
}

struct Database: Sendable { let pool: Int }
struct Refused: Error {}

@main
struct Runbook {
    static func main() async {
        let container = Container()
        container.declare(ServerSettings.self, at: "server")
        container.declare(DatabaseSettings.self, at: "database")
        container.register(Database.self) { r in
            let settings = try r.settings(DatabaseSettings.self)
            if settings.password == "wrong" { throw Refused() }
            return Database(pool: settings.pool)
        }
        .inObjectScope(.container)
        .followsSettings(draining: .milliseconds(500))
        await container.run(
            .standardSources(file: "config.toml", secrets: "secrets", environment: "APP"), dumpsAt: .usr1
        ) { _ in try await Task.sleep(for: .seconds(3600)) }
    }
}

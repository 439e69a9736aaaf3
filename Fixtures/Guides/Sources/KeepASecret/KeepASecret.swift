import ServiceHost

struct DatabaseSettings: Settings {
    @Setting("Who signs in") var user = "shop"
    @Setting("The password of the user", isSecret: true) var password: String
}

@main
struct KeepASecret {
    static func main() async {
        let container = Container()
        container.declare(DatabaseSettings.self, at: "database")
        let sources: PropertySources = .standardSources(
            file: "config.toml", secrets: "secrets", environment: "APP")
        await container.run(sources) { container in
            let database = try container.settings(DatabaseSettings.self)
            print(database)
            print("the password has \(database.password.count) characters")
        }
    }
}

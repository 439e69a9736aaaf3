import ServiceHost

struct DatabaseSettings: Settings {
    @Setting("Where the database listens") var host = "localhost"
    @Setting("The most connections", in: 1...) var pool = 10
    @Setting("The password of the user", isSecret: true) var password: String
}

struct MailSettings: Settings {
    @Setting("The address that sends") var from: String
}

@main
struct RunWithCompose {
    static func main() async {
        let container = Container()
        container.declare(DatabaseSettings.self, at: "database")
        container.declare(MailSettings.self, at: "mail")
        let sources: PropertySources = .standardSources(
            secrets: "secrets", secretsOption: true, dotEnv: ".env", environment: "", emptyIsUnset: true)
        await container.run(sources) { container in
            for entry in container.properties.values { print(entry) }
        }
    }
}

import ServiceHost

struct HTTPSettings: Settings {
    @Setting("Where clients connect", in: 1...65535, environment: "PORT") var port = 8080
}

struct DatabaseSettings: Settings {
    @Setting("The whole address, in place of the parts", isSecret: true) var url: URL?
    @Setting("The host") var host = "localhost"
    @Setting("The port", in: 1...65535) var port = 5432
    @Setting("The user") var username = "app"
    @Setting("The password", isSecret: true) var password = ""
    @Setting("The name of the database") var name = "app"
}

struct MailSettings: Settings {
    @Setting("Opens the mail service", isSecret: true) var apiKey: String
}

struct Mailer: Sendable {
    let key: String
}

func makeContainer() -> Container {
    let container = Container()
    container.declare(HTTPSettings.self, at: "http")
    container.declare(DatabaseSettings.self, at: "database")
    container.declare(MailSettings.self, at: "mail")
    container.register(Mailer.self) { r in Mailer(key: try r.settings(MailSettings.self).apiKey) }
        .inObjectScope(.container)
    return container
}

@main
struct ComingFromVapor {
    static func main() async {
        let environment = ProcessInfo.processInfo.environment["VAPOR_ENV"] ?? "development"
        let files: PropertySources = [
            DotEnvPropertyLoader(url: URL(filePath: ".env"), emptyIsUnset: true).optional(),
            DotEnvPropertyLoader(url: URL(filePath: ".env.\(environment)"), emptyIsUnset: true).optional(),
        ]
        await makeContainer().run(files + .standardSources(environment: "", emptyIsUnset: true)) { container in
            let http = try container.settings(HTTPSettings.self)
            let database = try container.settings(DatabaseSettings.self)
            print("port \(http.port), \(database.url?.host() ?? database.host)")
        }
    }
}

import ServiceHost

struct DatabaseSettings: Settings {
    @Setting("Where the database listens") var url = "db://localhost"
    @Setting("The most connections", in: 1...) var connections = 10
}

enum DatabaseName: String, CaseIterable, Decodable { case primary, replica }

struct ReportSettings: Settings {
    @Setting("The database that reports read") var database = DatabaseName.replica
}

struct Database: Sendable {
    let url: String
}

struct Reports: Sendable {
    let database: Database
}

func makeContainer() -> Container {
    let container = Container()
    for name in DatabaseName.allCases.map(\.rawValue) {
        container.declare(DatabaseSettings.self, at: name)
        container.register(Database.self, name: name) { r in
            Database(url: try r.settings(DatabaseSettings.self, at: name).url)
        }
        .inObjectScope(.container)
    }
    container.declare(ReportSettings.self, at: "reports")
    container.register(Reports.self) { r in
        let name = try r.settings(ReportSettings.self).database.rawValue
        return Reports(database: try r.require(Database.self, name: name))
    }
    .inObjectScope(.container)
    return container
}

@main
struct TwoServices {
    static func main() async {
        await makeContainer().run(.standardSources(file: "config.toml", environment: "APP")) { container in
            print("reports read \(try container.require(Reports.self).database.url)")
        }
    }
}

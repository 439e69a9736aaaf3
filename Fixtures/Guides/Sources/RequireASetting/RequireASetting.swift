import ServiceHost

struct DatabaseSettings: Settings {
    @Setting("Where the database listens") var url: URL
    @Setting("How many connections it may open", in: 1...100) var poolSize = 10
    @Setting("Where a replica listens") var replica: URL?
}

@main
struct RequireASetting {
    static func main() async {
        let container = Container()
        container.declare(DatabaseSettings.self, at: "database")
        await container.run(.standardSources(file: "config.toml", environment: "APP")) { container in
            let database = try container.settings(DatabaseSettings.self)
            print("\(database.url), \(database.poolSize) connections")
        }
    }
}

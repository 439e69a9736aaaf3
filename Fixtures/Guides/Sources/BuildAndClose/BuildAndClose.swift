import ServiceHost

struct DatabaseSettings: Settings {
    @Setting("Where the database listens") var url = "db://localhost"
}

actor Database {
    static func connect(to url: String) async throws -> Database {
        print("connected to \(url)")
        return Database()
    }

    func count() -> Int { 3 }
    func close() { print("closed") }
}

struct Orders: Sendable {
    let database: Database
    func report() async -> String { "\(await database.count()) orders" }
}

@main
struct BuildAndClose {
    static func main() async {
        let container = Container()
        container.declare(DatabaseSettings.self, at: "database")
        container.register(Database.self) { r in
            try await Database.connect(to: r.settings(DatabaseSettings.self).url)
        }
        .inObjectScope(.container)
        .onClose { database in await database.close() }
        container.register(Orders.self) { r async throws in Orders(database: try await r.require(Database.self)) }
            .inObjectScope(.container)

        await container.run(.standardSources(environment: "APP")) { container in
            print(try await container.require(Orders.self).report())
        }
    }
}

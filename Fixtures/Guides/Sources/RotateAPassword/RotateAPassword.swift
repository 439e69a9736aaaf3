import ServiceHost

struct DatabaseSettings: Settings {
    @Setting("The password of the user", isSecret: true) var password: String
}

actor Database {
    static func connect(password: String) async throws -> Database {
        print("connected with \(password.count) characters")
        return Database()
    }

    func count() -> Int { 3 }
    func close() { print("closed the old connections") }
}

struct Orders: Sendable {
    let database: Provider<Database>
    func report() async throws -> String { "\(try await database.get().count()) orders" }
}

@main
struct RotateAPassword {
    static func main() async {
        let container = Container()
        container.declare(DatabaseSettings.self, at: "database")
        container.register(Database.self) { r in
            try await Database.connect(password: r.settings(DatabaseSettings.self).password)
        }
        .inObjectScope(.container)
        .onClose { database in await database.close() }
        .followsSettings(draining: .seconds(1))
        container.register(Orders.self) { r in Orders(database: try r.require(Provider<Database>.self)) }
            .inObjectScope(.container)

        await container.run(.standardSources(secrets: "secrets", environment: "APP")) { container in
            let orders = try container.require(Orders.self)
            while true {
                print(try await orders.report())
                try await Task.sleep(for: .seconds(1))
            }
        }
    }
}

import ServiceHost

struct ServerSettings: Settings {
    @Setting("The address to listen on") var host = "127.0.0.1"
    @Setting("Where clients connect", in: 1...65535) var port = 8080
    @Setting("What the server says") var greeting = "Hello"
    @Setting("Where the database listens") var database = "db://localhost"
}

struct Database: Sendable {  // replace it by the client of your database
    static func connect(to url: String) async throws -> Database {
        print("connected to \(url)")
        return Database()
    }

    func orders(of user: String) async throws -> Int { 3 }
    func close() async { print("closed the database") }
}

struct Orders: Sendable {
    let database: Database
    func summary(of user: String) async throws -> String { "\(user): \(try await database.orders(of: user)) orders" }
}

func makeContainer() -> Container {
    let container = Container()
    container.declare(ServerSettings.self, at: "server")  // the table [server] of the file
    container.register(Database.self) { r in try await Database.connect(to: r.settings(ServerSettings.self).database) }
        .inObjectScope(.container)  // one for the process
        .onClose { database in await database.close() }
    container.register(using: Orders.init).inObjectScope(.container)  // takes its parameters from the container
    return container
}

@main
struct Example {
    static func main() async {
        await makeContainer().run(.standardSources(file: "config.toml", environment: "APP")) { container in
            print(try await container.require(Orders.self).summary(of: "Ada"))
            while true {
                let server = try container.settings(ServerSettings.self)
                print("\(server.greeting) from \(server.host):\(server.port)")
                try await Task.sleep(for: .seconds(1))
            }
        }
    }
}

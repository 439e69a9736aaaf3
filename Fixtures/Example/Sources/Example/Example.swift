import ServiceHost

struct ServerSettings: Settings {
    @Setting("The address to listen on") var host = "127.0.0.1"
    @Setting("Where clients connect", in: 1...65535) var port = 8080
    @Setting("What the server says") var greeting = "Hello"
}

@main
struct Example {
    static func main() async {
        let container = Container()
        container.declare(ServerSettings.self, at: "server")
        await container.run(.standardSources(file: "config.toml", environment: "APP")) { container in
            while true {
                let server = try container.settings(ServerSettings.self)
                print("\(server.greeting) from \(server.host):\(server.port)")
                try await Task.sleep(for: .seconds(1))
            }
        }
    }
}

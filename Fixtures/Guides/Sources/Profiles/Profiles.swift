import ServiceHost

struct ServerSettings: Settings {
    @Setting("The address to listen on") var host = "127.0.0.1"
    @Setting("Where clients connect", in: 1...65535) var port = 8080
}

@main
struct Profiles {
    static func main() async {
        let container = Container()
        container.declare(ServerSettings.self, at: "server")
        await container.run(.standardSources(file: "config.toml", environment: "APP")) { container in
            let server = try container.settings(ServerSettings.self)
            print("\(server.host):\(server.port)")
        }
    }
}

import ServiceHost

struct APISettings: Settings {
    @Setting("Where requests go", formerly: "base_url") var url = "http://localhost:8080"
    @Setting("How long a request may take", formerly: "http.wait") var timeout = Duration.seconds(30)
}

@main
struct RenameASetting {
    static func main() async {
        let container = Container()
        container.declare(APISettings.self, at: "api", formerly: "client")
        await container.run(.standardSources(file: "config.toml", environment: "APP")) { container in
            let api = try container.settings(APISettings.self)
            print("\(api.url), \(api.timeout)")
        }
    }
}

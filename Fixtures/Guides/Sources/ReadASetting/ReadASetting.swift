import ServiceHost

struct APISettings: Settings {
    @Setting("Where requests go") var url = "http://localhost:8080"
    @Setting("How long a request may take", in: .milliseconds(10)...) var timeout = Duration.seconds(30)
}

@main
struct ReadASetting {
    static func main() async {
        let container = Container()
        container.declare(APISettings.self, at: "api")
        await container.run(.standardSources(file: "config.toml", environment: "APP")) { container in
            let api = try container.settings(APISettings.self)
            print("\(api.url), \(api.timeout)")
        }
    }
}

import ServiceHost

struct APIClient { let url: String?, timeout: Int }

extension PropertyKey {
    static let apiTimeout = PropertyKey("api.timeout")
}

func makeContainer(_ loaders: any PropertyLoader...) throws -> Container {
    let container = Container()
    for loader in loaders { try container.applyPropertyLoader(loader) }
    container.register(APIClient.self) { r in
        APIClient(url: r.property("api.url"), timeout: r.property(.apiTimeout) ?? 30)
    }
    return container
}

@main
struct ReadByName {
    static func main() throws {
        let container = try makeContainer(
            JsonPropertyLoader(url: URL(filePath: "defaults.json")),
            TomlPropertyLoader(url: URL(filePath: "config.toml")),
            EnvironmentPropertyLoader(prefix: "APP"))
        let client = container.resolve(APIClient.self)!
        let retries = container.property("api.retries") ?? 3
        print("\(client.url ?? "no URL"), \(client.timeout) seconds, \(retries) retries")
    }
}

import PropertyLoadersEssentials

struct APISettings: Settings {
    @Setting("Where requests go") var url = "http://localhost:8080"
    @Setting("How long a request may take") var timeout = Duration.seconds(30)
}

let store = PropertyStore()
store.declare(APISettings.self, at: "api")
do {
    try store.start([
        TomlPropertyLoader(url: URL(filePath: "config.toml")),
        EnvironmentPropertyLoader(prefix: "APP"),
    ])
} catch {
    error.reportAndExit()
}
let api = try store.settings(APISettings.self)
print("\(api.url), \(api.timeout)")

import Container
import Foundation
import PropertyLoaders
import Settings

struct AppConfig: Sendable {
    struct API: Sendable {
        let baseURL = "https://api.example.com"
        let timeout = 30
        let key = "secret123"
    }

    let api = API()
    let appName = "MyApp"
    let debugMode = true
    let level = Level.info
    let proxy: String? = nil
}

struct BuildInfo: PropertyLoader {
    func load() throws -> PropertyLayer { ["build.number": 4711] }
}

func check(_ condition: Bool, _ what: String) {
    guard condition else {
        print("wrong: \(what)")
        exit(1)
    }
}

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("consumer-\(getpid())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
func file(_ name: String, _ text: String) throws -> URL {
    let url = folder.appendingPathComponent(name)
    try Data(text.utf8).write(to: url)
    return url
}

let json = try file("config.json", #"{"name": "Mike", "count": 100, /* comment */ "team": "Giants"}"#)
let toml = try file(
    "config.toml",
    """
    [api]
    timeout = 5
    [database]
    host = "localhost"
    port = 5432
    name = "myapp"
    [packages.unlimited]
    cost = 99.99
    """)
let plist = try file(
    "config.plist", #"<plist version="1.0"><dict><key>when</key><date>2026-11-21T06:30:00Z</date></dict></plist>"#)

let assembler = try Assembler(
    assemblies: [ServiceAssembly(), MoreAssembly()],
    propertyLoaders: [
        StructPropertyLoader(AppConfig()), JsonPropertyLoader(url: json), TomlPropertyLoader(url: toml),
        PlistPropertyLoader(url: plist), BuildInfo(),
    ],
    container: Container())
let child = try Assembler(
    assemblies: [], parentAssembler: assembler,
    propertyLoaders: [TomlPropertyLoader(string: "api.timeout = 6", name: "child.toml")])
let r = assembler.resolver

let client = r.resolve(APIClient.self)!
check(client.baseURL == "https://api.example.com", "baseURL")
check(client.endpoint == URL(string: "https://api.example.com"), "endpoint")
check(client.timeout == 5 && client.retryAfter == 5.0, "timeout")
check(client.apiKey == "secret123" && client.level == .info, "key and level")
check(r.resolve(PricingService.self)?.unlimitedCost == 99.99, "cost")
check(r.resolve(PricingService.self)?.database.port == 5432, "database")
check(r.resolve(Person.self, name: "lead")?.team == "Giants", "person")
check(r.resolve(Person.self) == nil, "no person without a name")
check(r.resolve(Cache.self) === r.resolve(Cache.self), "one cache")
let when: Date? = r.property("when")
check(when == Date(timeIntervalSince1970: 1_795_242_600), "when")
let build: Int? = r.property("build.number")
check(build == 4711, "build")
check(child.resolver.property("api.timeout") == 6 && r.property("api.timeout") == 5, "child")
check((try? r.require("api.timeot", as: Int.self)) == nil, "typo")
print("consumer: ok")

import Container
import PropertyLoadersEssentials
import Synchronization
import Testing

/// A read of a name that no source has, while a variable or an argument has its letters.
@Suite("Reads that miss a variable or an argument")
struct MissedReadTests {
    private final class Reports: Sendable {
        private let errors = Mutex<[PropertyError]>([])
        var all: [String] { errors.withLock { $0.map { "\($0)" } } }
        var reasons: Set<PropertyError.Reason> { errors.withLock { Set($0.map(\.reason)) } }
        func add(_ error: PropertyError) { errors.withLock { $0.append(error) } }
    }

    private static func store(_ loaders: [any PropertyLoader]) throws -> (PropertyStore, Reports) {
        let store = PropertyStore(), reports = Reports()
        store.onWrongValue { reports.add($0) }
        try store.apply(loaders)
        return (store, reports)
    }

    private static func environment(_ prefix: String, _ variables: [String: String]) -> EnvironmentPropertyLoader {
        EnvironmentPropertyLoader(prefix: prefix, environment: variables)
    }

    private static let timeout = "this was not used: no source has 'api.timeout', and nothing declares it. "

    @Test("Of a name that nobody knows, the miss is said once, with the remedy")
    func prefix() throws {
        let (store, reports) = try Self.store([Self.environment("APP", ["APP_API_TIMEOUT": "4"])])
        for _ in 1...3 { #expect(store.property("api.timeout") ?? 30 == 30) }
        #expect(try store.property("api.timeout", default: Duration.zero) == .zero)
        #expect(try store.require(TypedKey("api.timeout", default: 7)) == 7)
        #expect(store.snapshot.property("api.timeout") == nil as [Int]?)
        #expect(
            reports.all == [
                "environment APP_API_TIMEOUT: \(Self.timeout)Set it as APP_API__TIMEOUT, or declare it."
            ])
        #expect(reports.reasons == [.unknownKey])
    }

    @Test("The remedy works")
    func remedy() throws {
        let (store, reports) = try Self.store([Self.environment("APP", ["APP_API__TIMEOUT": "4"])])
        #expect(store.property("api.timeout") == 4)
        let (declared, none) = try Self.store([Self.environment("APP", ["APP_API_TIMEOUT": "4"])])
        declared.declare(TypedKey("api.timeout", default: 30))
        #expect(declared.property("api.timeout") == 4)
        #expect(reports.all.isEmpty && none.all.isEmpty)
    }

    @Test("A value in a file is overridden, declared or not")
    func file() throws {
        let (store, reports) = try Self.store([
            TomlPropertyLoader(string: "api.timeout = 30", name: "c.toml"),
            Self.environment("APP", ["APP_API_TIMEOUT": "4"]),
        ])
        #expect(store.property("api.timeout") == 4 && reports.all.isEmpty)
    }

    @Test("An argument is spelled with dots, and a variable without a prefix must be declared")
    func others() throws {
        let (store, reports) = try Self.store([
            CommandLinePropertyLoader(arguments: ["--api-timeout=4"]),
            Self.environment("", ["HTTP_PORT": "80", "DATABASE_URL": "db", "PATH": "/bin"]),
            DotEnvPropertyLoader(string: "MAIL_HOST=x", name: ".env"),
        ])
        #expect(store.property("api.timeout") ?? 30 == 30)
        #expect(store.property("http.port") ?? 8080 == 8080)
        #expect(store.property("DATABASE_URL") == nil as String?)
        #expect(store.property("mail.host") == nil as String?)
        #expect(store.property("nothing") == nil as String?)
        #expect(
            reports.all == [
                "command line --api-timeout: \(Self.timeout)Set it by --api.timeout, or declare it.",
                "environment HTTP_PORT: this was not used: no source has 'http.port', and nothing declares it. Declare it.",
                "environment DATABASE_URL: this was not used: no source has 'DATABASE_URL', and nothing declares it. Declare it.",
                ".env:1:1: this was not used: no source has 'mail.host', and nothing declares it. Set it as MAIL__HOST in "
                    + ".env, or declare it.",
            ])
    }

    @Test("A variable that is used under another name is not reported")
    func used() throws {
        struct Server: Settings { @Setting("Port", environment: "PORT") var port = 8080 }
        struct API: Settings { @Setting("Time") var apiTimeout = 1 }
        let (store, reports) = try Self.store([])
        store.declare(Server.self, at: "server")
        store.declare(API.self)
        try store.apply([Self.environment("", ["PORT": "9000", "API_TIMEOUT": "5"])])
        #expect(try store.settings(Server.self).port == 9000)
        #expect(store.property("port") == nil as Int?)
        #expect(store.property("api.timeout") == nil as Int?)
        #expect(reports.all.isEmpty)
    }

    @Test("It is said while services are built, and in a child, and no secret is shown")
    func services() async throws {
        let container = Container(), reports = Reports()
        container.properties.onWrongValue { reports.add($0) }
        container.register([Int].self) { r in [r.property("api.timeout") ?? 30] }.inObjectScope(.container)
        try await container.start([Self.environment("APP", ["APP_API_TIMEOUT": "hunter2", "APP_MAIL_HOST": "hunter2"])])
        let child = Container(parent: container)
        #expect(child.property("mail.host") == nil as String?)
        #expect(reports.all.count == 2 && !reports.all.joined().contains("hunter2"))
        await container.close()
    }

    @Test("A later value ends it, and a null is a value")
    func later() throws {
        let (store, reports) = try Self.store([
            JsonPropertyLoader(string: #"{"api": {"timeout": null}}"#, name: "a.json"),
            Self.environment("APP", ["APP_MAIL_HOST": "x"]),
        ])
        #expect(store.property("api.timeout") == nil as Int?)
        try store.set("mail.host", to: "y")
        #expect(store.property("mail.host") == "x" || store.property("mail.host") == "y")
        #expect(reports.all.isEmpty)
    }

    @Test("An undeclared name of one word that the environment without a prefix overrides is a warning")
    func oneWord() throws {
        let variables = ["PATH": "/bin", "HOME": "/root", "API_TIMEOUT": "4", "USER": "u"]
        let (store, _) = try Self.store([
            TomlPropertyLoader(string: "path = \"/data\"\nhome = \"h\"\nuser = \"x\"\napi.timeout = 1", name: "c.toml"),
            Self.environment("", variables),
        ])
        store.declare(TypedKey("home", default: "none"))
        #expect(store.property("path") == "/bin" && store.property("api.timeout") == 4)
        #expect(
            store.warnings.map { "\($0)" } == [
                "environment PATH: this overrides 'path' (c.toml:1:8), which nothing declares. Declare it or rename it, or "
                    + "give the environment a prefix.",
                "environment USER: this overrides 'user' (c.toml:3:8), which nothing declares. Declare it or rename it, or "
                    + "give the environment a prefix.",
            ])
        let (prefixed, _) = try Self.store([
            TomlPropertyLoader(string: "path = \"/data\"", name: "c.toml"),
            Self.environment("APP", ["APP_PATH": "/bin"]),
        ])
        #expect(prefixed.warnings.isEmpty)
    }

    @Test("A value in place of the table around a name is said, and nothing if there is none")
    func valueInPlaceOfTable() throws {
        let (store, reports) = try Self.store([
            JsonPropertyLoader(string: "{\"api\": {\"url\": \"x\"}, \"a\": [1], \"n\": 1, \"t\": {}}", name: "a.json"),
            JsonPropertyLoader(string: "{\"api\": 5, \"n\": null}", name: "b.json"),
        ])
        #expect(store.property("api.url") ?? "none" == "none")
        #expect(try store.property("api.client.timeout", default: 30) == 30)
        #expect(store.property("a.b") == nil as Int?)
        for missing in ["t.x", "n.x", "x.y.z", "x", "", ".", "api"] {
            #expect(store.property(missing) == nil as String?)
        }
        let former = "(it overrides {1 key} at a.json:1:9)"
        #expect(
            reports.all == [
                "b.json:1:9: 'api' is the integer 5; expected a table \(former). Write a table in its place.",
                "a.json:1:28: 'a' is an array of 1 value; expected a table. Write a table in its place.",
                "b.json:1:9: 'api' is the integer 5; expected a string \(former). Put it in quotes.",
            ])
    }

    @Test("A name with very many dots is missing, and not looked for at each of them", arguments: [3_000, 200_000])
    func manyDots(count: Int) throws {
        let (store, reports) = try Self.store([JsonPropertyLoader(string: "{\"a\": {\"b\": 1}}", name: "a.json")])
        #expect(store.property(String(repeating: "a.", count: count)) == nil as Int?)
        #expect(reports.all.isEmpty)
    }

    @Test("A secret value in place of a table is masked")
    func secretInPlaceOfTable() throws {
        let (store, reports) = try Self.store([
            TomlPropertyLoader(string: "db = 'hunter2'", name: "c.toml").secret()
        ])
        #expect(store.property("db.password") == nil as String?)
        #expect(reports.all.count == 1 && !reports.all[0].contains("hunter2"), "\(reports.all)")
    }

    private struct Server: Settings {
        @Setting var port = 8080
        @Setting var host: String?
        @Setting(isSecret: true) var token = "t0ken"
    }

    @Test("A declared default is not used by a read by name, and the error of one that requires a value says so")
    func declaredDefault() throws {
        let (store, reports) = try Self.store([])
        store.declare(Server.self, at: "server")
        #expect(store.property("server.port") ?? 3000 == 3000)
        #expect(store.property("server.host") == nil as String?)
        #expect(try store.settings(Server.self).port == 8080)
        let unused = "Read it by its settings type or its key: a read by name does not use its default."
        let missing = "'server.port' is missing; expected an integer. \(unused)"
        #expect(reports.all.isEmpty)
        let error = #expect(throws: PropertyError.self) { try store.require("server.port", as: Int.self) }
        #expect(error?.description == missing)
        #expect(try store.require(TypedKey("server.port", default: 7)) == 7)
        #expect(store.property("server.token") == nil as String?)
        try store.set("server.port", to: 1)
        #expect(store.property("server.port") == 1)
    }
}

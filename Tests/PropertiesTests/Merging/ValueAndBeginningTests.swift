import Properties
import PropertyLoadersEssentials
import Testing

@Suite("A declared value whose name is the beginning of other declared names")
struct ValueAndBeginningTests {
    private enum Env: String, CaseIterable, Codable, Sendable { case dev, prod }
    private static let env = TypedKey<Env>("env", default: .dev)
    private static let path = TypedKey<String?>("env.filePath", default: nil)

    private func store(_ sources: [any PropertyLoader]) throws(ConfigurationErrors) -> PropertyStore {
        let store = PropertyStore()
        store.declare(Self.env)
        store.declare(Self.path)
        try store.start(sources, unknownKeys: .refused)
        return store
    }

    private static let inner: [any PropertyLoader] = [
        CommandLinePropertyLoader(arguments: ["service", "--env.filePath", "x"]),
        EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_ENV_FILE_PATH": "x"]),
        EnvironmentPropertyLoader(prefix: "", environment: ["ENV__FILE_PATH": "x"]),
        DotEnvPropertyLoader(string: "ENV__FILE_PATH=x", name: ".env"),
        JsonPropertyLoader(string: #"{"env": {"filePath": "x"}}"#, name: "a.json"),
        JsonPropertyLoader(string: #"{"env.filePath": "x"}"#, name: "a.json"),
        TomlPropertyLoader(string: "env.filePath = \"x\"", name: "a.toml"),
        TomlPropertyLoader(string: "[env]\nfilePath = \"x\"", name: "a.toml"),
        Literal("a", ["env.filePath": "x"]),
    ]

    @Test("It is missing in a source that has only the longer name", arguments: inner.indices)
    func missing(index: Int) throws {
        let store = try store([Self.inner[index]])
        #expect((try store.require(Self.env), try store.require(Self.path)) == (.dev, "x"))
        #expect(store.property("env") == Env?.none)
        #expect(try store.property("env", default: Env.prod) == .prod)
        #expect(store.property("env") == ["filePath": "x"])
        #expect(store.snapshot.state(of: "env") == #"env = "dev" (default)"#)
        let errors = #expect(throws: PropertyError.self) { try store.require("env", as: Env.self) }
        #expect(errors?.reason == .missing)
    }

    @Test("Both are read if any sources have them", arguments: inner.indices)
    func both(index: Int) throws {
        let values: [any PropertyLoader] = [
            CommandLinePropertyLoader(arguments: ["service", "--env", "prod"]),
            EnvironmentPropertyLoader(prefix: "B", environment: ["B_ENV": "prod"]),
            TomlPropertyLoader(string: "env = \"prod\"", name: "b.toml"), Literal("b", ["env": "prod"]),
        ]
        for value in values {
            let store = try store([value, Self.inner[index]])
            #expect(try store.require(Self.path) == "x")
            // By its rule, a JSON file replaces a value of its first level by a table.
            #expect(try store.require(Self.env) == (index == 4 ? .dev : .prod), "\(index)")
            let reversed = try self.store([Self.inner[index], value])
            #expect((try reversed.require(Self.env), try reversed.require(Self.path)) == (.prod, "x"), "\(index)")
            #expect(reversed.history(of: "env.filePath").count == 1)
        }
    }

    @Test("An empty table is the section of the longer names")
    func emptyTable() throws {
        let store = try store([TomlPropertyLoader(string: "[env]", name: "a.toml")])
        #expect(try store.require(Self.env) == .dev)
    }

    @Test("A table with other names only is still a mistake")
    func mistake() throws {
        for text in [#"{"env": {"other": "x"}}"#, #"{"env": {"file": {"path": 1}}}"#] {
            let errors = #expect(throws: ConfigurationErrors.self) {
                try store([JsonPropertyLoader(string: text, name: "a.json")])
            }
            #expect(errors?.found.contains { $0.name == "env" && $0.reason == .wrongType } == true)
        }
    }

    @Test(
        "Without a default, the error is that it is missing, and a settings type may have the value or the longer names"
    )
    func required() throws {
        struct App: Settings {
            @Setting var env: Env
            @Setting var tags: [String] = ["a"]
        }
        struct Files: Settings { @Setting var filePath = "" }
        let store = PropertyStore()
        store.declare(App.self)
        store.declare(Files.self, at: "env")
        store.declare(TypedKey<String>("tags.file", default: ""))
        let file = JsonPropertyLoader(string: #"{"env": {"filePath": "x"}, "tags": {"file": "y"}}"#, name: "a.json")
        let errors = #expect(throws: ConfigurationErrors.self) { try store.start([file]) }
        #expect(errors?.lines == "'env' is missing; expected one of \"dev\", \"prod\". Set it in a.json.")
        try store.start([file, CommandLinePropertyLoader(arguments: ["service", "--env=prod"])])
        let app = try store.settings(App.self)
        #expect((app.env, app.tags, try store.settings(Files.self).filePath) == (.prod, ["a"], "x"))
    }

    @Test("A value that is a table itself stays one")
    func table() throws {
        struct Limits: Decodable, Equatable, Sendable { var max: Int }
        let limits = TypedKey<Limits>("limits"), max = TypedKey<Int>("limits.max"), map = TypedKey<[String: Int]>("map")
        let store = PropertyStore()
        for key in [limits] { store.declare(key) }
        store.declare(max)
        store.declare(map)
        store.declare(TypedKey<Int>("map.a", default: 0))
        try store.start([
            JsonPropertyLoader(string: #"{"limits": {"max": 3}, "map": {"a": 1, "b": 2}}"#, name: "a.json")
        ])
        #expect(
            (try store.require(limits).max, try store.require(max), try store.require(map)) == (3, 3, ["a": 1, "b": 2]))
        let errors = #expect(throws: ConfigurationErrors.self) {
            try store.apply(JsonPropertyLoader(string: #"{"map": {"b": "x", "a": 1}}"#, name: "b.json"))
        }
        #expect(errors?.found.map(\.name) == ["map.b"])
    }
}

extension PropertySnapshot {
    /// The line of a declared name among the values in force.
    fileprivate func state(of name: String) -> String? {
        values.first { $0.name == name }?.description
    }
}

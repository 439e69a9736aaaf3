import Foundation
import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("The advice about a missing setting")
struct MissingSettingTests {
    private static func sources(_ scratch: Scratch) throws -> [any PropertyLoader] {
        let folder = scratch.file("secrets")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let root = scratch.url.appending(path: "", directoryHint: .isDirectory)
        return [
            StructPropertyLoader(["a": 1]), TomlPropertyLoader(string: "a = 1", name: "config.toml"),
            DirectoryPropertyLoader(url: URL(filePath: "secrets", relativeTo: root)),
            EnvironmentPropertyLoader(prefix: "APP", environment: [:]),
            CommandLinePropertyLoader(arguments: [], passthrough: ["help"]),
        ]
    }

    private static func message(_ name: String, isDeclared: Bool) throws -> String? {
        let scratch = try Scratch()
        let store = PropertyStore()
        let key = TypedKey<String>(name)
        try store.apply(sources(scratch))
        if isDeclared { store.declare(key) }
        return #expect(throws: PropertyError.self) { try store.require(key) }?.description
    }

    static let declared: [(name: String, ways: String)] = [
        (
            "database.password",
            "in config.toml, in secrets/database.password, as APP_DATABASE_PASSWORD, or by --database-password"
        ),
        ("api.baseURL", "in config.toml, in secrets/api.baseURL, as APP_API_BASE_URL, or by --api-base-url"),
        (
            "rate_limit.per-second",
            "in config.toml, in secrets/rate_limit.per-second, as APP_RATE_LIMIT_PER_SECOND, "
                + "or by --rate-limit-per-second"
        ),
        ("help", "in config.toml, in secrets/help, or as APP_HELP"),
        ("größe", "in config.toml or in secrets/größe"),
    ]

    @Test("It names each source in use, and the spelling of a declared name there", arguments: declared)
    func declaredNames(_ row: (name: String, ways: String)) throws {
        let message = try Self.message(row.name, isDeclared: true)
        #expect(message == "'\(row.name)' is missing; expected a string. Set it \(row.ways).")
    }

    static let undeclared: [(name: String, ways: String)] = [
        (
            "database.password",
            "in config.toml, in secrets/database.password, as APP_DATABASE__PASSWORD, or by --database.password"
        ),
        ("api.baseURL", "in config.toml, in secrets/api.baseURL, or by --api.baseURL"),
        ("a b", "in config.toml or in secrets/a b"),
    ]

    @Test("Another name has no relaxed spelling", arguments: undeclared)
    func otherNames(_ row: (name: String, ways: String)) throws {
        let message = try Self.message(row.name, isDeclared: false)
        #expect(message == "'\(row.name)' is missing; expected a string. Set it \(row.ways).")
    }

    @Test(
        "Each advised spelling sets the setting",
        arguments: ["database.password", "api.baseURL", "x_y.z-a", "URLOfHost"])
    func works(_ name: String) throws {
        for isDeclared in [true, false] {
            let message = try #require(try Self.message(name, isDeclared: isDeclared))
            let words = message.replacing(",", with: "").split(separator: " ").map {
                $0.hasSuffix(".") ? $0.dropLast() : $0
            }
            let scratch = try Scratch()
            for word in words {
                let source: any PropertyLoader
                if word.hasPrefix("APP_") {
                    source = EnvironmentPropertyLoader(prefix: "APP", environment: [String(word): "v"])
                } else if word.hasPrefix("--") {
                    source = CommandLinePropertyLoader(arguments: [String(word), "v"])
                } else if word.hasPrefix("secrets/") {
                    try scratch.write("v", to: String(word))
                    source = DirectoryPropertyLoader(url: scratch.file("secrets"))
                } else {
                    continue
                }
                let store = PropertyStore()
                if isDeclared { store.declare(TypedKey<String>(name)) }
                try store.apply(source)
                #expect(store.property(name) == "v", "\(word)")
            }
        }
    }

    @Test("A secret belongs in a secret source or a variable, or else in a file, and never on the command line")
    func secrets() throws {
        let scratch = try Scratch()
        let all = try Self.sources(scratch)
        let (code, file, folder, variables, arguments) = (all[0], all[1], all[2], all[3], all[4])
        let rows: [([any PropertyLoader], String)] = [
            (all, "in secrets/db.password or as APP_DB_PASSWORD"),
            ([variables, folder, file], "in secrets/db.password or as APP_DB_PASSWORD"),
            ([file, folder], "in secrets/db.password"), ([file, variables, arguments], "as APP_DB_PASSWORD"),
            ([file, arguments], "in config.toml"), ([code, arguments], "in a source"), ([], "in a source"),
        ]
        for (sources, ways) in rows {
            let store = PropertyStore(), key = TypedKey<String>("db.password", isSecret: true)
            store.declare(key)
            try store.apply(sources)
            let error = #expect(throws: PropertyError.self) { try store.require(key) }
            #expect(error?.description == "'db.password' is missing; expected a string. Set it \(ways).")
        }
    }

    @Test("Two declared names with the same letters have their exact spellings")
    func ambiguous() throws {
        let store = PropertyStore()
        store.declare(TypedKey<Int>("pool.size"), TypedKey<Int>("poolSize"))
        try store.apply(EnvironmentPropertyLoader(prefix: "", environment: [:]))
        let error = #expect(throws: PropertyError.self) { try store.require("pool.size", as: Int.self) }
        #expect(error?.description == "'pool.size' is missing; expected an integer. Set it as POOL__SIZE.")
    }

    @Test(
        "A loader of one's own can say how it sets a setting, and is named otherwise; a prefixed one sets what is below"
    )
    func own() throws {
        struct BuildInfoLoader: PropertyLoader {
            func load() -> PropertyLayer { ["build": 1] }
        }
        struct ConsulLoader: PropertyLoader {
            func load() -> PropertyLayer {
                var layer: PropertyLayer = ["x": 1]
                layer.howToSet = { name, _ in "by consul kv put \(name.replacing(".", with: "/"))" }
                return layer
            }
        }
        let store = try PropertyStore(
            sources: BuildInfoLoader(), ConsulLoader(),
            DotEnvPropertyLoader(string: "A=1", name: ".env").prefixed("db"),
            TomlPropertyLoader(string: "a = 1", name: "cache.toml").prefixed("cache"))
        let error = #expect(throws: PropertyError.self) { try store.require("db.port", as: Int.self) }
        #expect(
            error?.description == "'db.port' is missing; expected an integer. Set it in BuildInfoLoader, "
                + "by consul kv put db/port, or as PORT in .env.")
    }
}

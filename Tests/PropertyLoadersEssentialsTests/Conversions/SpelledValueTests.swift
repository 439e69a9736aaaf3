import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

private struct Upstream: Settings {
    @Setting var url: String
    @Setting(in: 0...100) var weight = 1
}

private struct Pool: Settings {
    @Setting(in: 1...9) var maxSize = 1
    @Setting(isSecret: true) var password: String?
    @Setting var hosts: [String] = []
}

private struct Server: Settings {
    @Setting var port = 8080
    @Setting var labels: [String: String] = [:]
    @Setting var limits: [String: Int]?
    @Setting var hosts: [String] = []
    var pool = Pool()
    var pools: [String: Pool] = [:]
    var ups: [Upstream] = []
    var spare: Pool?
}

@Suite("Dictionaries, tables and lists in variables and arguments")
struct SpelledValueTests {
    private func store(_ loaders: any PropertyLoader...) throws -> PropertyStore {
        let store = PropertyStore()
        store.declare(Server.self)
        try store.start(loaders)
        return store
    }

    private func environment(_ name: String, _ text: String) -> EnvironmentPropertyLoader {
        EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_\(name)": text])
    }

    private static let wrong: [(loader: any PropertyLoader, error: String)] = [
        (
            EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_POOLS_MAIN_MAX_SIZE": "1"]),
            "environment APP_POOLS_MAIN_MAX_SIZE: 'pools_main_max_size' is neither declared nor read by a service. "
                + "Set it as APP_POOLS__MAIN__MAX_SIZE: the key of 'pools' is a level of its own."
        ),
        (
            EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_POOLS_MAIN_DB_MAXSIZE": "1"]),
            "environment APP_POOLS_MAIN_DB_MAXSIZE: 'pools_main_db_maxsize' is neither declared nor read by a service. "
                + "Set it as APP_POOLS__MAIN_DB__MAX_SIZE: the key of 'pools' is a level of its own."
        ),
        (
            EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_LABELS_TEAM": "x"]),
            "environment APP_LABELS_TEAM: 'labels_team' is neither declared nor read by a service. "
                + "Set it as APP_LABELS__TEAM: the key of 'labels' is a level of its own."
        ),
        (
            CommandLinePropertyLoader(arguments: ["--pools-main-max-size=1"]),
            "command line --pools-main-max-size: 'pools-main-max-size' is neither declared nor read by a service. "
                + "Set it by --pools.main.max_size: the key of 'pools' is a level of its own."
        ),
        (
            DotEnvPropertyLoader(string: "APP_LABELS_TEAM=x", name: ".env", prefix: "APP"),
            ".env:1:1: 'labels_team' is neither declared nor read by a service. "
                + "Set it as APP_LABELS__TEAM in .env: the key of 'labels' is a level of its own."
        ),
        (
            EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_UPS_0_URL": "x"]),
            "environment APP_UPS_0_URL: 'ups_0_url' is neither declared nor read by a service. "
                + "Set the whole list as APP_UPS, as JSON: [{\"url\": …}]."
        ),
        (
            EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_HOSTS_0": "x"]),
            "environment APP_HOSTS_0: 'hosts_0' is neither declared nor read by a service. "
                + "Set the whole list as APP_HOSTS, with commas or as JSON."
        ),
        (
            EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_UPS__0__URL": "x"]),
            "environment APP_UPS__0__URL: 'ups' is a table of 1 key; expected an array. "
                + "Write the whole list as JSON: APP_UPS=[{\"url\": …}]."
        ),
        (
            CommandLinePropertyLoader(arguments: ["--hosts.0=a"]),
            "command line --hosts.0: 'hosts' is a table of 1 key; expected an array. "
                + "Write --hosts=a,b, or JSON such as [\"a\", \"b\"]."
        ),
        (
            EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_LABELS": "{\"team\": \"x\""]),
            "environment APP_LABELS: 'labels' is the text \"{\\\"team\\\": \\\"x\\\"\"; expected a table "
                + "(character 1: the object that opens here is never closed; expected a `}`). "
                + "Correct the JSON: {\"key\": \"value\"}."
        ),
        (
            EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_POOLS": "{\"main\": {\"maxSize\": 10}}"]),
            "environment APP_POOLS: 'pools.main.maxSize' is the text \"10\"; expected an integer from 1 to 9. "
                + "Change the value."
        ),
        (
            EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_POOL": "{\"maxSiz\": 1}"]),
            "environment APP_POOL: 'pool.maxSiz' is not a key that is read. Did you mean 'pool.maxSize'?"
        ),
        (
            EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_POL_MAX_SIZE": "1"]),
            "environment APP_POL_MAX_SIZE: 'pol_max_size' is neither declared nor read by a service. Did you mean APP_POOL_MAX_SIZE?"
        ),
        (
            CommandLinePropertyLoader(arguments: ["--pol.maxsize=1"]),
            "command line --pol.maxsize: 'pol.maxsize' is neither declared nor read by a service. Did you mean --pool-max-size?"
        ),
        (
            CommandLinePropertyLoader(arguments: ["--set", "hots=1"]),
            "command line --set hots: 'hots' is neither declared nor read by a service. Did you mean --hosts?"
        ),
        (
            DotEnvPropertyLoader(string: "APP_POOL__MAX_SZIE=1", name: ".env", prefix: "APP"),
            ".env:1:1: 'pool.max_szie' is not a key that is read. Did you mean APP_POOL_MAX_SIZE?"
        ),
    ]

    @Test("A name that cannot be right is a mistake with the spelling that works", arguments: wrong.indices)
    func advice(index: Int) throws {
        #expect(Self.wrong.count == 16)
        let errors = #expect(throws: ConfigurationErrors.self) { try store(Self.wrong[index].loader) }
        #expect(errors?.lines == Self.wrong[index].error)
    }

    @Test("The advised spellings work")
    func works() throws {
        let store = try store(
            EnvironmentPropertyLoader(
                prefix: "APP",
                environment: [
                    "APP_POOLS__MAIN__MAX_SIZE": "1", "APP_POOLS__MAIN_DB__MAX_SIZE": "2", "APP_LABELS__TEAM": "x",
                    "APP_UPS": #"[{"url": "u"}]"#,
                ]), CommandLinePropertyLoader(arguments: ["--pools.other.max_size=3", "--hosts=a,b"]))
        let server = try store.settings(Server.self)
        #expect(server.pools.mapValues(\.maxSize) == ["main": 1, "main_db": 2, "other": 3])
        #expect((server.labels, server.hosts, server.ups.map(\.url)) == (["team": "x"], ["a", "b"], ["u"]))
    }

    @Test("Text that begins with a brace is JSON where a dictionary or a settings type is declared")
    func json() throws {
        let store = try store(
            EnvironmentPropertyLoader(
                prefix: "APP",
                environment: [
                    "APP_POOLS": #" {"main": {"maxSize": 2, "hosts": ["a"]}, "x": {"maxSize": "3"}}"#,
                    "APP_LABELS": #"{"team": "x", "n": 5}"#, "APP_LIMITS": #"{"a": 1, "b": null}"#,
                    "APP_POOLS__X__HOSTS": "b", "APP_SPARE": #"{"maxSize": 4}"#,
                ]), CommandLinePropertyLoader(arguments: [#"--pool={"maxSize": 5, "hosts": "c,d"}"#]))
        let server = try store.settings(Server.self)
        #expect(server.pools.mapValues(\.maxSize) == ["main": 2, "x": 3])
        #expect(server.pools.mapValues(\.hosts) == ["main": ["a"], "x": ["b"]])
        #expect((server.labels, server.limits) == (["team": "x", "n": "5"], ["a": 1]))
        #expect((server.spare?.maxSize, server.pool.maxSize, server.pool.hosts) == (4, 5, ["c", "d"]))
        #expect(store.values.json.contains(#""pool.maxSize": {"value": 5, "origin": "command line --pool"}"#))
    }

    @Test("Where neither is declared, such text stays text, and an undeclared dictionary is read from it")
    func undeclared() throws {
        let store = PropertyStore()
        store.declare(TypedKey<String>("text"))
        try store.apply(
            EnvironmentPropertyLoader(
                prefix: "APP", environment: ["APP_TEXT": "{\"a\": 1}", "APP_OTHER": "{\"a\": 1}"]))
        #expect(try store.require("text", as: String.self) == "{\"a\": 1}")
        #expect(try store.require("other", as: [String: Int].self) == ["a": 1])
        #expect(try store.require("other", as: String.self) == "{\"a\": 1}")
    }

    @Test("A Decodable type that is a table is read from such text, like a dictionary")
    func decodable() throws {
        struct Point: Codable, Equatable { var x: Int, names: [String]? }
        struct Shape: Settings { @Setting var center: Point? }
        let text = #"{"x": 1, "names": ["a", "b"]}"#
        for loader in [environment("CENTER", text), environment("CENTER", #"{"x": "1", "names": "a,b"}"#)] {
            let store = PropertyStore()
            store.declare(Shape.self)
            try store.start([loader])
            #expect(try store.settings(Shape.self).center == Point(x: 1, names: ["a", "b"]))
        }
        let plain = PropertyStore()
        try plain.apply(CommandLinePropertyLoader(arguments: ["--center", "5", "--center", text]))
        #expect(try plain.require("center", as: Point.self).x == 1)
        let store = PropertyStore()
        store.declare(Shape.self)
        let found = [
            #"{"x": 1"#:
                "(character 1: the object that opens here is never closed; expected a `}`). "
                + #"Correct the JSON: {"key": "value"}."#,
            "1,2": #"expected a table for Point. Write a JSON object: {"key": "value"}."#,
            #"{"x": "a"}"#: #"'center.x' is the text "a"; expected an integer. Write decimal digits."#,
        ]
        for (text, end) in found {
            let errors = #expect(throws: ConfigurationErrors.self) { try store.start([environment("CENTER", text)]) }
            #expect(errors?.lines.hasPrefix("environment APP_CENTER: 'center") == true)
            #expect(errors?.lines.hasSuffix(end) == true, "\(String(describing: errors?.lines))")
        }
    }

    @Test("A value of another kind has advice that fits both kinds, also if it is masked")
    func kinds() throws {
        struct Part: Settings {
            @Setting var size = 1
            @Setting(isSecret: true) var key: String?
        }
        struct Whole: Settings {
            @Setting var labels: [String: String] = [:]
            @Setting var names: [String] = []
            var part: Part?
            var parts: [Part] = []
        }
        func line(_ loader: any PropertyLoader) -> String? {
            let store = PropertyStore()
            store.declare(Whole.self)
            return #expect(throws: ConfigurationErrors.self) { try store.start([loader]) }?.lines
        }
        let json = "Write a JSON object: {\"key\": \"value\"}."
        #expect(
            line(environment("LABELS", "team=x"))
                == "environment APP_LABELS: 'labels' is the text \"team=x\"; expected a table. \(json)")
        #expect(
            line(environment("PART", "x"))
                == "environment APP_PART: 'part' is a text that is secret; expected a table. \(json)")
        #expect(
            line(environment("PARTS__0__SIZE", "1"))
                == "environment APP_PARTS__0__SIZE: 'parts' is a table that is secret; expected an array. "
                + "Write the whole list as JSON: [{\"key\": \"value\"}].")
        #expect(
            line(TomlPropertyLoader(string: "part = true", name: "c.toml"))
                == "c.toml:1:8: 'part' is a boolean that is secret; expected a table. Write a table in its place.")
        #expect(
            line(TomlPropertyLoader(string: "[[part]]\nsize = 1", name: "c.toml"))
                == "c.toml:1:1: 'part' is an array that is secret; expected a table. Write a table in its place.")
        #expect(
            line(TomlPropertyLoader(string: "[parts]\nsize = 1", name: "c.toml"))
                == "c.toml:1:1: 'parts' is a table that is secret; expected an array of tables. "
                + "Put it into an array: [[…]] in TOML, [{…}] in JSON.")
        #expect(
            line(TomlPropertyLoader(string: "[names]\na = 1", name: "c.toml"))
                == "c.toml:1:1: 'names' is a table of 1 key; expected an array. Write an array in its place.")
    }

    @Test("A secret in such text is masked, also if the text is not valid")
    func secret() throws {
        for text in [#"{"password": "hunter2"}"#, #"{"password": "hunter2""#, #"{"pasword": "hunter2"}"#] {
            let store = PropertyStore()
            store.declare(Server.self)
            store.acceptUncheckedChanges()
            for name in ["POOL", "SPARE"] { try store.apply(environment(name, text)) }
            try store.apply(environment("POOLS", "{\"main\": \(text)}"))
            let errors = Result { try store.verify() }
            let texts = ["\(store.entries)", store.values.json, try store.json() ?? "", "\(errors)"]
            #expect(!texts.joined().contains("hunter"), "\(texts)")
        }
    }

    @Test("A missing setting in a dictionary is advised with its levels")
    func missing() throws {
        struct Inner: Settings { @Setting var baseURL: String }
        struct Outer: Settings { var apis: [String: Inner] = [:] }
        let store = PropertyStore()
        store.declare(Outer.self)
        let errors = #expect(throws: ConfigurationErrors.self) {
            try store.start([
                EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_APIS": "{\"main\": {}}"])
            ])
        }
        #expect(
            errors?.lines
                == "environment APP_APIS: 'apis.main.baseURL' is missing; expected a string. "
                + "Set it as APP_APIS__MAIN__BASE_URL.")
    }
}

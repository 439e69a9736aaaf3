import Properties
import PropertyLoadersEssentials
import Testing

@Suite("Text of a variable or an argument in place of a declared table")
struct TextOfTableTests {
    private struct TLS: Settings { @Setting var port = 1 }
    private struct Inner: Settings { var tls = TLS() }
    private struct Server: Settings {
        var tls = TLS()
        @Setting("With a summary") var mail = TLS()
        var opt: TLS?
        @Setting var list: [TLS] = []
        @Setting var pools: [String: TLS] = [:]
        @Setting var labels: [String: String] = [:]
        var deep: Inner?
    }

    /// What a source does with the text of a variable or an argument.
    private enum Outcome: Equatable { case ignored, loaded, refused }

    /// The sources whose names have no prefix, and the others.
    private static func sources(_ name: String, _ text: String) -> (
        shared: [any PropertyLoader], own: [any PropertyLoader]
    ) {
        let variable = "SERVER_" + name.uppercased().split(separator: ".").joined(separator: "_")
        let line = "\(variable)='\(text)'\n"
        return (
            [
                EnvironmentPropertyLoader(prefix: "", environment: [variable: text]),
                DotEnvPropertyLoader(string: line, name: ".env"),
            ],
            [
                EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_\(variable)": text]),
                DotEnvPropertyLoader(string: "APP_\(line)", name: ".env", prefix: "APP"),
                CommandLinePropertyLoader(arguments: ["service", "--server.\(name)=\(text)"]),
            ]
        )
    }

    private func outcome(_ source: any PropertyLoader) -> Outcome {
        let store = PropertyStore()
        store.declare(Server.self, at: "server")
        do throws(ConfigurationErrors) { try store.start([source], unknownKeys: .refused) } catch { return .refused }
        return store.entries.isEmpty ? .ignored : .loaded
    }

    @Test(
        "The same rule holds for a table with and without a summary, for optional ones, arrays and dictionaries",
        arguments: ["tls", "mail", "opt", "list", "pools", "labels", "deep", "deep.tls", "pools.a"])
    func oneRule(name: String) {
        let good =
            switch name {
            case "list": #"[{"port": 2}]"#
            case "pools": #"{"a": {"port": 2}}"#
            case "labels": #"{"a": "b"}"#
            case "deep": #"{"tls": {"port": 2}}"#
            default: #" {"port": 2}"#
            }
        let texts: [(text: String, shared: Outcome, own: Outcome)] = [
            (good, .loaded, .loaded), ("x", .ignored, .refused), ("tcp://10.0.0.1:80", .ignored, .refused),
            ("{", .refused, .refused), (#"{"port": "#, .refused, .refused),
            ("[{", name == "list" ? .refused : .ignored, .refused), ("a, b", .ignored, .refused),
        ]
        for (text, shared, own) in texts {
            // The key of a dictionary is a level of its own.
            if name == "pools.a" { continue }
            let sources = Self.sources(name, text)
            #expect(sources.shared.map(outcome) == sources.shared.map { _ in shared }, "\(name) = \(text)")
            #expect(sources.own.map(outcome) == sources.own.map { _ in own }, "\(name) = \(text)")
        }
    }

    @Test("A table that a settings type is declared at, and a table around it, are no exception")
    func outermost() throws {
        for (variable, text) in [("HTTP_SERVER", #"{"port": 2}"#), ("HTTP", #"{"server": {"port": 2}}"#)] {
            let store = PropertyStore()
            store.declare(TLS.self, at: "http.server")
            for other in ["x", "[1]", ""] {
                let shared = EnvironmentPropertyLoader(prefix: "", environment: [variable: other])
                try store.start([shared])
                let own = EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_\(variable)": other])
                #expect(throws: ConfigurationErrors.self) { try store.start([own]) }
            }
            #expect(store.entries.isEmpty)
            try store.start([EnvironmentPropertyLoader(prefix: "", environment: [variable: text])])
            #expect(try store.settings(TLS.self).port == 2)
        }
    }

    @Test("Empty text is no optional table, and no element of a list")
    func empty() {
        for (name, shared, own) in [
            ("tls", Outcome.ignored, Outcome.refused), ("mail", .ignored, .refused), ("opt", .loaded, .loaded),
            ("list", .loaded, .loaded), ("labels", .loaded, .loaded), ("deep.tls", .ignored, .refused),
        ] {
            let sources = Self.sources(name, "")
            #expect(sources.shared.map(outcome) == sources.shared.map { _ in shared }, "\(name)")
            #expect(sources.own.map(outcome) == sources.own.map { _ in own }, "\(name)")
        }
    }

    @Test("A value with the same letters comes before a declared table")
    func sameLetters() throws {
        struct Level: Settings { @Setting var name = "a" }
        let store = PropertyStore()
        store.declare(Level.self, at: "log.level")
        store.declare(TypedKey<String>("logLevel", default: "info"))
        try store.start([EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_LOG_LEVEL": "debug"])])
        #expect(store.listing == [#"logLevel="debug""#])
    }

    // MARK: - Empty dictionaries

    private func labels(
        _ source: any PropertyLoader, over file: String?, default labels: [String: String] = [:]
    ) throws -> [String: String] {
        let store = PropertyStore(), key = TypedKey<[String: String]>("labels", default: labels)
        store.declare(key)
        let files = file.map { [JsonPropertyLoader(string: $0, name: "a.json").merge(.deep)] } ?? []
        try store.start(files + [source])
        return try store.require(key)
    }

    private static func emptying(_ text: String) -> [any PropertyLoader] {
        [
            EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_LABELS": text]),
            EnvironmentPropertyLoader(prefix: "", environment: ["LABELS": text]),
            DotEnvPropertyLoader(string: "LABELS='\(text)'", name: ".env"),
            CommandLinePropertyLoader(arguments: ["service", "--labels=\(text)"]),
        ]
    }

    @Test("A dictionary without entries in other sources can be emptied, in place of a default", arguments: ["", "{}"])
    func emptied(text: String) throws {
        for source in Self.emptying(text) {
            for file in [nil, "{}", #"{"labels": {}}"#, #"{"labels": {"a": null}}"#, #"{"labels": null}"#] {
                #expect(try labels(source, over: file, default: ["x": "y"]) == [:], "\(text), \(file ?? "no file")")
            }
        }
    }

    @Test("Entries of an earlier source are not removed, and the error says how", arguments: ["", "{}", " { } "])
    func notEmptied(text: String) throws {
        for source in Self.emptying(text) {
            let errors = #expect(throws: ConfigurationErrors.self) {
                _ = try labels(source, over: #"{"labels": {"a": "b"}}"#)
            }
            let problem =
                "'labels' is a table of 0 keys; expected entries, since those of earlier sources stay; "
                + "{\"key\": null} removes one (it overrides {1 key} at a.json:1:12)."
            #expect(errors?.lines.contains(problem) == true, "\(errors?.lines ?? "")")
        }
        for source in Self.emptying(#"{"a": null}"#) {
            #expect(try labels(source, over: #"{"labels": {"a": "b"}}"#) == [:])
        }
    }

    @Test("It says so for a dictionary of settings, inside other tables, too, and not for later entries")
    func innerDictionaries() throws {
        let store = PropertyStore()
        store.declare(Server.self, at: "server")
        let file = JsonPropertyLoader(string: #"{"server": {"pools": {"a": {"port": 3}}}}"#, name: "a.json").merge(
            .deep)
        let empty = EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_SERVER_POOLS": "{}"])
        let errors = #expect(throws: ConfigurationErrors.self) { try store.start([file, empty]) }
        #expect(errors?.found.map(\.name) == ["server.pools"])
        let table = EnvironmentPropertyLoader(prefix: "B", environment: ["B_SERVER": #"{"pools": {}}"#])
        #expect(throws: ConfigurationErrors.self) { try store.start([file, table]) }
        try store.start([empty, CommandLinePropertyLoader(arguments: ["service", "--server.pools.b.port=4"])])
        #expect(try store.settings(Server.self).pools.mapValues(\.port) == ["b": 4])
        let null = EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_SERVER_POOLS": #"{"a": null}"#])
        try store.start([file, null])
        #expect(try store.settings(Server.self).pools.mapValues(\.port) == ["b": 4])
    }

    @Test("An empty dictionary beside its own entries in one source is an error")
    func emptyBesideEntries() {
        func variables(_ text: String, prefix: String = "") -> [String: String] {
            ["\(prefix)SERVER_LABELS": text, "\(prefix)SERVER_LABELS__TEAM": "x"]
        }
        func sources(_ text: String) -> [any PropertyLoader] {
            let lines = variables(text).map { "\($0)='\($1)'\n" }.sorted()
            return [
                EnvironmentPropertyLoader(prefix: "APP", environment: variables(text, prefix: "APP_")),
                EnvironmentPropertyLoader(prefix: "", environment: variables(text)),
                DotEnvPropertyLoader(string: lines.joined(), name: ".env"),
                DotEnvPropertyLoader(string: lines.reversed().joined(), name: ".env"),
                CommandLinePropertyLoader(arguments: ["--server.labels.team=x", "--server.labels=\(text)"]),
            ]
        }
        for (text, isRefused) in [("{}", true), (" { } ", true), ("", true), (#"{"a": "b"}"#, false)] {
            for source in sources(text) {
                let store = PropertyStore()
                store.declare(Server.self, at: "server")
                do throws(ConfigurationErrors) {
                    try store.start([source])
                    #expect(!isRefused, "\(source) \(text)")
                } catch {
                    let expected = "'server.labels' is empty here, and has entries in the same source (an entry is "
                    #expect(isRefused && error.description.contains(expected), "\(error)")
                }
            }
        }
    }

    @Test("So is one beside a value, whose name it begins with")
    func emptyBesideEntriesAndValue() {
        func sources(_ empty: String, entry: String) -> [any PropertyLoader] {
            let variables = ["DB": "x", "DB_POOLS": empty, "DB_POOLS__\(entry)": "1"]
            let prefixed = Dictionary(uniqueKeysWithValues: variables.map { ("APP_\($0)", $1) })
            let lines = variables.map { "\($0)='\($1)'\n" }.sorted()
            return [
                EnvironmentPropertyLoader(prefix: "APP", environment: prefixed),
                EnvironmentPropertyLoader(prefix: "", environment: variables),
                DotEnvPropertyLoader(string: lines.joined(), name: ".env"),
                DotEnvPropertyLoader(string: lines.reversed().joined(), name: ".env"),
                CommandLinePropertyLoader(arguments: ["--db=x", "--db.pools=\(empty)", "--db.pools.\(entry)=1"]),
            ]
        }
        func start(_ source: any PropertyLoader) throws -> [String: Int] {
            let store = PropertyStore(), pools = TypedKey<[String: Int]>("db.pools", default: [:])
            store.declare(TypedKey<String>("db"))
            store.declare(pools)
            try store.start([source], unknownKeys: .refused)
            return try store.require(pools)
        }
        let expected = "'db.pools' is empty here, and has entries in the same source (an entry is "
        for source in ["", "{}"].flatMap({ sources($0, entry: "a") + sources($0, entry: "a.b") }) {
            let error = #expect(throws: ConfigurationErrors.self) { _ = try start(source) }
            #expect(error?.description.contains(expected) == true, "\(source) \(error?.description ?? "")")
        }
        // Without entries, it is empty.
        let empty = EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_DB": "x", "APP_DB_POOLS": ""])
        #expect(throws: Never.self) {
            let pools = try start(empty)
            #expect(pools == [:])
        }
    }
}

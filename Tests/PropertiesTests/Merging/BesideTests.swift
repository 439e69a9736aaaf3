import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("A name that is a value and the beginning of another")
struct BesideTests {
    private func json(_ text: String, _ name: String = "a.json", merge: MergeRule = .deep) -> any PropertyLoader {
        JsonPropertyLoader(string: text, name: name).merge(merge)
    }

    private static let sources: [any PropertyLoader] = [
        JsonPropertyLoader(string: #"{"log": 1, "log.x.y": 2}"#, name: "a"),
        JsonPropertyLoader(string: #"{"log.x.y": 2, "log": 1}"#, name: "a"),
        TomlPropertyLoader(string: "\"log\" = 1\n\"log.x.y\" = 2", name: "a"),
        DotEnvPropertyLoader(string: "LOG=1\nLOG__X__Y=2", name: "a"),
        DotEnvPropertyLoader(string: "LOG__X__Y=2\nLOG=1", name: "a"),
        EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_LOG": "1", "APP_LOG__X__Y": "2"]),
        CommandLinePropertyLoader(arguments: ["--log.x.y=2", "--log=1"]),
        StructPropertyLoader(["log": 1, "log.x.y": 2], name: "a"), Literal("a", ["log.x.y": 2, "log": 1]),
    ]

    @Test("Both are read by their names, in every source and order", arguments: sources.indices)
    func everySource(index: Int) throws {
        let store = try PropertyStore(sources: Self.sources[index])
        #expect((store.property("log"), store.property("log.x.y")) == (1, 2))
        #expect(store.property("log.x") == Int?.none)
        #expect(store.entries.map(\.name) == ["log", "log.x.y"])
        #expect(Self.sources.count == 9)
    }

    @Test("Real entitlements and levels of a log")
    func real() throws {
        let store = try PropertyStore(
            sources: json(#"{"com.apple.developer.healthkit": true, "com.apple.developer.healthkit.access": []}"#),
            json(#"{"logging.level.de.x": 1, "logging.level.de.x.Sub": 2}"#, "b.json"))
        #expect(store.property("com.apple.developer.healthkit") == true)
        #expect(store.property("com.apple.developer.healthkit.access") == [String]())
        #expect((store.property("logging.level.de.x"), store.property("logging.level.de.x.Sub")) == (1, 2))
    }

    struct Row: Sendable {
        let sources: [String]
        let listing: [String]
    }

    private static let rows = [
        // A later source replaces the inner name, and the outer one stays, and the other way round.
        Row(sources: [#"{"a": 1, "a.b": 2}"#, #"{"a.b": 3}"#], listing: ["a=1", "a.b=3"]),
        Row(sources: [#"{"a": 1, "a.b": 2}"#, #"{"a": 3}"#], listing: ["a=3", "a.b=2"]),
        Row(sources: [#"{"a": 1, "a.b": 2}"#, #"{"a": 3, "a.b": 4}"#], listing: ["a=3", "a.b=4"]),
        // A table that a source writes replaces the value, and has what was beside it.
        Row(sources: [#"{"a": 1, "a.b": 2}"#, #"{"a": {"b": 3}}"#], listing: ["a.b=3"]),
        Row(sources: [#"{"a": 1, "a.b": 2}"#, #"{"a": {"c": 3}}"#], listing: ["a.b=2", "a.c=3"]),
        Row(sources: [#"{"a": {"b": 1, "c": 2}}"#, #"{"a": 3, "a.b": 4}"#], listing: ["a=3", "a.b=4"]),
        Row(sources: [#"{"a": {"b": 1}}"#, #"{"a": 3}"#], listing: ["a=3"]),
        // Inside each other, and with a table.
        Row(
            sources: [#"{"a.b.c": 3, "a.b": 2, "a": 1}"#, #"{"a.b.c": 4}"#], listing: ["a=1", "a.b=2", "a.b.c=4"]),
        Row(sources: [#"{"a": 1, "a.b": {"c": 2}}"#, #"{"a.b.d": 3}"#], listing: ["a=1", "a.b.c=2", "a.b.d=3"]),
        Row(sources: [#"{"a": 1, "a.b": {"c": 2}}"#, #"{"a": 5, "a.b.c": 3}"#], listing: ["a=5", "a.b.c=3"]),
        Row(sources: [#"{"a": {"b": 1}, "a.b.c": 2}"#], listing: ["a.b=1", "a.b.c=2"]),
        Row(sources: [#"{"a": null, "a.b": 2}"#, #"{"a.b": null}"#], listing: ["a=null", "a.b=null"]),
    ]

    @Test("In the merge, each is the setting of its name", arguments: rows)
    func merged(row: Row) throws {
        let store = PropertyStore()
        try store.apply(row.sources.enumerated().map { json($1, "\($0).json") })
        #expect(store.listing == row.listing)
        let child = PropertyStore(parent: try PropertyStore(sources: json(row.sources[0])))
        for text in row.sources.dropFirst() { try child.apply(json(text, "child.json")) }
        #expect(child.listing == row.listing)
        #expect(Self.rows.count == 12)
    }

    @Test("A source that replaces values of the first level replaces what is beside a value, if it has a table there")
    func firstLevel() throws {
        let store = try PropertyStore(
            sources: json(#"{"a": 1, "a.b": 2}"#, "a", merge: .firstLevel),
            json(#"{"a": {"c": 3}}"#, "b", merge: .firstLevel))
        #expect(store.listing == ["a.c=3"])
    }

    @Test("Its history is that of its name")
    func history() throws {
        let store = try PropertyStore(
            sources: json(#"{"a": 1, "a.b": 2}"#, "one"), json(#"{"a": {"b": 3}}"#, "two"),
            json(#"{"a": 4, "a.b": 5}"#, "three"))
        #expect(
            store.history(of: "a.b").map(\.description) == [
                "a.b = 5 (three:1:17)", "a.b = 3 (two:1:13)", "a.b = 2 (one:1:17)",
            ])
        #expect(store.history(of: "a").map(\.valueText) == ["4", "{1 key}", "1"])
    }

    private func history(_ name: String, _ sources: any PropertyLoader...) throws -> [String] {
        let store = PropertyStore()
        try store.apply(sources)
        return store.history(of: name).map(\.description)
    }

    @Test("A value that a name below it makes a table is in the history of that table")
    func becomesTable() throws {
        // The source of the variables does not have the name `log.sql.level`.
        let history = try history(
            "log.sql.level", json(#"{"log": "x", "log.sql": {"level": "info"}}"#),
            EnvironmentPropertyLoader(
                prefix: "APP", environment: ["APP_LOG": "y", "APP_LOG__SQL__LEVEL__QUERIES": "debug"]))
        #expect(
            history == [
                "log.sql.level = {1 key} (environment)",
                "log.sql.level = \"info\" (a.json:1:35)",
            ])
    }

    @Test("The history of a removed name begins with the longest name around it that has a new value")
    func removedBeside() throws {
        let history = try history(
            "hosts.db.internal.port", json(#"{"hosts": {"db.internal": {"port": 1}}}"#, "a"),
            json(#"{"hosts": "none", "hosts.db.internal": "off"}"#, "b"))
        #expect(history == ["hosts.db.internal = \"off\" (b:1:40)", "hosts.db.internal.port = 1 (a:1:36)"])
    }

    @Test("A name that no source has has no history, whatever is beside a value")
    func neverThere() throws {
        let history = try history(
            "a.b.x", json(#"{"a": {"b": {"x.y": 1}}}"#),
            CommandLinePropertyLoader(arguments: ["--a.b.x.y.c=1", "--a.b.x.y.c.d=2"]),
            json(#"{"a": 3}"#, "b.json"))
        #expect(history == [])
    }

    @Test("A table that a source writes beside a value stays one when a later source adds to it")
    func table() throws {
        let store = try PropertyStore(
            sources: json(#"{"a": 1, "a.b": {"c": 2}}"#), json(#"{"a.b.d": 3}"#, "b.json"))
        #expect(store.property("a") == 1)
        #expect(store.property("a.b") == ["c": 2, "d": 3])
    }

    @Test("The same name twice is an error that shows both")
    func twice() {
        let error = loadError { try PropertyStore(sources: json(#"{"a": {"b": 1}, "a.b": 2}"#)) }
        #expect(
            error?.description
                == "a.json:1:17: 'a.b' is set twice (the other is a.json:1:8). Leave one of them out.")
    }

    @Test("Where the outer name is declared as a table, its value is the mistake that is reported")
    func declaredTable() throws {
        struct Log: Settings { @Setting var level = "info" }
        let store = PropertyStore()
        store.declare(Log.self, at: "log")
        let errors = #expect(throws: ConfigurationErrors.self) {
            try store.start([json(#"{"log": "x", "log.level": "debug"}"#)])
        }
        #expect(errors?.lines == #"a.json:1:9: 'log' is the string "x"; expected a table. Write a table in its place."#)
        let names = PropertyStore()
        names.declare(TypedKey<String>("log.level"))
        let unknown = #expect(throws: ConfigurationErrors.self) {
            try names.start([json(#"{"log": "x", "log.level": "debug"}"#)])
        }
        #expect(
            unknown?.lines.hasPrefix("a.json:1:2: 'log' is neither declared nor read by a service.") == true,
            "\(unknown?.lines ?? "")")
    }

    @Test("Beside a declared value, a name that is not declared is unknown")
    func unknown() throws {
        let store = PropertyStore()
        store.declare(TypedKey<String>("log"))
        let errors = #expect(throws: ConfigurationErrors.self) {
            try store.start([json(#"{"log": "x", "log.level": "debug"}"#)])
        }
        #expect(errors?.found.map(\.name) == ["log.level"])
    }

    @Test("A secret beside a value, and one whose name begins with a secret name, are masked")
    func secret() throws {
        let store = try PropertyStore(sources: json(#"{"a": 1, "a.b": "hunter2", "c": 1, "c.d": "hunter3"}"#))
        store.declareSecret("a.b", "c")
        let json = try store.json() ?? ""
        #expect(!store.entriesText.contains("hunter") && !json.contains("hunter"))
        #expect(store.property("a") == 1)
    }

    @Test("Below a name, both keep their names")
    func below() throws {
        let store = try PropertyStore(
            sources: json(#"{"a": 1, "a.b": 2}"#).prefixed("t"), json(#"{"t": {"a": {"b": 3}}}"#, "b"))
        #expect(store.listing == ["t.a.b=3"])
    }

    @Test("A name that only begins other names of a source under a prefix leaves the value of an earlier source")
    func belowPrefix() throws {
        let store = PropertyStore()
        try store.apply(DotEnvPropertyLoader(string: "A__A=x\nA__A__B=y", name: ".env"))
        try store.apply(Literal("a", ["a.b": "v", "a.b.c": "w"]).prefixed("a"))
        #expect(store.listing == [#"a.a="x""#, #"a.a.b="v""#, #"a.a.b.c="w""#])
    }
}

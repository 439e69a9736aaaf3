import Properties
import Testing

/// Settings. Some are read once, when the service starts.
struct BootSettings: Settings {
    @Setting("Where it listens", in: 1...65535, needsRestart: true) var port = 8080
    @Setting(isSecret: true, needsRestart: true) var key: String?
    @Setting(needsRestart: true) var labels: [String: String] = [:]
    @Setting var timeout = 30
}

@Suite("A setting that needs a restart")
struct PendingRestartTests {
    private let file = ChangingText("config.toml", "server.port = 8123\nserver.timeout = 5")
    private let store = PropertyStore()

    init() throws {
        store.declare(BootSettings.self, at: "server")
        try store.start([file])
    }

    private func reload(_ text: String) throws -> [String] {
        file.set(text)
        return try store.reload().map(\.description)
    }

    @Test("It keeps its value when a reload changes it, with the waiting value at its place, and each reload says so")
    func keeps() throws {
        let line = "server.port stays 8123 until a restart; config.toml:3:15 says 8199"
        let kept = "kept since the start; config.toml:3:15 says 8199"
        #expect(try reload("\nserver.timeout = 6\nserver.port = 8199") == [line])
        let settings = try store.settings(BootSettings.self)
        #expect((settings.port, settings.timeout) == (8123, 6))
        #expect(store.property("server.port") == 8123)
        #expect(
            store.history(of: "server.port").map(\.description) == [
                "server.port = 8123 (\(kept))", "server.port = 8199 (config.toml:3:15)",
            ])
        #expect(store.values.map(\.description).contains("server.port = 8123 (\(kept))"))
        #expect(store.entries.map(\.description).contains("server.port = 8123 (\(kept))"))
        #expect(try store.reload().map(\.description) == [line])
        #expect(store.status.pendingRestart.map(\.description) == [line])
        #expect(try reload("server.port = 8200").count == 1)
    }

    @Test("Nothing is pending when the source has the old value again, whatever its type and place")
    func returns() throws {
        _ = try reload("server.port = 8199")
        #expect(try reload("\nserver.port = 8123") == [])
        #expect(store.entriesText == "server.port = 8123 (config.toml:2:15)")
        #expect(store.status.pendingRestart.isEmpty)
        #expect(try reload("server.port = ~8123") == [])
    }

    @Test("It keeps its default when a source begins to have it, and its value when no source has it any more")
    func defaults() throws {
        #expect(
            try reload("server.timeout = 6") == ["server.port stays 8123 until a restart; the default is 8080"])
        #expect(store.property("server.port") == 8123)
        let other = PropertyStore()
        other.declare(BootSettings.self, at: "server")
        try other.start([])
        try other.apply(Literal(["server.port": 8199]))
        #expect(
            try other.reload().map(\.description)
                == ["server.port stays 8080 until a restart; literal says 8199"])
        #expect(try other.settings(BootSettings.self).port == 8080)
        #expect(
            other.values.map(\.description).contains("server.port = 8080 (kept since the start; literal says 8199)"))
        #expect(
            other.history(of: "server.port").map(\.description).first
                == "server.port = null (kept since the start; literal says 8199)")
    }

    @Test("A key with a dot in a kept dictionary stays whole, is read and explained, whatever the sources say")
    func dottedKeys() throws {
        let other = PropertyStore(), source = Changing("a", ["server.labels": ["db.internal": "x", "web": "y"]])
        other.declare(BootSettings.self, at: "server")
        try other.start([source])
        for values: KeyValuePairs<String, PropertyValue> in [
            ["server.timeout": 6], ["server.labels": ["db.internal": "z"]], ["server.labels": [:]],
        ] {
            source.set(values)
            #expect(try other.reload().map(\.name) == ["server.labels"])
            #expect(try other.settings(BootSettings.self).labels == ["db.internal": "x", "web": "y"])
            #expect(other.property("server.labels.db.internal") == "x")
            #expect(
                other.history(of: "server.labels.db.internal").map(\.description).first
                    == "server.labels.db.internal = \"x\" (kept since the start)")
        }
    }

    @Test("A wrong new value is refused, and a new value before the first start is not kept back")
    func refused() throws {
        file.set("server.port = 0")
        #expect(throws: ConfigurationErrors.self) { try store.reload() }
        #expect(store.property("server.port") == 8123)
        let other = PropertyStore()
        other.declare(BootSettings.self, at: "server")
        try other.apply(Literal("a", ["server.port": 1]))
        try other.set("server.port", to: 2)
        #expect(other.property("server.port") == 2)
        try other.verify()
        // A value that the program sets is in force at once.
        try other.set("server.port", to: 3)
        #expect(other.property("server.port") == 3)
        try other.unset("server.port")
        #expect(other.status.pendingRestart.map(\.next.description) == ["server.port = 1 (a)"])
    }

    @Test("A secret is masked, a table is kept as a whole, and a placeholder finds the old value")
    func kinds() throws {
        let store = PropertyStore()
        store.declare(BootSettings.self, at: "server")
        store.declare(TypedKey<String>("url"))
        store.replacePlaceholders()
        let file = ChangingText(
            "c", "server.key = \"old\"\nserver.labels.a = \"$${x}\"\nserver.port = 1\nurl = \"http://a:${server.port}\""
        )
        try store.start([file])
        file.set("server.key = \"new\"\nserver.labels.b = \"2\"\nserver.port = 2\nurl = \"http://b:${server.port}\"")
        #expect(
            try store.reload().map(\.description) == [
                "server.key stays ******** until a restart; c:1:14 says ********",
                #"server.labels stays {"a": "${x}"} until a restart; c says {"b": "2"}"#,
                "server.port stays 1 until a restart; c:3:15 says 2",
            ])
        let settings = try store.settings(BootSettings.self)
        #expect(settings.labels == ["a": "${x}"])
        #expect(store.property("url") == "http://b:1")
        #expect(!store.status.json.contains("old") && !store.status.json.contains("new"))
    }

    @Test("A child container sees the kept value of its parent, and its own sources override it")
    func children() throws {
        let child = PropertyStore(parent: store)
        try child.apply(Literal(["other": 1]))
        _ = try reload("server.port = 8199")
        #expect(child.property("server.port") == 8123)
        #expect(try child.settings(BootSettings.self).port == 8123)
        try child.apply(Literal(["server.port": 9]))
        #expect(child.property("server.port") == 9)
        #expect(child.status.pendingRestart.map(\.name) == ["server.port"])
    }

    @Test("A child container lists the settings of both, each once, by name")
    func childSettings() throws {
        let child = PropertyStore(parent: store), own = Changing("own", ["a.port": 1])
        child.declare(BootSettings.self, at: "a")
        try child.start([own])
        _ = try reload("server.port = 8199")
        own.set(["a.port": 2])
        #expect(try child.reload().map(\.name) == ["a.port", "server.port"])
    }

    @Test("The advice about a missing property does not name what keeps a value")
    func advice() throws {
        let other = PropertyStore()
        other.declare(BootSettings.self, at: "server")
        try other.start([])
        try other.apply(Literal(["server.port": 8199]))
        let error = #expect(throws: PropertyError.self) { try other.require("name") as String }
        #expect(error?.description == "'name' is missing; expected a string. Set it in literal.")
    }

    @Test("The references say that it needs a restart")
    func references() {
        #expect(store.help().ranges(of: "(needs a restart)").count == 3)
    }

    @Test("The names in a table that is kept are not split at their dots")
    func dots() throws {
        let store = PropertyStore(), file = Changing("a", ["server": ["labels": ["a.b": "1"]]])
        store.declare(BootSettings.self, at: "server")
        try store.start([file])
        file.set(["server": ["labels": ["c.d": "2"]]])
        #expect(try store.reload().count == 1)
        #expect(try store.settings(BootSettings.self).labels == ["a.b": "1"])
        file.set(["server.labels": ["a": nil, "e": "3"]])
        try store.reload()
        #expect(try store.settings(BootSettings.self).labels == ["a.b": "1"])
    }

    @Test("The sources of a start take effect at once, although the store was verified before")
    func start() throws {
        let store = PropertyStore()
        store.declare(BootSettings.self, at: "server")
        try store.verify()
        try store.start([file])
        #expect(store.property("server.port") == 8123)
        file.set("server.port = 1")
        #expect(try store.reload().map(\.name) == ["server.port"])
        #expect(store.property("server.port") == 8123)
        try store.start([])
        #expect(store.property("server.port") == 8123)
    }

    @Test("One in an array of tables keeps the array")
    func arrays() throws {
        struct Listeners: Settings {
            struct Listener: Settings { @Setting(needsRestart: true) var port = 1 }
            var listeners: [Listener] = []
        }
        let store = PropertyStore()
        store.declare(Listeners.self)
        try store.start([])
        try store.apply(Literal(["listeners": [["port": 2]]]))
        #expect(try store.settings(Listeners.self).listeners.isEmpty)
        #expect(store.status.pendingRestart.map(\.name) == ["listeners"])
    }

    @Test("Its change is no change for a reader of changes")
    func changes() async throws {
        let changes = store.changes(under: "server")
        _ = try reload("server.port = 8199\nserver.timeout = 6")
        var iterator = changes.makeAsyncIterator()
        #expect(await iterator.next()?.map(\.name) == ["server.timeout"])
    }
}

@Suite("The status of a store")
struct StoreStatusTests {
    @Test("Counts the states, and has the last refusal until a reload succeeds, and the ages of the sources")
    func status() throws {
        let store = PropertyStore(), file = ChangingText("a.toml", "server.port = 1")
        #expect((store.status.states, store.status.published == nil) == (0, true))
        try store.apply([file, Literal(["x": 1])])
        store.declare(TypedKey<Int>("server.port"))
        let first = store.status
        #expect(first.states == 2)
        #expect(first.sources.map(\.name) == ["a.toml", "literal"])
        file.set("server.port = true")
        let error = #expect(throws: ConfigurationErrors.self) { try store.reload() }
        #expect(store.status.refusal?.description == error?.description)
        #expect(store.status.states == 2)
        #expect((store.status.refusals, store.status.reloaded == nil) == (1, true))
        let since = try #require(store.status.refusedSince)
        #expect(store.status.json.contains("\"refusals\": 1,\n  \"refusing\": 0."))
        #expect(store.status.json.contains("\"refused\": \"a.toml:1:15: 'server.port' is the boolean true;"))
        file.set("server.port = 2\nserver.port = 3")
        #expect(throws: ConfigurationErrors.self) { try store.reload() }
        #expect(store.status.refusal?.problems.first?.error is PropertyLoadError)
        #expect((store.status.refusals, store.status.refusedSince == since) == (2, true))
        file.set("server.port = 2")
        try store.reload()
        let last = store.status
        #expect((last.states, last.refusal == nil) == (3, true))
        #expect((last.refusals, last.refusedSince == nil) == (0, true))
        #expect(try #require(last.reloaded) > since)
        #expect(zip(first.sources, last.sources).allSatisfy { $0.confirmed! < $1.confirmed! })
        #expect(try #require(last.published) > #require(first.published))
    }

    @Test("A refused reload names what other sources have changed, which waits because of it")
    func heldBack() throws {
        let store = PropertyStore(), file = ChangingText("a.toml", "count = 1\nport = 1")
        let secrets = ChangingText("b.toml", "password = \"hunter1\"\nuser = \"a\"")
        store.declare(TypedKey<Int>("port"))
        store.declare(TypedKey<String>("password", isSecret: true))
        try store.apply([file, secrets])
        func refusal() -> String? {
            let error = #expect(throws: ConfigurationErrors.self) { try store.reload() }
            #expect(store.status.refusal?.description == error?.description)
            #expect(error?.description.contains("hunter") == false)
            return error?.description
        }
        let problem = "a.toml:2:8: 'port' is the boolean true; expected an integer. Change the value."
        file.set("count = 2\nport = true")
        #expect(refusal() == problem)
        secrets.set("password = \"hunter2\"\nuser = \"a\"")
        #expect(refusal() == "\(problem)\nUntil a reload succeeds, these changes wait, too: password.")
        #expect(store.status.json.contains("\\nUntil a reload succeeds, these changes wait, too: password.\""))
        // A removed value, and a file that cannot be parsed, or has several problems.
        secrets.set("password = \"hunter2\"")
        #expect(refusal()?.hasSuffix("\nUntil a reload succeeds, these changes wait, too: password and user.") == true)
        file.set("port = 2\nport = 3")
        #expect(refusal()?.hasSuffix("\nUntil a reload succeeds, these changes wait, too: password and user.") == true)
        file.set("port = true")
        secrets.set("password = 5\nuser = \"b\"")
        #expect(refusal()?.split(separator: "\n").count == 3)
        secrets.set("password = \"hunter1\"\nuser = \"a\"")
        #expect(refusal()?.contains("wait") == false)
        file.set("count = 1\nport = 1")
        try store.reload()
        #expect(store.status.refusal == nil)
    }

    @Test("The values in force are one JSON object, with secrets masked")
    func json() throws {
        let store = PropertyStore()
        store.declare(BootSettings.self, at: "server")
        #expect(PropertyStore().values.json == "{}")
        try store.apply(Literal("a", ["server.key": "k", "server.labels": ["x": "1"]]))
        #expect(
            store.values.json == """
                {
                  "server.key": {"value": "********", "origin": "a"},
                  "server.labels": {"value": {"x": "1"}, "origin": "a"},
                  "server.port": {"value": 8080, "origin": "default"},
                  "server.timeout": {"value": 30, "origin": "default"}
                }
                """)
    }
}

import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Settings inside dictionaries, arrays and optional tables are known as those elsewhere")
struct InnerSettingTests {
    struct Limits: Settings { @Setting("The most a second", in: 1...10) var perSecond = 5 }
    struct Carrier: Settings {
        @Setting("Where it is") var url: String
        @Setting("Whether it is used") var enabled = true
        @Setting("Signs in", isSecret: true) var token = "t0ken"
        @Setting("How often") var retries: Int?
        var limits = Limits()
    }
    struct Dispatch: Settings {
        var carriers: [String: Carrier] = [:]
        var mirrors: [Carrier] = []
        var backup: Carrier?
        @Setting("Of every message") var labels: [String: String] = [:]
    }

    private func store(_ text: String) throws -> PropertyStore {
        let store = PropertyStore()
        store.declare(Dispatch.self, at: "dispatch")
        try store.start([TomlPropertyLoader(string: text, name: "c.toml")])
        return store
    }

    private static let text = """
        [dispatch.carriers.acme]
        url = "a"
        retries = 3
        [[dispatch.mirrors]]
        url = "m"
        limits.perSecond = 7
        [dispatch.backup]
        url = "b"
        enabled = false
        [dispatch.labels]
        team = "x"
        """

    @Test("The schema names the variable of a setting in an optional table, and none in an array or a dictionary")
    func variables() {
        struct Own: Settings {
            struct Inner: Settings { @Setting(environment: "OWN_DEPTH") var depth = 1 }
            @Setting(environment: "OWN_URL") var url = "none"
            var inner = Inner()
        }
        struct Outer: Settings {
            var maybe: Own?
            var list: [Own] = []
            var named: [String: Own] = [:]
        }
        let store = PropertyStore()
        store.declare(Outer.self, at: "a")
        let schema = store.jsonSchema()
        for variable in ["OWN_URL", "OWN_DEPTH"] {
            #expect(schema.split(separator: "Also the variable \(variable).").count == 2, "\(schema)")
        }
    }

    @Test("Each has its own value, place, default and rule")
    func explanations() throws {
        let store = try store(Self.text)
        let rows = [
            ("dispatch.carriers.acme.url", #""a" (c.toml:2:7)"#, Optional<String>.none, "a string", true),
            ("dispatch.carriers.acme.enabled", "true (default)", "true", "true or false", false),
            ("dispatch.carriers.acme.token", "******** (default)", nil, "a string", false),
            ("dispatch.carriers.acme.retries", "3 (c.toml:3:11)", nil, "an integer", false),
            ("dispatch.carriers.acme.limits.perSecond", "5 (default)", "5", "an integer from 1 to 10", false),
            ("dispatch.mirrors[0].limits.perSecond", "7 (c.toml:6:20)", "5", "an integer from 1 to 10", false),
            ("dispatch.mirrors[0].enabled", "true (default)", "true", "true or false", false),
            ("dispatch.backup.enabled", "false (c.toml:9:11)", "true", "true or false", false),
            ("dispatch.backup.retries", "null (default)", nil, "an integer", false),
        ]
        for (name, value, fallback, rule, isRequired) in rows {
            let explanation = try store.explain(name)
            #expect(explanation.value?.fullText == value, "\(name)")
            #expect(explanation.defaultText == fallback, "\(name)")
            #expect(explanation.rule == rule, "\(name)")
            #expect(explanation.isRequired == isRequired && explanation.summary != nil, "\(name)")
            #expect(explanation.overridden.isEmpty)
            #expect(!explanation.json.contains("t0ken"))
        }
    }

    @Test("A setting of a table that is not there has no value, and its default and rule")
    func absent() throws {
        let store = try store("")
        for name in ["dispatch.carriers.acme.enabled", "dispatch.mirrors[3].enabled", "dispatch.backup.enabled"] {
            let explanation = try store.explain(name)
            #expect(
                explanation.value == nil && explanation.defaultText == "true" && explanation.rule == "true or false")
        }
        for name in ["dispatch.carriers.acme.enabeld", "dispatch.labels.team", "dispatch.mirrors.enabled"] {
            #expect(throws: PropertyError.self) { try store.explain(name) }
        }
    }

    @Test("A table in a dictionary, an array or an optional is explained with all its settings")
    func tables() throws {
        let store = try store(Self.text)
        for (name, json) in [
            (
                "dispatch.carriers.acme",
                #"{"url": "a", "retries": 3, "enabled": true, "token": "********", "limits": {"perSecond": 5}}"#
            ),
            (
                "dispatch.mirrors[0]",
                #"{"url": "m", "limits": {"perSecond": 7}, "enabled": true, "token": "********", "retries": null}"#
            ),
            (
                "dispatch.carriers",
                #"{"acme": {"url": "a", "retries": 3, "enabled": true, "token": "********", "limits": {"perSecond": 5}}}"#
            ),
        ] {
            #expect(try store.explain(name).value?.json == json)
        }
        #expect(try store.explain("dispatch.carriers.acme").rule == "a table of settings")
        #expect(try store.explain("dispatch.carriers.other").value == nil)
    }

    @Test("values and a dump list each of them, with the defaults")
    func values() throws {
        let store = try store(Self.text)
        let expected = [
            "dispatch.backup.enabled = false (c.toml:9:11)", "dispatch.backup.limits.perSecond = 5 (default)",
            "dispatch.backup.retries = null (default)", "dispatch.backup.token = ******** (default)",
            #"dispatch.backup.url = "b" (c.toml:8:7)"#, "dispatch.carriers.acme.enabled = true (default)",
            "dispatch.carriers.acme.limits.perSecond = 5 (default)",
            "dispatch.carriers.acme.retries = 3 (c.toml:3:11)",
            "dispatch.carriers.acme.token = ******** (default)", #"dispatch.carriers.acme.url = "a" (c.toml:2:7)"#,
            "dispatch.labels = {1 key} (c.toml:10:1)", "dispatch.mirrors[0].enabled = true (default)",
            "dispatch.mirrors[0].limits.perSecond = 7 (c.toml:6:20)",
            "dispatch.mirrors[0].retries = null (default)", "dispatch.mirrors[0].token = ******** (default)",
            #"dispatch.mirrors[0].url = "m" (c.toml:5:7)"#,
        ]
        #expect(store.values.map(\.description) == expected)
        #expect(store.allValues.map(\.description) == expected)
        #expect(
            try self.store("").values.map(\.description) == [
                "dispatch.backup = null (default)", "dispatch.carriers = {} (default)",
                "dispatch.labels = {} (default)",
                "dispatch.mirrors = [] (default)",
            ])
    }

    @Test("A list of tables in a variable has them, too")
    func variable() throws {
        let store = PropertyStore()
        store.declare(Dispatch.self, at: "dispatch")
        let variables = ["APP_DISPATCH_MIRRORS": #"[{"url": "m", "retries": "4"}]"#]
        try store.start([EnvironmentPropertyLoader(prefix: "APP_", environment: variables)])
        #expect(try store.explain("dispatch.mirrors[0].enabled").value?.valueText == "true")
        // The text of the variable may have the secret, so all of it is masked.
        #expect(try store.explain("dispatch.mirrors[0].url").value?.valueText == "********")
    }

    @Test("A change in a dictionary has the default that is in force while its table is there")
    func changes() async throws {
        let store = try store(Self.text)
        var changes = store.changes().makeAsyncIterator()
        try store.apply(TomlPropertyLoader(string: "dispatch.carriers.acme.enabled = false", name: "d.toml"))
        #expect(
            await changes.next()?.map(\.description) == [
                "dispatch.carriers.acme.enabled: true (default) → false (d.toml:1:34)"
            ])
        try store.set("dispatch.backup", to: nil)
        #expect(
            await changes.next()?.map(\.description).last?.hasPrefix(#"dispatch.backup.url: "b" (c.toml:8:7) → none"#)
                == true)
    }

    struct Replica: Settings {
        @Setting("Where it listens", environment: "REPLICA_PORT") var port = 1
    }
    struct Cluster: Settings {
        var node: Replica?
        var nodes: [Replica] = []
        var nodesByName: [String: Replica] = [:]
    }

    @Test("The value of a setting is found where the name of another table is the beginning of its name")
    func similarNames() throws {
        let store = PropertyStore()
        store.declare(Cluster.self)
        try store.start([
            TomlPropertyLoader(string: "nodes = [{ port = 2 }]\nnodesByName.a.port = 3", name: "c.toml")
        ])
        for (name, value) in [("nodes[0].port", "2 (c.toml:1:19)"), ("nodesByName.a.port", "3 (c.toml:2:22)")] {
            #expect(try store.explain(name).value?.fullText == value, "\(name)")
        }
    }

    @Test("The variable of a setting in an optional table is in its explanation")
    func innerVariable() throws {
        let store = PropertyStore()
        store.declare(Cluster.self, environment: ["node.port": "NODE_PORT"])
        try store.start([EnvironmentPropertyLoader(prefix: "APP", environment: ["NODE_PORT": "4"])])
        let explanation = try store.explain("node.port")
        #expect(explanation.value?.fullText == "4 (environment NODE_PORT)")
        #expect(explanation.variable == "NODE_PORT")
        #expect(store.help().contains("Also the variable NODE_PORT."))
        #expect(try store.explain("nodes").variable == nil)
        let file = DotEnvPropertyLoader(string: "NODE_PORT=4711", name: ".env", prefix: "APP")
        try store.apply(file.secret())
        #expect(store.property("node.port") == 4711)
        #expect(try store.explain("node.port").value?.fullText == "******** (.env:1:11)")
    }
}

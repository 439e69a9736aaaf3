import Properties
import PropertyLoadersEssentials
import Testing

@Suite("References and messages say what may be written, as it is written")
struct ReferenceTextTests {
    enum Color: String, CaseIterable, CodingKeyRepresentable, Decodable, Sendable { case red, green }
    enum Mode: String, CodingKeyRepresentable, Decodable, CaseInsensitiveValue { case fast, slow }

    struct ByteCount: Equatable, Sendable, PropertyConvertible, Decodable {
        var bytes = 0
        static var propertyTypeName: String { "a size" }
        init(bytes: Int) { self.bytes = bytes }
        init(property node: PropertyNode) throws(PropertyError) { bytes = try Int(property: node) }
    }

    struct Megabytes: Equatable, Sendable, PropertyConvertible, Decodable, CustomStringConvertible {
        var count = 0
        var description: String { "\(count)MB" }
        static var propertyTypeName: String { "a size" }
        init(count: Int) { self.count = count }
        init(property node: PropertyNode) throws(PropertyError) {
            let text = try String(property: node)
            guard text.hasSuffix("MB"), let count = Int(text.dropLast(2)) else {
                throw Self.mismatch(.notParsable, node)
            }
            self.count = count
        }
    }

    struct Own: Settings {
        struct Inner: Settings { @Setting(environment: "OWN_DEPTH") var depth = 1 }
        @Setting(environment: "OWN_URL") var url = "none"
        var inner = Inner()
    }

    struct Pool: Settings {
        @Setting var acquireBlock = true
        @Setting var minVersion = 1
        @Setting var maxVersion = 10
        static let rules: [SettingsRule<Self>] = [
            SettingsRule(\.$minVersion, \.$maxVersion, expected: "minVersion is at most maxVersion") { $0 <= $1 }
        ]
    }

    @Test("--help spells an option as the messages do")
    func options() throws {
        struct Outer: Settings {
            var pool = Pool()
            var maybe: Own?
            var namedPools: [String: Pool] = [:]
            @Setting var labels: [String: String] = [:]
            @Setting var httpPort = 1
            @Setting("", key: "größe") var size = 1
        }
        let store = PropertyStore()
        store.declare(Outer.self, at: "my_app")
        let names = store.help().split(separator: "\n").filter { $0.hasPrefix("  --") }
            .map { $0.dropFirst(2).prefix { $0 != " " } }
        for name in [
            "--my-app-pool-acquire-block", "--my-app-pool-min-version", "--my-app-maybe-url", "--my-app-http-port",
            "--my_app.named_pools.<key>.min_version", "--my_app.labels.<key>", "--my_app.größe",
        ] {
            #expect(names.contains { $0 == name }, "\(name): \(names)")
        }
        // What --help shows can be written.
        try store.start([
            CommandLinePropertyLoader(arguments: [
                "--my-app-pool-min-version=2", "--my_app.named_pools.main.min_version=3", "--my-app-maybe-url=x",
            ])
        ])
        let settings = try store.settings(Outer.self)
        #expect(settings.pool.minVersion == 2 && settings.namedPools["main"]?.minVersion == 3)
        #expect(settings.maybe?.url == "x")
    }

    @Test("--help shows the exact names of two options with the same letters")
    func ambiguous() {
        let store = PropertyStore()
        store.declare(TypedKey<Int>("api.timeout", default: 1), TypedKey<Int>("api_timeout", default: 1))
        #expect(store.help().contains("--api.timeout ") && store.help().contains("--api_timeout "))
    }

    @Test("A rule keeps the letters of the settings' names")
    func rule() {
        let store = PropertyStore()
        store.declare(Pool.self)
        store.declare(TypedKey<String>("phone", expected: "iPhone model"))
        for text in [store.help(columns: 500), store.jsonSchema(), store.template()] {
            #expect(text.contains("Together: minVersion is at most maxVersion."), "\(text)")
            #expect(text.contains("iPhone model.") && !text.contains("MinVersion"))
        }
    }

    @Test("A default is shown as a source can have it, or not at all")
    func defaults() {
        let store = PropertyStore()
        store.declare(TypedKey<ByteCount>("a", default: ByteCount(bytes: 100_000_000)))
        store.declare(TypedKey<Megabytes>("b", default: Megabytes(count: 100)))
        #expect(!store.help().contains("ByteCount(") && !store.template().contains("ByteCount("))
        #expect(store.help().contains("(has a default)"), "\(store.declaredKeys.map(\.defaultValue))")
        #expect(store.help().contains("(default: \"100MB\")"), "\(store.help())")
        #expect(store.template().contains("#b = \"100MB\""))
        #expect(store.jsonSchema().contains("\"default\": \"100MB\"") && !store.jsonSchema().contains("ByteCount("))
    }

    @Test("The template names the variable of a setting in an optional table, and none in an array or a dictionary")
    func template() {
        struct Outer: Settings {
            var maybe: Own?
            var list: [Own] = []
            var named: [String: Own] = [:]
        }
        let store = PropertyStore()
        store.declare(Outer.self, at: "a")
        for variable in ["OWN_URL", "OWN_DEPTH"] {
            #expect(store.template().ranges(of: "Also the variable \(variable).").count == 1, "\(store.template())")
        }
    }

    @Test("The schema of a dictionary has the names of an enum's cases")
    func propertyNames() {
        let store = PropertyStore()
        store.declare(
            TypedKey<[Color: Int]>("a", default: [:]), TypedKey<[Mode: Int]>("b", default: [:]),
            TypedKey<[Color: [Color: Int]]>("c", default: [:]), TypedKey<[String: Int]>("d", default: [:]))
        let schema = store.jsonSchema().filter { !$0.isWhitespace }
        #expect(schema.contains(#""propertyNames":{"enum":["red","green"]}"#), "\(schema)")
        #expect(schema.contains(#""propertyNames":{"type":"string","pattern":"^([Ff]"#), "\(schema)")
        // With a dot, a key of an inner table.
        #expect(
            schema.contains(#""propertyNames":{"anyOf":[{"enum":["red","green"]},{"pattern":"\\."}]}"#), "\(schema)")
        #expect(schema.ranges(of: "propertyNames").count == 4, "\(schema)")
    }

    @Test("A broken rule shows text of a variable as the number that it is read as")
    func brokenRule() throws {
        let store = PropertyStore()
        store.declare(Pool.self, at: "pool")
        let error = #expect(throws: ConfigurationErrors.self) {
            try store.start([EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_POOL_MIN_VERSION": "20"])])
        }
        #expect(
            error?.description == """
                environment APP_POOL_MIN_VERSION: 'pool.minVersion' is 20 and 'pool.maxVersion' is 10 by default; expected \
                that minVersion is at most maxVersion. Change one of them.
                """)
    }

    @Test("An unknown key of a .env has the column of its name")
    func column() throws {
        let store = PropertyStore()
        store.declare(Pool.self, at: "pool")
        for (text, place) in [
            ("APP_POOL_MIN_VERSIO=2", ".env:1:1:"), ("\n  export APP_POOL_MIN_VERSIO = '2'", ".env:2:10:"),
            ("APP_POOL__OTHER__X=2", ".env:1:1:"),
        ] {
            let error = #expect(throws: ConfigurationErrors.self) {
                try store.start([DotEnvPropertyLoader(string: text, name: ".env", prefix: "APP")])
            }
            #expect(error?.description.hasPrefix(place) == true, "\(String(describing: error))")
        }
        let wrong = #expect(throws: ConfigurationErrors.self) {
            try store.start([DotEnvPropertyLoader(string: "APP_POOL_MIN_VERSION=x", name: ".env", prefix: "APP")])
        }
        #expect(wrong?.description.hasPrefix(".env:1:22:") == true, "\(String(describing: wrong))")
    }

    @Test("A wrong text with the letters of a case, or nearly, is answered with the case")
    func cases() throws {
        let store = PropertyStore()
        store.declare(TypedKey<Color>("color"), TypedKey<[Color: Int]>("counts", default: [:]))
        let error = #expect(throws: ConfigurationErrors.self) {
            try store.start([EnvironmentPropertyLoader(prefix: "", environment: ["COLOR": "RED", "COUNTS__RED": "1"])])
        }
        let text = error?.description ?? ""
        #expect(text.contains("Did you mean \"red\"?\n") && !text.contains("?."), "\(text)")
        let single = #expect(throws: ConfigurationErrors.self) {
            try store.start([EnvironmentPropertyLoader(prefix: "", environment: ["COLOR": "rde"])])
        }
        #expect(
            single?.description == """
                environment COLOR: 'color' is the text "rde"; expected one of "red", "green". Did you mean "red"?
                If the variable is another program's, as REDIS_PORT=tcp://… of Kubernetes, load only the variables of this \
                one, by a prefix.
                """)
        let keys = #expect(throws: ConfigurationErrors.self) {
            try store.start([TomlPropertyLoader(string: "color = 'red'\n[counts]\nRED = 1", name: "c.toml")])
        }
        #expect(keys?.description.hasSuffix("Did you mean \"red\"?") == true, "\(String(describing: keys))")
    }

    @Test("A loader returns values of variables in a literal")
    func literals() throws {
        struct Own: PropertyLoader {
            let port: Int, name: String?, hosts: [String], pause: Duration, color: Color
            func load() -> PropertyLayer {
                [
                    "port": PropertyValue(port), "name": PropertyValue(name), "hosts": PropertyValue(hosts),
                    "pause": PropertyValue(pause), "color": PropertyValue(color), "fixed": 5,
                    "table": ["inner": PropertyValue(port)],
                ]
            }
        }
        let store = try PropertyStore(
            sources: Own(port: 80, name: nil, hosts: ["a", "b"], pause: .seconds(3), color: .green))
        #expect(store.property("port") == 80 && store.property("table.inner") == 80)
        #expect(store.property("name") as String? == nil)
        #expect(store.property("hosts") == ["a", "b"])
        #expect(store.property("pause") == Duration.seconds(3))
        #expect(store.property("color") == Color.green)
    }

    @Test("A value that two names of one variable set does not override itself")
    func ownVariable() throws {
        struct Server: Settings { @Setting(environment: "APP_PORT") var port = 1 }
        let store = PropertyStore()
        store.declare(Server.self)
        let sources: [any PropertyLoader] = [
            TomlPropertyLoader(string: "port = 5", name: "c.toml"),
            EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_PORT": "x"]),
        ]
        let error = #expect(throws: ConfigurationErrors.self) { try store.start(sources) }
        #expect(
            error?.description == """
                environment APP_PORT: 'port' is the text "x"; expected an integer (it overrides 5 at c.toml:1:8). \
                Write decimal digits.
                """)
    }

    @Test("The values in force have the case of an enum that may be written in any case")
    func anyCase() throws {
        let mode = TypedKey<Mode>("mode", default: .slow)
        for source: any PropertyLoader in [
            EnvironmentPropertyLoader(prefix: "", environment: ["MODE": "FAST"]),
            TomlPropertyLoader(string: "mode = 'FaSt'", name: "c.toml"),
        ] {
            let store = PropertyStore()
            store.declare(mode)
            try store.apply(source)
            #expect(store.values.map(\.valueText) == ["\"fast\""])
            #expect(store.help().contains("--mode <fast|slow>"), "\(store.help())")
        }
    }

    @Test("A null under a key that is no case is an error, as the schema says")
    func nullUnderWrongKey() throws {
        let counts = TypedKey<[Color: Int]>("counts", default: [:])
        let store = PropertyStore()
        store.declare(counts)
        try store.apply(JsonPropertyLoader(string: #"{"counts": {"red": null}}"#, name: "c.json"))
        #expect(try store.require(counts).isEmpty)
        let error = #expect(throws: ConfigurationErrors.self) {
            try store.apply(JsonPropertyLoader(string: #"{"counts": {"rde": null}}"#, name: "c.json"))
        }
        #expect(
            error?.description
                == #"c.json:1:20: 'counts.rde' is null; expected a key that is one of "red", "green". Did you mean "red"?"#
        )
    }

    /// A document whose plain values are text without a type, as a loader of YAML returns them.
    private struct Document: PropertyLoader {
        let text: String
        func load() -> PropertyLayer {
            let source = PropertySource(name: "c.yaml", identity: "c.yaml", text: SourceText(bytes: Array(text.utf8)))
            var offset = 0
            var entries: [PropertyTable.Entry] = []
            for line in text.split(separator: "\n") {
                let parts = line.split(separator: ": ", maxSplits: 1)
                let place = PropertyOrigin(source: source, place: UInt32(offset + parts[0].utf8.count + 2))
                entries.append(.init(key: "\(parts[0])", node: PropertyNode(.text("\(parts[1])"), origin: place)))
                offset += line.utf8.count + 1
            }
            return PropertyLayer(PropertyTable(entries: entries), source: source)
        }
    }

    @Test(
        "The error of a placeholder in a document names it, but on a line that may show a secret",
        arguments: [
            ("url: http://${host}/", "c.yaml:1:6: '${host}' in 'url' leads to no property. Set the property"),
            ("password: x${host}", "c.yaml:1:11: a placeholder in 'password' leads to no property or text"),
        ])
    func document(text: String, expected: String) {
        let store = PropertyStore()
        store.replacePlaceholders(.properties)
        let error = #expect(throws: (any Error).self) { try store.apply(Document(text: text)) }
        #expect("\(String(describing: error))".contains(expected), "\(String(describing: error))")
    }

    @Test("Text in place of an array of tables has the same advice if a setting in it is secret")
    func arrayOfTables() {
        struct Upstream: Settings {
            @Setting var name = ""
            @Setting(isSecret: true) var token = "x"
        }
        struct Outer: Settings { var upstreams: [Upstream] = [] }
        for text in ["abc", "a,b", #"{"token": "x"}"#, "5"] {
            let store = PropertyStore()
            store.declare(Outer.self)
            let error = #expect(throws: ConfigurationErrors.self) {
                try store.start([EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_UPSTREAMS": text])])
            }
            #expect(error?.description.contains("Write the list as JSON: [{") == true, "\(String(describing: error))")
        }
    }
}

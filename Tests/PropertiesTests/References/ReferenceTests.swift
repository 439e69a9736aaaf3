import Properties
import PropertyLoadersEssentials
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("References of declared keys")
struct ReferenceTests {
    enum Level: String, CaseIterable, Sendable { case debug, info }

    private let store: PropertyStore = {
        let store = PropertyStore()
        store.declare(
            TypedKey<Int>(
                "server.port", default: 8080, in: 1...65535, summary: "The port on which the service listens"),
            TypedKey<String>("db.password", isSecret: true, summary: "The password of the database's user"),
            TypedKey<String>("db.token", default: "hunter2", isSecret: true),
            TypedKey<Level>("log.level", default: .info, summary: "Messages below this level are left out."),
            TypedKey<Bool>("log.json", default: false),
            TypedKey<Duration>("api.timeout", default: .seconds(30), in: .milliseconds(100)..., summary: "a | b"),
            TypedKey<URL>("api.baseURL", default: URL(string: "https://example.com/$x") ?? URL(filePath: "/")),
            TypedKey<[String]>("hosts", default: ["a", "b|c"]),
            TypedKey<Double>("a \"b`|c'", summary: "Odd\nname", expected: "a number in percent"))
        store.declareSecret("tokens")
        return store
    }()

    /// The names of parts of the schema, and their text on one line.
    static let parts: [(name: String, text: String)] = [
        (
            "properties.a \"b`|c'",
            #"""
            {"type": ["number", "null"], "description": "Odd\nname. A number in percent. Required."}
            """#
        ),
        (
            "properties.api.properties.baseURL",
            #"""
            {"type": ["string", "null"], "pattern": "^[A-Za-z0-9._~:/?#@!$&'()*+,;=%\\[\\]-]+$", \#
            "description": "A URL such as \"https://example.com\".", "default": \#
            "https://example.com/$x"}
            """#
        ),
        (
            "properties.api.properties.timeout",
            #"""
            {"type": ["string", "null"], "pattern": \#
            "^-?(([0-9]+(\\.[0-9]+)?(d|h|m|s|ms|us|µs|μs|ns))+|P([0-9]+(\\.[0-9]+)?[WD])*(T([0-9]+(\\.[0-9]+)?[HMS])+)?)$", \#
            "description": "a | b. A duration of at least 100ms.", "default": "30s"}
            """#
        ),
        (
            "properties.db.properties.password",
            #"""
            {"type": ["string", "null"], "description": "The password of the database's user. Required. \#
            Secret.", "x-secret": true}
            """#
        ),
        (
            "properties.db.properties.token",
            #"""
            {"type": ["string", "null"], "description": "A string. Secret.", "x-secret": true}
            """#
        ),
        (
            "properties.hosts",
            #"""
            {"type": ["array", "null"], "items": {"type": "string"}, "description": "An array.", "default": \#
            ["a", "b|c"]}
            """#
        ),
        (
            "properties.log.properties.json",
            #"""
            {"type": ["boolean", "null"], "description": "True or false.", "default": false}
            """#
        ),
        (
            "properties.log.properties.level",
            #"""
            {"enum": ["debug", "info", null], "description": "Messages below this level are left out. One of \#
            \"debug\", \"info\".", "default": "info"}
            """#
        ),
        (
            "properties.server.properties.port",
            #"""
            {"type": ["integer", "null"], "minimum": 1, "maximum": 65535, "description": "The port \#
            on which the service listens. An integer from 1 to 65535.", "default": 8080}
            """#
        ),
        (
            "properties.tokens",
            #"""
            {"description": "A value. Secret.", "x-secret": true}
            """#
        ),
    ]

    @Test("The JSON Schema of a key", arguments: parts)
    func schema(part: (name: String, text: String)) throws {
        let text = store.jsonSchema(refusesUnknownKeys: true)
        let schema = PropertyStore()
        try schema.apply(JsonPropertyLoader(string: text, name: "schema.json"))
        #expect(JsonText.text(try schema.require(part.name, as: PropertyNode.self)) == part.text)
        #expect(Self.parts.count == 10)
    }

    @Test("A JSON Schema is one object per table, which refuses unknown keys")
    func tables() throws {
        let store = PropertyStore(), schema = PropertyStore()
        store.declare(TypedKey<Bool>("log.json", default: false))
        let text = store.jsonSchema(refusesUnknownKeys: true)
        #expect(text.hasPrefix("{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"))
        try schema.apply(JsonPropertyLoader(string: text, name: "schema.json"))
        #expect(
            JsonText.text(PropertyNode(.table(schema.root))) == #"""
                {"type": "object", "properties": {"log": {"type": ["object", "null"], "properties": {"json": {"type": \#
                ["boolean", "null"], "description": "True or false.", "default": false}}, "additionalProperties": \#
                false}}, "patternProperties": {"\\.|^\\$schema$": {}}, "additionalProperties": false}
                """#)
    }

    @Test("A help text")
    func help() {
        #expect(
            store.help(columns: 72) == #"""
                  --a "b`|c' <number>     Odd name. A number in percent. (required)
                  --api-base-url <URL>    A URL such as "https://example.com". (default:
                                          "https://example.com/$x")
                  --api-timeout <duration>
                                          a | b. A duration of at least 100ms. (default:
                                          "30s")
                  --db-password <string>  The password of the database's user.
                                          (required, secret)
                  --db-token <string>     A string. (secret)
                  --hosts <string,...>    An array. (default: ["a", "b|c"], with commas
                                          or as JSON)
                  --log-json              True or false. (default: false)
                  --log-level <debug|info>
                                          Messages below this level are left out. One of
                                          "debug", "info". (default: "info")
                  --server-port <integer>
                                          The port on which the service listens. An
                                          integer from 1 to 65535. (default: 8080)
                  --tokens <value>        A value. (secret)

                """#)
    }

    @Test("The help text of an optional enum has its cases only")
    func optional() {
        let store = PropertyStore()
        store.declare(TypedKey<Level?>("level"))
        #expect(store.help().hasPrefix("  --level <debug|info> "))
    }

    /// An enum whose cases the compiler does not list.
    enum Mode: String, Sendable { case fast, safe }

    @Test("An optional flag takes no value, and an enum without a list of its cases can name them in its noun")
    func flagsAndCases() {
        let store = PropertyStore()
        store.declare(
            TypedKey<Bool?>("dry", default: nil),
            TypedKey<Mode>("mode", default: .fast, expected: "one of \"fast\", \"safe\""),
            TypedKey<[Mode]>("modes", default: []), TypedKey<Set<Level>>("levels", default: [.info]))
        #expect(
            store.help() == """
                  --dry                   True or false.
                  --levels <debug|info,...>
                                          An array. (default: ["info"], with commas or as JSON)
                  --mode <string>         One of "fast", "safe". (default: "fast")
                  --modes <string,...>    An array. (default: [], with commas or as JSON)

                """)
    }

    @Test("Without declared keys, a reference is empty, and a schema accepts everything")
    func empty() {
        let store = PropertyStore()
        #expect(store.help().isEmpty)
        #expect(store.jsonSchema().contains("\"properties\": {}\n"))
    }

    @Test("The schema of an optional setting accepts null once")
    func optionalSetting() throws {
        struct Pool: Settings { @Setting(in: 1...9) var limit: Int? }
        let store = PropertyStore()
        store.declare(Pool.self, at: "pool")
        let text = store.jsonSchema()
        // One for the table, and one for its setting.
        #expect(text.split(separator: "\"null\"").count - 1 == 2, "\(text)")
    }
}

import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Durations in a known unit")
struct DurationUnitTests {
    struct Client: Settings {
        @Setting("How long a request may take", in: .milliseconds(10)...(.seconds(60)), unit: .milliseconds)
        var timeout = Duration.seconds(30)
        @Setting("The pause between two tries", unit: .seconds) var pause = Duration.seconds(1)
        @Setting("How long a connection may idle", unit: .minutes) var idle: Duration?
        @Setting("How long an answer is kept", in: .zero..., unit: .days) var keep: Duration?
        @Setting("The drain time", unit: .seconds, expected: "a drain time") var drain: Duration = .zero
    }

    private static func store(_ loaders: [any PropertyLoader]) throws -> PropertyStore {
        let store = PropertyStore()
        store.declare(Client.self, at: "client")
        try store.start(loaders)
        return store
    }

    private static func problem(_ loaders: [any PropertyLoader]) -> String? {
        do {
            _ = try store(loaders)
            return nil
        } catch {
            return "\(error)"
        }
    }

    private static func toml(_ text: String) -> TomlPropertyLoader {
        TomlPropertyLoader(string: "[client]\n\(text)", name: "c.toml")
    }

    private static func variables(_ variables: [String: String]) -> EnvironmentPropertyLoader {
        EnvironmentPropertyLoader(prefix: "APP", environment: variables)
    }

    @Test(
        "A bare whole number has the unit of the setting, and text with a unit means what it says",
        arguments: [
            ("timeout = 500", .milliseconds(500)), ("timeout = 500.0", .milliseconds(500)),
            ("timeout = 0x1F4", .milliseconds(500)), ("timeout = \"2s\"", .seconds(2)),
            ("timeout = \"PT1M\"", .seconds(60)),
            ("timeout = \"1.5s\"", .milliseconds(1500)),
        ] as [(String, Duration)])
    func file(text: String, timeout: Duration) throws {
        #expect(try Self.store([Self.toml(text)]).settings(Client.self).timeout == timeout)
    }

    @Test("Text of a variable or an argument may be a bare number, also for an optional and without limits")
    func untyped() throws {
        let store = try Self.store([
            Self.toml("timeout = \"2s\"\nkeep = 1"),
            Self.variables(["APP_CLIENT_TIMEOUT": "500", "APP_CLIENT_PAUSE": "-2", "APP_CLIENT_DRAIN": "5m"]),
            CommandLinePropertyLoader(arguments: ["--client-idle=+3", "--client-idle", "4"]),
        ])
        let client = try store.settings(Client.self)
        #expect(client.timeout == .milliseconds(500) && client.pause == .seconds(-2))
        #expect(client.idle == .seconds(240) && client.keep == .seconds(86_400) && client.drain == .seconds(300))
    }

    @Test(
        "An error says the unit",
        arguments: [
            (
                "timeout = \"500\"",
                """
                c.toml:2:11: 'client.timeout' is the string "500"; expected a duration from 10ms to 1m, in whole milliseconds or \
                with a unit. Add the unit: "500s" for seconds, "500ms" for milliseconds.
                """
            ),
            (
                "timeout = 5",
                """
                c.toml:2:11: 'client.timeout' is the integer 5; expected a duration from 10ms to 1m, in whole milliseconds or \
                with a unit. Change the value.
                """
            ),
            (
                "pause = 1.5",
                """
                c.toml:2:9: 'client.pause' is the number 1.5; expected a duration, in whole seconds or with a unit. Add the unit: \
                "1.5s" for seconds, "1.5ms" for milliseconds.
                """
            ),
            (
                "pause = true",
                """
                c.toml:2:9: 'client.pause' is the boolean true; expected a duration, in whole seconds or with a unit. Write numbers \
                with units: d, h, m, s, ms, us or ns.
                """
            ),
            (
                "drain = \"soon\"",
                """
                c.toml:2:9: 'client.drain' is the string "soon"; expected a drain time, in whole seconds or with a unit. Write \
                numbers with units: d, h, m, s, ms, us or ns.
                """
            ),
        ])
    func errors(text: String, message: String) {
        #expect(Self.problem([Self.toml(text)]) == message)
    }

    @Test("A number that is too large for a duration is an error, and no trap")
    func tooLarge() {
        for number in ["9223372036854775807", "170141183460469231731687303715884105727"] {
            let problem = Self.problem([Self.variables(["APP_CLIENT_IDLE": number])])
            #expect(problem?.contains("'client.idle' is the text") == true, "\(problem ?? "none")")
        }
    }

    @Test("The same duration in another spelling is no change")
    func spelling() throws {
        let store = try Self.store([Self.toml("pause = 2")])
        let restart = TomlPropertyLoader(string: "[client]\npause = \"2s\"", name: "c.toml")
        try store.apply(restart)
        #expect(try store.settings(Client.self).pause == .seconds(2))
    }

    @Test("Help, the schema, the template and explanations say the unit")
    func references() throws {
        let store = try Self.store([])
        #expect(
            store.help(columns: 200).contains(
                "How long a request may take. A duration from 10ms to 1m, in whole milliseconds or with a unit. (default: \"30s\")"
            ))
        #expect(store.help(columns: 200).contains("--client-idle <duration>"))
        #expect(
            store.template().contains(
                "# The pause between two tries. A duration, in whole seconds or with a unit.\n#pause = \"1s\""))
        #expect(try store.explain("client.drain").rule == "a drain time, in whole seconds or with a unit")
        let schema = PropertyStore()
        try schema.apply(JsonPropertyLoader(string: store.jsonSchema(), name: "schema"))
        let property = "properties.client.properties"
        #expect(schema.property("\(property).timeout.type") == ["string", "integer", "null"])
        #expect(schema.property("\(property).idle.type") == ["string", "integer", "null"])
    }

    @Test("Without a unit, a bare number is refused, also for a value that is set in the program")
    func otherDurations() throws {
        struct Plain: Settings { @Setting var pause = Duration.seconds(1) }
        let store = PropertyStore()
        store.declare(Plain.self)
        #expect(throws: ConfigurationErrors.self) {
            try store.start([TomlPropertyLoader(string: "pause = 2", name: "c")])
        }
        let client = try Self.store([])
        try client.set("client.pause", to: 3)
        #expect(try client.settings(Client.self).pause == .seconds(3))
        try client.set("client.pause", to: Duration.milliseconds(20))
        #expect(try client.settings(Client.self).pause == .milliseconds(20))
    }
}

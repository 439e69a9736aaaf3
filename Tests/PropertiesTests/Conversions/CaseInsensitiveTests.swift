import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Enums whose cases may be written in any case")
struct CaseInsensitiveTests {
    private enum Mode: String, Decodable, CaseInsensitiveValue, CodingKeyRepresentable {
        case fast, verySlow = "very-slow", eco = "Öko", on = "ON"
    }

    private enum Twins: String, Decodable, CaseInsensitiveValue { case one, two = "ONE", three }

    private enum Exact: String, CaseIterable, Decodable { case fast }

    private struct Server: Settings {
        @Setting("How to work") var mode = Mode.fast
        @Setting var modes: [Mode] = []
        @Setting var limits: [Mode: Int] = [:]
        @Setting var other: Mode?
    }

    @Test(
        "Case does not matter",
        arguments: [
            ("fast", .fast), ("FAST", .fast), ("Fast", .fast), ("VERY-SLOW", .verySlow), ("öko", .eco), ("ÖKO", .eco),
            ("on", .on), ("On", .on), ("fas", nil), ("fast ", nil), ("", nil), ("verySlow", nil),
        ] as [(String, Mode?)])
    private func texts(_ text: String, _ mode: Mode?) throws {
        let variable = try PropertyStore(
            sources: EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_M": text]))
        let table = PropertyStore.quiet
        try table.apply(JsonPropertyLoader(string: "{\"m\": \"\(text)\"}", name: "c"))
        for store in [variable, table] { #expect(store.property("m") == mode) }
    }

    @Test("Cases that differ only in case are written exactly, and other enums as before")
    func exact() throws {
        let store = try PropertyStore(
            sources: EnvironmentPropertyLoader(
                prefix: "APP", environment: ["APP_A": "one", "APP_B": "ONE", "APP_C": "One"]))
        #expect(store.property("a") == Twins.one)
        #expect(store.property("b") == Twins.two)
        store.declare(TypedKey<Twins>("c"), TypedKey<Twins>("c"))
        let error = #expect(throws: PropertyError.self) { try store.require("c", as: Twins.self) }
        #expect(error?.reason == .notACase)
        let mode = PropertyStore.quiet
        mode.declare(TypedKey<Exact>("mode"))
        let wrong = #expect(throws: ConfigurationErrors.self) {
            try mode.start([EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_MODE": "FAST"])])
        }
        #expect(
            wrong?.lines
                == #"environment APP_MODE: 'mode' is the text "FAST"; expected one of "fast". Did you mean "fast"?"#)
    }

    @Test("It holds in settings types, lists, keys of dictionaries, and the schema")
    func settings() throws {
        let store = PropertyStore.quiet
        store.declare(Server.self, at: "server")
        try store.start([
            JsonPropertyLoader(string: #"{"server": {"limits": {"FAST": 1, "on": 2}, "other": "On"}}"#, name: "c"),
            EnvironmentPropertyLoader(
                prefix: "APP", environment: ["APP_SERVER_MODE": "VERY-SLOW", "APP_SERVER_MODES": "Fast,ÖKO"]),
        ])
        let server = try store.settings(Server.self)
        #expect(server.mode == .verySlow && server.modes == [.fast, .eco] && server.other == .on)
        #expect(server.limits == [.fast: 1, .on: 2])
        #expect(store.jsonSchema().contains(#""pattern": "^([Ff][Aa][Ss][Tt]|[Vv][Ee][Rr][Yy]-[Ss]"#))
        let twice = #expect(throws: ConfigurationErrors.self) {
            try store.start([
                JsonPropertyLoader(string: #"{"server": {"limits": {"FAST": 1, "fast": 2}}}"#, name: "d")
            ])
        }
        #expect(twice?.lines.contains("a key that is not equal to 'FAST' as Mode") == true)
    }
}

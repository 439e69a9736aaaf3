import Properties
import PropertyLoadersEssentials
import Testing

@Suite("A value in place of a table of settings")
struct MisplacedValueTests {
    private struct Server: Settings {
        struct TLS: Settings { @Setting(isSecret: true) var key: String? }
        @Setting var port = 8080
        @Setting var host = "h"
        @Setting("Encryption") var tls: TLS?
        @Setting("By name") var all: [String: TLS] = [:]
    }

    private func store(_ sources: [Literal]) throws -> PropertyStore {
        let store = PropertyStore()
        store.declare(Server.self, at: "http.server")
        store.acceptUncheckedChanges()
        try store.apply(sources)
        return store
    }

    @Test(
        "It is a mistake in its source, also if a later source has the table again",
        arguments: ["http", "http.server", "http.server.tls", "http.server.all"])
    func everySource(name: String) throws {
        var middle = Literal("b", [:])
        middle.table = PropertyTable([(name, .string("CANARY"))])
        let store = try store([
            Literal("a", ["http.server.port": 1]), middle,
            Literal("c", ["http.server": ["host": "z", "tls": ["key": "k"], "all": [:]]]),
        ])
        for unknownKeys in [UnknownKeys.ignored, .refused] {
            let errors = #expect(throws: ConfigurationErrors.self) { try store.verify(unknownKeys: unknownKeys) }
            #expect(errors?.found.map(\.name) == [name])
            #expect(errors?.lines.hasPrefix("b: '\(name)' is ") == true, "\(String(describing: errors))")
            // The table that may be meant has a secret.
            #expect(errors?.lines.contains("CANARY") == false)
        }
        #expect(throws: ConfigurationErrors.self) { try store.settings(Server.self) }
    }

    @Test("It overrides the values of earlier sources, and not itself")
    func overridden() throws {
        let store = PropertyStore()
        store.declare(Server.self, at: "http.server")
        store.acceptUncheckedChanges()
        try store.apply([
            JsonPropertyLoader(string: #"{"http.server.all": 1}"#, name: "a.json"),
            JsonPropertyLoader(string: #"{"http.server.all": 2}"#, name: "b.json"),
            JsonPropertyLoader(string: #"{"http.server.all": {}}"#, name: "c.json"),
        ])
        let errors = #expect(throws: ConfigurationErrors.self) { try store.verify(unknownKeys: .ignored) }
        let overrode = errors?.found.map { $0.overrode.map { "\($0.node.origin)" } }
        #expect(overrode == [[], ["a.json:1:21"]])
    }

    @Test("A table of settings that is declared as secret as a whole must still be a table")
    func secretTable() throws {
        let store = PropertyStore()
        store.declare(Server.self, at: "http.server")
        store.declareSecret("http.server")
        let errors = #expect(throws: ConfigurationErrors.self) {
            try store.apply(Literal("a", ["http.server": "CANARY"]))
        }
        #expect(
            errors?.lines
                == "a: 'http.server' is a string that is secret; expected a table. Write a table in its place.")
        let shared = PropertyStore()
        shared.declare(Server.self, at: "http.server")
        shared.declareSecret("http.server")
        try shared.start([
            Literal("a", ["http.server.port": 1]),
            EnvironmentPropertyLoader(prefix: "", environment: ["HTTP__SERVER": "CANARY"]),
        ])
        #expect(try shared.settings(Server.self).port == 1)
    }
}

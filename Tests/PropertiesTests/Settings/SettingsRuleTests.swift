import Properties
import PropertyLoadersEssentials
import Synchronization
import Testing

private struct Pool: Settings {
    @Setting("The connections that stay open", in: 0...100) var min = 1
    @Setting("The most connections", in: 1...100) var max = 10

    static let rules: [SettingsRule<Self>] = [
        SettingsRule(\.$min, \.$max, expected: "min is at most max") { $0 <= $1 }
    ]
}

private struct TLS: Settings {
    @Setting var enabled = false
    @Setting var certificate: String?
    @Setting(isSecret: true) var key: String?
    @Setting(isSecret: true) var keyFile: String?

    static let rules: [SettingsRule<Self>] = [
        SettingsRule(\.$enabled, \.$certificate, expected: "a certificate is set if TLS is enabled") {
            !$0 || $1 != nil
        },
        SettingsRule(\.$enabled, \.$key, \.$keyFile, expected: "one of key and keyFile is set if TLS is enabled") {
            !$0 || ($1 == nil) != ($2 == nil)
        },
    ]
}

private struct Limits: Settings {
    @Setting(needsRestart: true) var low = 1
    @Setting var high = 10

    static let rules: [SettingsRule<Self>] = [
        SettingsRule(\.$low, \.$high, expected: "low is at most high") { $0 <= $1 }
    ]
}

private struct Sizes: Settings {
    var limits = Limits()
}

private struct Server: Settings {
    @Setting(needsRestart: true) var port = 8080
    @Setting var adminPort = 8081
    @Setting var name: String
    var tls = TLS()
    var pool: Pool?
    @Setting var pools: [Pool] = []
    var named: [String: Pool] = [:]

    static let rules: [SettingsRule<Self>] = [
        SettingsRule(\.$port, \.$adminPort, expected: "the ports differ") { $0 != $1 },
        SettingsRule(\.$name, \.tls.$enabled, expected: "the server with TLS has a name") { !$1 || !$0.isEmpty },
    ]
}

@Suite("A rule of several settings")
struct SettingsRuleTests {
    private func store() -> PropertyStore {
        let store = PropertyStore()
        store.declare(Server.self, at: "server")
        return store
    }

    private func file(_ text: String) -> TomlPropertyLoader { TomlPropertyLoader(string: text, name: "c.toml") }

    private func problems(_ sources: any PropertyLoader...) -> [String] {
        let store = store()
        do throws(ConfigurationErrors) {
            try store.start(sources, unknownKeys: .refused)
            return []
        } catch {
            // What a reader gets is the same.
            store.acceptUncheckedChanges()
            do { try store.apply(sources) } catch { return ["\(error)"] }
            let read = #expect(throws: ConfigurationErrors.self) { _ = try store.settings(Server.self) }
            let known = error.problems.map(\.description).filter { !$0.contains("is not a key that is read") }
            #expect(read?.problems.map(\.description) == known)
            return error.problems.map(\.description)
        }
    }

    @Test("It names the settings with their values and places, and what was expected")
    func message() {
        #expect(problems(file("server.name = 'a'")) == [])
        #expect(
            problems(file("[server]\nname = 'a'\nport = 7\nadminPort = 7")) == [
                "c.toml:3:8: 'server.port' is 7 and 'server.adminPort' is 7 (c.toml:4:13); expected that the ports differ. Change one of them."
            ])
        #expect(
            problems(file("[server]\nname = 'a'"), CommandLinePropertyLoader(arguments: ["--server.admin-port=8080"]))
                == [
                    "command line --server.admin-port: 'server.port' is 8080 by default and 'server.adminPort' is 8080; expected that the ports differ. Change one of them."
                ])
        #expect(
            problems(file("server.name = ''\nserver.tls = { enabled = true, certificate = 'c', key = 'k' }")) == [
                "c.toml:1:15: 'server.name' is \"\" and 'server.tls.enabled' is true (c.toml:2:26); expected that the server with TLS has a name. Change one of them."
            ])
    }

    @Test("All problems are in one report, and a problem of one of the settings suppresses the rule")
    func others() {
        #expect(
            problems(
                file("[server]\nport = 'x'\nadminPort = 7\npool = { min = 9, max = 8 }\ntls.enabled = 5\nunknown = 1")
            ).map {
                String($0.prefix { $0 != ";" })
            } == [
                "c.toml:2:8: 'server.port' is the string \"x\"",
                "c.toml:4:16: 'server.pool.min' is 9 and 'server.pool.max' is 8 (c.toml:4:25)",
                "c.toml:5:15: 'server.tls.enabled' is the integer 5",
                "c.toml:6:1: 'server.unknown' is not a key that is read. Check its spelling, or remove it.",
                "'server.name' is missing",
            ])
        #expect(problems(file("server = { name = 'a', pools = 5, tls = 5, pool = 'x' }")).count == 3)
    }

    @Test("In arrays, dictionaries and optional tables")
    func inside() {
        let text = """
            [server]
            name = 'a'
            pool.min = 20
            named.m = { min = 5, max = 4 }
            [[server.pools]]
            [[server.pools]]
            min = 3
            max = 2
            """
        #expect(
            problems(file(text)) == [
                "c.toml:3:12: 'server.pool.min' is 20 and 'server.pool.max' is 10 by default; expected that min is at most max. Change one of them.",
                "c.toml:4:19: 'server.named.m.min' is 5 and 'server.named.m.max' is 4 (c.toml:4:28); expected that min is at most max. Change one of them.",
                "c.toml:7:7: 'server.pools[1].min' is 3 and 'server.pools[1].max' is 2 (c.toml:8:7); expected that min is at most max. Change one of them.",
            ])
        #expect(
            problems(
                file("server.name = 'a'"),
                EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_SERVER_POOLS": #"[{"min": 7, "max": 6}]"#]))
                == [
                    "environment APP_SERVER_POOLS: 'server.pools[0].min' is 7 and 'server.pools[0].max' is 6; expected that min is at most max. Change one of them."
                ])
    }

    @Test("A secret is masked")
    func secrets() {
        let problems = problems(
            file(
                "server = { name = 'a', tls = { enabled = true, certificate = 'c', key = 'hunter1', keyFile = 'hunter2' } }"
            ))
        #expect(
            problems == [
                "c.toml:1:42: 'server.tls.enabled' is true, 'server.tls.key' is a string that is secret (c.toml:1:73) and 'server.tls.keyFile' is a string that is secret (c.toml:1:94); expected that one of key and keyFile is set if TLS is enabled. Change one of them."
            ])
        #expect(
            self.problems(file("server = { name = 'a', tls = { enabled = true, certificate = 'c' } }")) == [
                "c.toml:1:42: 'server.tls.enabled' is true, 'server.tls.key' is not set and 'server.tls.keyFile' is not set; expected that one of key and keyFile is set if TLS is enabled. Change one of them."
            ])
    }

    @Test("A check without secrets reports no rule about a secret that is not there")
    func withoutSecrets() async throws {
        let store = store()
        try await store.start(
            awaiting: [file("server = { name = 'a', tls = { enabled = true, certificate = 'c' } }")],
            withoutSecrets: true)
    }

    @Test("A reload that breaks a rule is refused, and the values stay")
    func reload() throws {
        let source = Changing("c"), store = store()
        source.set(["server": ["name": "a", "adminPort": 1]])
        try store.start([source])
        source.set(["server": ["name": "a", "port": 2, "adminPort": 2]])
        let error = #expect(throws: ConfigurationErrors.self) { try store.reload() }
        #expect(error?.found.map(\.reason) == [.brokenRule])
        #expect(try store.settings(Server.self).adminPort == 1)
    }

    @Test("The rules are those of the sources, also if a value is kept until a restart")
    func restart() throws {
        let source = Changing("c"), store = store()
        source.set(["server": ["name": "a", "port": 1, "adminPort": 2]])
        try store.start([source])
        // After a restart, the ports differ. Until then, both are 1.
        source.set(["server": ["name": "a", "port": 3, "adminPort": 1]])
        #expect(try store.reload().map(\.name) == ["server.port"])
        let server = try store.settings(Server.self)
        #expect((server.port, server.adminPort) == (1, 1))
        try store.verify()
        source.set(["server": ["name": "a", "port": 4, "adminPort": 4]])
        #expect(throws: ConfigurationErrors.self) { try store.reload() }
    }

    @Test("A value that is kept until a restart breaks no rule, also of a table in the type and in a child store")
    func kept() throws {
        let source = Changing("c"), store = PropertyStore()
        store.declare(Sizes.self, at: "sizes")
        source.set(["sizes": ["limits": ["low": 5, "high": 10]]])
        try store.start([source])
        source.set(["sizes": ["limits": ["low": 1, "high": 3]]])
        try store.reload()
        try store.verify()
        #expect(try store.settings(Sizes.self).limits.low == 5)
        #expect(try store.settings(Sizes.self).limits.high == 3)
        let child = PropertyStore(parent: store)
        try child.set("other", to: 1)
        #expect(try child.settings(Sizes.self).limits.low == 5)
        try child.verify(unknownKeys: .ignored)
        // The own value of the child is not kept, and takes the place of the parent's.
        #expect(throws: ConfigurationErrors.self) { try child.set("sizes.limits.low", to: 4) }
        try child.set("sizes.limits.low", to: 2)
        #expect(try child.settings(Sizes.self).limits.low == 2)
    }

    @Test("A broken rule of an applied source is no reason to refuse another one")
    func addedProblems() throws {
        let store = PropertyStore()
        try store.apply(file("pool = { min = 8, max = 7 }"))
        store.declare(Pool.self, at: "pool")
        try store.apply(TomlPropertyLoader(string: "other = 1", name: "d.toml"))
        try store.apply(TomlPropertyLoader(string: "pool.max = 8", name: "d.toml"))
        try store.verify(unknownKeys: .ignored)
        #expect(throws: ConfigurationErrors.self) {
            try store.apply(TomlPropertyLoader(string: "pool.max = 6", name: "e.toml"))
        }
    }

    @Test("The check runs with the values that a service gets, and never with others")
    func values() throws {
        struct Watched: Settings {
            static let seen = Mutex<[[Int]]>([])
            @Setting(in: 1...9) var one: Int
            @Setting(in: 1...9) var two = 2
            static let rules: [SettingsRule<Self>] = [
                SettingsRule(\.$one, \.$two, expected: "anything") { one, two in
                    seen.withLock { $0.append([one, two]) }
                    return true
                }
            ]
        }
        let store = PropertyStore()
        store.declare(Watched.self)
        for text in ["", "one = 0", "one = 'x'", "one = 1\ntwo = 10"] {
            #expect(throws: ConfigurationErrors.self) { try store.start([file(text)]) }
        }
        #expect(Watched.seen.withLock { $0 } == [])
        try store.start([file("one = 3")])
        #expect(Watched.seen.withLock { Set($0) } == [[3, 2]])
    }

    @Test("--help, the explanation and the schema have it")
    func references() throws {
        let store = PropertyStore()
        store.declare(Pool.self, at: "pool")
        #expect(
            store.help() == """
                  --pool-max <integer>    The most connections. An integer from 1 to 100.
                                          Together: min is at most max. (default: 10)
                  --pool-min <integer>    The connections that stay open. An integer from 0 to
                                          100. Together: min is at most max. (default: 1)

                """)
        #expect(try store.explain("pool.min").description.contains("together   min is at most max\n"))
        #expect(try store.explain("pool.min").json.contains(#""rules": ["min is at most max"]"#))
        #expect(store.jsonSchema().contains("An integer from 0 to 100. Together: min is at most max."))
    }
}

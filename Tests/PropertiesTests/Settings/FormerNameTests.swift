import FoundationEssentials
import Properties
import PropertyLoadersEssentials
import Testing

private struct API: Settings {
    struct TLS: Settings {
        @Setting("The certificate", formerly: "cert") var certificate = "none"
    }
    @Setting("Where the service is", formerly: "base_url") var baseURL = "http://localhost"
    @Setting("How long to wait", in: 1...60, formerly: "http.wait") var timeout = 30
    @Setting("Signs", formerly: "key", isSecret: true) var token: String?
    var tls: TLS?
    @Setting(formerly: "mirror") var mirrors: [Mirror] = []
    @Setting var pools: [String: Mirror] = [:]
}

private struct Mirror: Settings {
    @Setting(formerly: "host-name") var host = "here"
    @Setting(formerly: "secret", isSecret: true) var password: String?
    var inner: [Mirror] = []
}

@Suite("A setting that was renamed is read by its former name, with a warning")
struct FormerNameTests {
    private func store(
        _ sources: [any PropertyLoader], formerly: String? = nil, unknown: UnknownKeys = .refused
    ) throws -> PropertyStore {
        let store = PropertyStore()
        store.declare(API.self, at: "api", formerly: formerly)
        try store.start(sources, unknownKeys: unknown)
        return store
    }

    private func file(_ text: String, _ name: String = "c.toml") -> TomlPropertyLoader {
        TomlPropertyLoader(string: text, name: name)
    }

    private func environment(_ variables: [String: String], _ prefix: String = "APP") -> EnvironmentPropertyLoader {
        EnvironmentPropertyLoader(prefix: prefix, environment: variables)
    }

    @Test("In a file, by a key and by a path")
    func file() throws {
        let store = try store([file("[api]\nbase_url = 'http://a'\nhttp.wait = 5")])
        let api = try store.settings(API.self)
        #expect((api.baseURL, api.timeout) == ("http://a", 5))
        #expect(store.listing == ["api.baseURL=\"http://a\"", "api.timeout=5"])
        #expect(
            store.warnings.map(\.description) == [
                "c.toml:2:1: 'api.base_url' is called 'api.baseURL' now. Rename it.",
                "c.toml:3:6: 'api.http.wait' is called 'api.timeout' now. Rename it.",
            ])
        #expect(store.warnings.allSatisfy { $0.reason == .renamed })
    }

    @Test("In variables, arguments and files of variables, in each spelling")
    func spellings() throws {
        for variable in ["APP_API_HTTP_WAIT", "APP_API__HTTP__WAIT", "APP_API_HTTPWAIT"] {
            let store = try store([environment([variable: "5"])])
            #expect(try store.settings(API.self).timeout == 5, "\(variable)")
            #expect(
                store.warnings.map(\.description) == [
                    "environment \(variable): 'api.http.wait' is called 'api.timeout' now. Set it as APP_API_TIMEOUT."
                ])
        }
        let arguments = try store([CommandLinePropertyLoader(arguments: ["--api.http-wait=5", "--api.tls.cert", "x"])])
        #expect(try arguments.settings(API.self).timeout == 5)
        #expect(try arguments.settings(API.self).tls?.certificate == "x")
        #expect(
            arguments.warnings.map(\.description) == [
                "command line --api.http-wait: 'api.http.wait' is called 'api.timeout' now. Set it by --api-timeout.",
                "command line --api.tls.cert: 'api.tls.cert' is called 'api.tls.certificate' now. Set it by --api.tls.certificate.",
            ])
        // Without a prefix, only known names are loaded.
        let shared = try store([environment(["API_HTTP_WAIT": "5", "API_HTTPWAIT": "6", "HOME": "/"], "")])
        #expect(try shared.settings(API.self).timeout == 5)
    }

    @Test("A file with a former name keeps its keys with dots, also for sources of flat names")
    func dottedKeys() throws {
        let text = "api.base_url = 'h'\n[hosts]\n\"db.internal\" = 1"
        let flat = StructPropertyLoader(["hosts.db.internal": 2], name: "s")
        let store = try store([file(text), flat], unknown: .ignored)
        #expect(store.listing == ["api.baseURL=\"h\"", "hosts.db.internal=2"])
    }

    @Test("A variable that spells the name of now is no former name, although it has the same letters")
    func sameLetters() throws {
        for sources: [any PropertyLoader] in [
            [environment(["APP_API_BASE_URL": "http://b"])],
            [file("api.base_url = 'http://a'"), environment(["APP_API_BASE_URL": "http://b"])],
            [file("api.baseURL = 'http://a'"), CommandLinePropertyLoader(arguments: ["--api.base-url=http://b"])],
        ] {
            let store = try store(sources)
            #expect(try store.settings(API.self).baseURL == "http://b")
            #expect(store.warnings.allSatisfy { $0.origin.source.name == "c.toml" })
        }
    }

    @Test("In arrays, dictionaries and optional tables, and in JSON of a variable")
    func inside() throws {
        let text = """
            [api]
            tls.cert = 'x'
            mirror = [{ host-name = 'a', inner = [{ host-name = 'b' }] }, { host-name = 'c' }, { host = 'd' }]
            pools.main.host-name = 'e'
            """
        let store = try store([
            file(text),
            environment([
                "APP_API_POOLS__other__HOST_NAME": "f", "APP_API_POOLS__third": #"{"host-name": "g"}"#,
            ]),
        ])
        let api = try store.settings(API.self)
        #expect(api.tls?.certificate == "x")
        #expect(api.mirrors.map(\.host) == ["a", "c", "d"])
        #expect(api.mirrors[0].inner.map(\.host) == ["b"])
        #expect(api.pools.mapValues(\.host) == ["main": "e", "other": "f", "third": "g"])
        #expect(
            store.warnings.map(\.description) == [
                "c.toml:2:5: 'api.tls.cert' is called 'api.tls.certificate' now. Rename it.",
                "c.toml:3:13: 'api.mirror[0].host-name' is called 'api.mirrors[0].host' now, also in 1 more element. Rename it.",
                "c.toml:3:41: 'api.mirror[0].inner[0].host-name' is called 'api.mirrors[0].inner[0].host' now. Rename it.",
                "c.toml:3:1: 'api.mirror' is called 'api.mirrors' now. Rename it.",
                "c.toml:4:12: 'api.pools.main.host-name' is called 'api.pools.main.host' now. Rename it.",
                "environment APP_API_POOLS__other__HOST_NAME: 'api.pools.other.host-name' is called 'api.pools.other.host' now. Set it as APP_API__POOLS__OTHER__HOST.",
                "environment APP_API_POOLS__third: 'api.pools.third.host-name' is called 'api.pools.third.host' now. Rename it.",
            ])
        let list = try self.store([environment(["APP_API_MIRROR": #"[{"host-name": "a"}]"#])])
        #expect(try list.settings(API.self).mirrors.map(\.host) == ["a"])
    }

    @Test("A later source overrides an earlier one, whichever name each of them has")
    func layers() throws {
        let texts = ["[api]\nbase_url = 'old'", "[api]\nbaseURL = 'new'"]
        for (first, second) in [(0, 1), (1, 0)] {
            let store = try store([file(texts[first], "1.toml"), file(texts[second], "2.toml")])
            let value = try store.settings(API.self).baseURL
            #expect(value == (second == 0 ? "old" : "new"))
            #expect(store.history(of: "api.baseURL").map(\.node.origin.source.name) == ["2.toml", "1.toml"])
        }
        // A null of a later source hides the value.
        let null = JsonPropertyLoader(string: #"{"api": {"base_url": null}}"#, name: "2.json")
        #expect(try store([file(texts[1]), null]).settings(API.self).baseURL == "http://localhost")
    }

    @Test("Both names in one source are an error with both places")
    func both() {
        let errors = #expect(throws: ConfigurationErrors.self) {
            _ = try store([file("[api]\nbaseURL = 'a'\nbase_url = 'b'")])
        }
        #expect(
            errors?.lines
                == "c.toml:3:1: 'api.base_url' is the former name of 'api.baseURL', which is set, too ('api.baseURL' is c.toml:2:1). Leave 'api.base_url' out."
        )
        let variables = #expect(throws: ConfigurationErrors.self) {
            _ = try store([environment(["APP_API_TIMEOUT": "1", "APP_API_HTTP_WAIT": "2"])])
        }
        #expect(
            variables?.lines
                == "environment APP_API_HTTP_WAIT: 'api.http.wait' is the former name of 'api.timeout', which is set, too ('api.timeout' is environment APP_API_TIMEOUT). Leave 'api.http.wait' out."
        )
    }

    @Test("A table that was moved, with former names inside it")
    func moved() throws {
        let text = "[client]\nbaseURL = 'a'\nhttp.wait = 5\ntls.cert = 'x'\npools.main.host-name = 'e'\n"
        let store = try store([file(text), environment(["APP_CLIENT_TOKEN": "t"])], formerly: "client")
        let api = try store.settings(API.self)
        #expect((api.baseURL, api.timeout, api.token, api.tls?.certificate) == ("a", 5, "t", "x"))
        #expect(api.pools.mapValues(\.host) == ["main": "e"])
        #expect(
            store.warnings.map(\.description) == [
                "c.toml:1:2: 'client' is called 'api' now. Rename it.",
                "c.toml:3:6: 'client.http.wait' is called 'api.timeout' now. Rename it.",
                "c.toml:4:5: 'client.tls.cert' is called 'api.tls.certificate' now. Rename it.",
                "c.toml:5:12: 'client.pools.main.host-name' is called 'api.pools.main.host' now. Rename it.",
                "environment APP_CLIENT_TOKEN: 'client.token' is called 'api.token' now. Set it as APP_API_TOKEN.",
            ])
        let json = try self.store([environment(["APP_CLIENT": #"{"http.wait": 6}"#])], formerly: "client")
        #expect(try json.settings(API.self).timeout == 6)
        // No setting was only moved, so each has a warning of its own.
        let renamed = try self.store([self.file("[client]\nbase_url = 'a'\nhttp.wait = 5")], formerly: "client")
        #expect(
            renamed.warnings.map(\.description) == [
                "c.toml:2:1: 'client.base_url' is called 'api.baseURL' now. Rename it.",
                "c.toml:3:6: 'client.http.wait' is called 'api.timeout' now. Rename it.",
            ])
        // A file that is half done.
        let half = try self.store([self.file("client.timeout = 5\napi.baseURL = 'a'")], formerly: "client")
        #expect(half.listing == ["api.baseURL=\"a\"", "api.timeout=5"])
        // Sections in which every line is a comment.
        let empty = try self.store([self.file("[client]\n[api.http]\n[api]")], formerly: "client")
        #expect(empty.listing == ["api={}"])
        #expect(empty.warnings.map(\.description) == ["c.toml:1:2: 'client' is called 'api' now. Rename it."])
        // What is not a setting stays where it is.
        let errors = #expect(throws: ConfigurationErrors.self) {
            _ = try self.store([self.file("client.timeout = 5\nclient.other = 'a'")], formerly: "client")
        }
        #expect(
            errors?.lines
                == "c.toml:2:8: 'client.other' is neither declared nor read by a service. Check its spelling, "
                + "or remove it. The developer can declare it, or allow it by unknownKeys: .ignored.")
    }

    @Test("Several former spellings of one setting are one, and the warning has the new name of all that was written")
    func spellingsOfMovedTable() throws {
        struct Client: Settings {
            @Setting(formerly: "base_url") var address = "none"
            @Setting var pools: [String: Mirror] = [:]
        }
        for variable in ["APP_HTTP_CLIENT_BASE_URL", "APP_HTTPCLIENT__BASE_URL", "APP_HTTP__CLIENT__BASE_URL"] {
            let store = PropertyStore()
            store.declare(Client.self, at: "http.client", formerly: "httpClient")
            try store.start([environment([variable: "a"])])
            #expect(try store.settings(Client.self).address == "a", "\(variable)")
            let remedy = "is called 'http.client.address' now. Set it as APP_HTTP_CLIENT_ADDRESS."
            #expect(store.warnings.map(\.description).filter { $0.hasSuffix(remedy) }.count == 1, "\(store.warnings)")
        }
        let store = PropertyStore()
        store.declare(Client.self, at: "http.client", formerly: "remote")
        let sources: [any PropertyLoader] = [
            file("remote.pools.b.host-name = 'y'"), environment(["APP_REMOTE_POOLS__a__HOST": "x"]),
            CommandLinePropertyLoader(arguments: ["--remote.pools.c.host=z"]),
        ]
        try store.start(sources)
        #expect(try store.settings(Client.self).pools.mapValues(\.host) == ["a": "x", "b": "y", "c": "z"])
        #expect(
            store.warnings.map(\.description) == [
                "c.toml:1:1: 'remote' is called 'http.client' now. Rename it.",
                "c.toml:1:16: 'remote.pools.b.host-name' is called 'http.client.pools.b.host' now. Rename it.",
                "environment APP_REMOTE_POOLS__a__HOST: 'remote.pools.a.host' is called 'http.client.pools.a.host' now. Set it as APP_HTTP__CLIENT__POOLS__A__HOST.",
                "command line --remote.pools.c.host: 'remote.pools.c.host' is called 'http.client.pools.c.host' now. Set it by --http.client.pools.c.host.",
            ])
    }

    @Test("A table of a file whose tables replace earlier ones replaces them under its former name, too")
    func firstLevel() throws {
        let json = JsonPropertyLoader(string: #"{"client": {"timeout": 5}}"#, name: "c.json")
        let store = try store([file("api.baseURL = 'a'"), json], formerly: "client")
        #expect(store.listing == ["api.timeout=5"])
    }

    @Test("A secret stays secret under its former name")
    func secrets() throws {
        let text = "[client]\nkey = 'hunter1'\nmirrors = [{ secret = 'hunter2' }]\npools.m.secret = 'hunter3'"
        let store = PropertyStore()
        store.declare(API.self, at: "api", formerly: "client")
        try store.start([file(text), environment(["APP_CLIENT_KEY": "hunter4"])], unknownKeys: .refused)
        #expect(try store.settings(API.self).token == "hunter4")
        var texts = [store.entriesText, try store.json() ?? "", "\(store.warnings)", store.values.json]
        for name in ["api.token", "client.key", "api.mirrors", "api.pools.m.password"] {
            let explanation = try store.explain(name)
            texts += [explanation.description, explanation.json, "\(store.history(of: name))"]
        }
        for text in texts { #expect(!text.contains("hunter"), "\(text)") }
        let errors = #expect(throws: ConfigurationErrors.self) {
            try store.apply(file("[client]\nkey = 'hunter1'\n[api]\nkey = 'hunter2'\ntoken = 'hunter3'"))
        }
        #expect(errors.map { !"\($0.lines) \($0)".contains("hunter") } == true)
    }

    @Test("A placeholder may have a former name, with a warning")
    func placeholders() throws {
        let store = PropertyStore()
        store.replacePlaceholders()
        store.declare(API.self, at: "api", formerly: "client")
        try store.apply(file("client.base_url = 'http://a'\nhealth = '${client.base_url}/health'"))
        #expect(try store.require("health", as: String.self) == "http://a/health")
        #expect(
            store.warnings.map(\.description).last
                == "c.toml:2:10: 'client.base_url' in 'health' is called 'api.baseURL' now. Rename it.")
    }

    @Test("A declaration after the sources, and one of a child, rename what the sources have")
    func later() throws {
        let store = PropertyStore(), child = PropertyStore(parent: store)
        try store.apply(file("api.base_url = 'a'"))
        #expect(store.listing == ["api.base_url=\"a\""])
        child.declare(API.self, at: "api")
        #expect(child.listing == ["api.baseURL=\"a\""])
        #expect(store.listing == ["api.base_url=\"a\""])
        #expect((store.warnings.count, child.warnings.count) == (0, 1))
        try store.apply(file("api.baseURL = 'b'", "d.toml"))
        #expect(child.listing == ["api.baseURL=\"b\""])
    }

    @Test("A reload takes the value whichever name the new file has")
    func reload() throws {
        let file = Changing("c")
        file.set(["api": ["base_url": "a"]])
        let store = try store([file])
        file.set(["api": ["baseURL": "b"]])
        try store.reload()
        #expect(try store.settings(API.self).baseURL == "b")
        #expect(store.warnings.isEmpty)
    }

    @Test("The explanation names the former name, and is found by it; help and template do not; the schema accepts it")
    func references() throws {
        let store = try store([file("[client]\nbase_url = 'a'")], formerly: "client")
        let explanation = try store.explain("client.base_url")
        #expect(
            explanation.description == """
                setting    api.baseURL
                value      "a" (c.toml:2:12)
                default    "http://localhost"
                rule       a string
                summary    Where the service is
                formerly   client.baseURL, client.base_url, api.base_url
                restart    not needed
                """)
        #expect(explanation.json.contains(#""formerNames": ["client.baseURL", "client.base_url", "api.base_url"]"#))
        for text in [store.help(), store.template()] {
            #expect(!text.contains("base_url") && !text.contains("client"), "\(text)")
        }
        let schema = store.jsonSchema(refusesUnknownKeys: true)
        #expect(schema.contains("\"x-renamed\": \"api.baseURL\""))
        #expect(schema.contains("\"deprecated\": true"))
    }

    @Test("An unknown key is told the name of now, and a missing value no former one")
    func advice() {
        let errors = #expect(throws: ConfigurationErrors.self) { _ = try store([file("api.base_ur = 'a'")]) }
        #expect(
            errors?.lines
                == "c.toml:1:5: 'api.base_ur' is not a key that is read. Did you mean 'api.baseURL'?")
    }

    @Test("In the JSON of a variable that a setting has as its own, whose names have the limits of other names")
    func ownVariable() throws {
        let store = PropertyStore()
        store.declare(API.self, at: "api", environment: ["pools": "POOLS", "mirrors": "MIRRORS"])
        let variables = ["POOLS": #"{"a": {"host-name": "x"}}"#, "MIRRORS": #"[{"host-name": "y"}]"#]
        try store.start([environment(variables)])
        let api = try store.settings(API.self)
        #expect(api.pools["a"]?.host == "x" && api.mirrors.map(\.host) == ["y"])
        #expect(
            store.warnings.map(\.description) == [
                "environment MIRRORS: 'api.mirrors[0].host-name' is called 'api.mirrors[0].host' now. Rename it.",
                "environment POOLS: 'api.pools.a.host-name' is called 'api.pools.a.host' now. Rename it.",
            ])
        let long = String(repeating: "k", count: 9000)
        let error = #expect(throws: ConfigurationErrors.self) {
            try store.apply(environment(["POOLS": "{\"\(long)\": {}}"]))
        }
        #expect((error?.problems.first?.error as? PropertyLoadError)?.reason == .limit, "\(error as Any)")
    }
}

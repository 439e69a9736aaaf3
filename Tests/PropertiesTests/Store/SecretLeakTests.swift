import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Secrets stay masked in other values and in dumps")
struct SecretLeakTests {
    private let secret = "hunter2xyz"

    private func dumped(_ value: Any) -> String {
        var text = "\(value)"
        dump(value, to: &text)
        return text
    }

    @Test("If a placeholder puts a secret into an array, the error about the element masks it")
    func secretElement() throws {
        let store = PropertyStore()
        try store.apply(Literal("secrets", ["key": .string(secret), "keys": [.string(secret)]]))
        store.declareSecret("key", "keys")
        let layer = Literal("open", ["server": ["ports": ["${key}", "x"], "copies": "${keys}"]])
        try store.apply(layer.replacingPlaceholders())
        struct Server: Decodable { var ports: [Int], copies: [Int] }
        let bound = #expect(throws: ConfigurationErrors.self) { try store.bind(Server.self, at: "server") }
        #expect(bound?.found.count == 2)
        #expect(bound.map { !dumped($0).contains(secret) } == true)
        for name in ["server.ports", "server.copies"] {
            let error = #expect(throws: PropertyError.self) { try store.require(name, as: [Int].self) }
            #expect(error.map { !dumped($0).contains(secret) } == true)
        }
        let json = try store.json()
        #expect(json?.contains(secret) == false)
        #expect(!store.entriesText.contains(secret))
    }

    @Test("A secret name is masked below a key with dots of a declared dictionary")
    func keyWithDots() throws {
        let store = PropertyStore()
        store.declare(TypedKey<[String: [String: String]]>("hosts", default: [:]))
        store.declareSecret("hosts.db.internal.password")
        let host: PropertyValue = ["user": "u", "password": .string(secret)]
        try store.apply(Literal("file", ["hosts": ["db.internal": host]]))
        #expect(store.property("hosts.db.internal.password") == secret)
        #expect(store.property("hosts.db.internal.user") == "u")
        let json = try store.json()
        for text in [store.entriesText, dumped(store), json ?? "", store.values.json] {
            #expect(!text.contains(secret), "\(text)")
        }
        #expect(json?.contains("\"u\"") == true)
        try store.verify(unknownKeys: .refused)
    }

    @Test("An element from a secret source is masked inside an array of another source")
    func mixedArray() throws {
        let source = PropertySource(name: "vault", isSecret: true)
        let element = PropertyNode(.string(secret), origin: PropertyOrigin(source: source))
        let store = try PropertyStore(Literal(["list": .array([element])]))
        #expect(store.listing == ["list=********"])
        #expect(!store.entriesText.contains(secret))
        #expect(try store.json()?.contains(secret) == false)
    }

    @Test("A key that begins with a combining mark is recognized as part of its secret table")
    func combiningMark() throws {
        let store = try PropertyStore(Literal(["db": ["\u{301}x": .string(secret)]]))
        store.declareSecret("db")
        #expect(!store.entriesText.contains(secret))
    }

    private struct Access: Settings {
        @Setting var token: String
        @Setting("Where it is used") var uses: [String] = []
        @Setting var level = 3
    }

    @Test("A printed settings type masks what came from a secret source, or from a name that was declared secret")
    func printedSettings() throws {
        let store = PropertyStore()
        store.declare(Access.self, at: "access")
        store.declareSecret("access.uses")
        try store.apply([
            Literal("vault", ["access": ["token": .string(secret)]]).secret(),
            Literal("open", ["access": ["uses": [.string(secret)], "level": 5]]),
        ])
        let access = try store.settings(Access.self)
        #expect(access.token == secret && access.uses == [secret])
        #expect(!dumped(access).contains(secret))
        #expect("\(access)".contains("5"))
    }

    private struct Upstream: Settings {
        @Setting var host = "a"
        @Setting(isSecret: true) var key = ""
    }

    private struct Upstreams: Settings {
        @Setting("The servers") var upstreams: [Upstream] = []
    }

    @Test(
        "A secret setting inside a list that a variable or a repeated argument has as JSON is masked",
        arguments: [false, true])
    func secretInTextList(isWrong: Bool) throws {
        let text = "[{\"host\": \"b\", \"key\": \"\(secret)\"\(isWrong ? ", \"hots\": 1" : "")}]"
        let loaders: [any PropertyLoader] = [
            EnvironmentPropertyLoader(prefix: "APP_", environment: ["APP_UPSTREAMS": text]),
            CommandLinePropertyLoader(arguments: ["--upstreams", text, "--upstreams", text]),
        ]
        for loader in loaders {
            let store = PropertyStore()
            store.declare(Upstreams.self)
            if isWrong {
                let error = #expect(throws: ConfigurationErrors.self) { try store.start([loader]) }
                #expect(error.map { $0.lines.contains("hots") && !dumped($0).contains(secret) } == true)
                continue
            }
            try store.start([loader])
            #expect(try store.settings(Upstreams.self).upstreams.allSatisfy { $0.key == secret })
            #expect(!store.entriesText.contains(secret))
            #expect(try store.json()?.contains(secret) == false)
            #expect(!dumped(store.values).contains(secret) && !store.values.json.contains(secret))
        }
    }

    @Test("The error that a type throws is left out if text of an untyped source is anywhere in its value")
    func complaintAboutTable() throws {
        struct Login: Decodable {
            struct Complaint: Error { var text: String }
            init(from decoder: any Decoder) throws {
                let texts = try [String: String](from: decoder)
                throw Complaint(text: texts.values.joined())
            }
        }
        let store = try PropertyStore(
            sources: EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_LOGIN__PASSWORD": secret]),
            Literal("file", ["open": ["password": "shown"]]))
        let error = #expect(throws: PropertyError.self) { try store.require("login", as: Login.self) }
        #expect(error.map { !dumped($0).contains(secret) } == true)
        let open = #expect(throws: PropertyError.self) { try store.require("open", as: Login.self) }
        #expect(open.map { dumped($0).contains("shown") } == true)
        // Whether a declared value is secret is known.
        store.declare(TypedKey<[String: String]>("login"))
        let declared = #expect(throws: PropertyError.self) { try store.require("login", as: Login.self) }
        #expect(declared.map { dumped($0).contains(secret) } == true)
    }

    @Test("No public type shows a secret when it is printed or dumped")
    func dumps() throws {
        let store = PropertyStore()
        let loader = Lines("secret.toml", "password = \"\(secret)\"", isSecret: true)
        let open = Lines("open.toml", "password = \"\(secret)\"").secret()
        try store.apply(loader)
        let entry = try #require(store.entries.first)
        let values: [Any] = [
            store, store.snapshot, entry, entry.node, entry.node.origin, entry.node.origin.source, store.changes(),
            store.changes(of: "password", as: String.self), try loader.load(), try open.load(), store.warnings,
            try Literal(["password": .string(secret)]).secret().load(),
            store.changes().makeAsyncIterator(), TypedKey("password", default: secret, isSecret: true),
            PropertyLayer(PropertyTable([("password", .string(secret))]), isSecret: true),
        ]
        for value in values { #expect(!dumped(value).contains(secret), "\(type(of: value))") }
    }

    @Test("The values that the value of a secret key overrode are masked too, even if the key is not declared")
    func overridden() throws {
        struct Account: Decodable, Sendable { var password: String }
        let store = PropertyStore()
        try store.apply(Lines("a.toml", "db.password = \"\(secret)\"\ngone = \"\(secret)\""))
        try store.apply(Lines("b.toml", "db.password = 5\ngone = null"))
        let read = #expect(throws: PropertyError.self) {
            _ = try store.require(TypedKey<String>("db.password", isSecret: true))
        }
        #expect(
            read?.description == "b.toml:1:15: 'db.password' is an integer that is secret; expected a string "
                + "(it overrides ******** at a.toml:1:15). Put it in quotes.")
        let table = #expect(throws: PropertyError.self) {
            _ = try store.require(TypedKey<Account>("db", isSecret: true))
        }
        let gone = #expect(throws: PropertyError.self) {
            _ = try store.require(TypedKey<String>("gone", isSecret: true))
        }
        #expect(gone?.description.hasPrefix("b.toml:2:8: 'gone' is null; expected a string") == true)
        for error in [read, table, gone] {
            let error = try #require(error)
            #expect(error.overrode.count == 1)
            for value in [error, error.overrode] as [Any] { #expect(!dumped(value).contains(secret)) }
        }
    }

    @Test("A numeric key of a table is part of the name, not an index, so a secret with such a name is masked")
    func integerKeys() throws {
        struct Server: Decodable {
            var port: Int
            enum CodingKeys: Int, CodingKey { case port = 1 }
        }
        struct Picky: Decodable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Server.CodingKeys.self)
                let port = try container.decode(String.self, forKey: .port)
                throw DecodingError.dataCorruptedError(forKey: .port, in: container, debugDescription: port)
            }
        }
        let store = PropertyStore()
        store.declareSecret("server.port", "m.5")
        try store.apply(Lines("c.toml", "server.port = \"\(secret)\"\nm.5 = \"\(secret)\""))
        let errors = [
            #expect(throws: PropertyError.self) { _ = try store.require("server", as: Server.self) },
            #expect(throws: PropertyError.self) { _ = try store.require("server", as: Picky.self) },
            #expect(throws: PropertyError.self) { _ = try store.require("m", as: [Int: Int].self) },
        ]
        #expect(errors.map { $0?.name } == ["server.port", "server.port", "m.5"])
        for error in errors { #expect(error.map { !dumped($0).contains(secret) } == true) }
    }

    @Test("A secret layer is masked even before it is applied, however it was made secret")
    func secretLayer() throws {
        let source = PropertySource(name: "vault")
        let node = PropertyNode(.string(secret), origin: PropertyOrigin(source: source))
        let inner = PropertyTable([("in", .array([node]))])
        let table = PropertyTable([("bare", .string(secret)), ("placed", .array([node])), ("t", .table(inner))])
        var layers = [PropertyLayer(table, isSecret: true), PropertyLayer(table, source: source, isSecret: true)]
        var late = PropertyLayer(table)
        late.isSecret = true
        layers.append(late)
        late.table = table
        layers.append(late)
        for layer in layers {
            for value in [layer, layer.table, layer.table["placed"] as Any, Array(layer.table)] as [Any] {
                #expect(!dumped(value).contains(secret))
            }
            #expect(layer.table.map(\.key) == ["bare", "placed", "t"])
        }
        struct Vault: PropertyLoader {
            let layer: PropertyLayer
            func load() -> PropertyLayer { layer }
        }
        for layer in layers {
            let store = PropertyStore()
            try store.apply(Vault(layer: layer))
            #expect(store.property("bare") == secret)
            let name = layer.source?.name ?? "Vault"
            #expect(store.entries.map { "\($0.node)" } == Array(repeating: "******** (\(name))", count: 3))
        }
    }

    @Test("A warning about a secret source shows no line of it")
    func warning() throws {
        let loaders: [any PropertyLoader] = [
            JsonPropertyLoader(string: "{\"password\": 1, \"password\": \"\(secret)\"}", name: "s.json").secret(),
            DotEnvPropertyLoader(string: "PASSWORD=\(secret)\nPASSWORD=\(secret)", name: "s.env").secret(),
        ]
        for loader in loaders {
            let store = PropertyStore()
            try store.apply(loader)
            let warnings = try store.warnings + loader.load().propertyLayer.warnings
            #expect(warnings.count == 2)
            for warning in warnings { #expect(!dumped(warning.longDescription).contains(secret)) }
        }
    }

    @Test("If a store has a secret name, its warnings and errors show no line of a source")
    func declaredName() throws {
        let twice = "{\"db\": {\"password\": \"\(secret)\"}, \"db\": {\"password\": \"\(secret)\"}}"
        let store = PropertyStore()
        store.declareSecret("db.password")
        try store.apply(JsonPropertyLoader(string: twice, name: "twice.json"))
        #expect(store.warnings.map(\.reason) == [.duplicate])
        for warning in store.warnings { #expect(!dumped(warning.longDescription).contains(secret)) }
        let failing = [
            "\"db.password\" = \"\(secret)\"\ndb.password = \"\(secret)\"",
            "other = \"${missing} \(secret)\"",
        ]
        for text in failing {
            let loader = TomlPropertyLoader(string: text, name: "failing.toml").replacingPlaceholders()
            let error = loadError { try store.apply(loader) }
            #expect(error.map { !$0.longDescription.contains(secret) } == true)
        }
    }
}

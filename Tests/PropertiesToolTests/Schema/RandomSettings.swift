import Foundation
import PropertyLoaders

/// A settings type, with texts of JSON for its settings. The first text is valid.
struct RandomSettings: Sendable {
    let declare: @Sendable (PropertyStore, _ table: String) -> Void
    /// The names of the settings and tables below the table of the type.
    let fields: [(name: String, values: [String])]

    private init<T: Settings>(_ type: T.Type, _ fields: (String, [String])...) {
        declare = { $0.declare(type, at: $1) }
        self.fields = fields
    }

    static let types = [
        RandomSettings(
            Server.self,
            ("port", ["80", "0", "65536", "80.0", "\"80\""]),
            ("timeout", ["\"1s\"", "\"1ms\"", "2", "\"9.999ms\""]),
            ("signingKey", ["\"k\"", "5", "null"]),
            ("mode", ["\"fast\"", "\"slow\"", "null", "5"]),
            ("tls", ["{\"certificate\": \"a\"}", "{\"cert\": \"a\"}", "5", "null", "[]"]),
            ("tls.certificate", ["\"a\"", "5", "null"]), ("tls.depth", ["3", "\"3\"", "9"])),
        RandomSettings(
            Pool.self,
            ("max_size", ["4", "0", "5.0", "64", "65"]), ("load-factor", ["0.5", "1", "-1", "\"x\""]),
            ("hosts", ["[\"a\"]", "[]", "[1]", "\"a\"", "null"]),
            ("weights", ["{\"a\": 1}", "{\"a\": \"x\"}", "{}", "[]"]), ("limit", ["1", "11", "null", "\"1\""]),
            ("base_url", ["\"https://a.b\"", "\"not a url\"", "5"])),
        RandomSettings(
            Proxy.self,
            (
                "upstreams",
                [
                    "[{\"host\": \"a\"}]", "[]", "[{\"host\": \"a\", \"weight\": 3, \"tls\": {\"depth\": 2}}]",
                    "[{\"weight\": 3}]", "[{\"host\": 1}]", "[{\"host\": \"a\", \"wait\": 3}]", "[1]", "{}",
                    "[{\"host\": \"a\", \"tls\": {\"deep\": 2}}]", "[{\"host\": \"a\", \"tls\": 5}]", "[null]",
                    "[{\"host\": \"a\", \"weight\": 101}, {}]", "[{\"host\": null}]", "null",
                    "[{\"hos\": \"a\", \"weight\": -1, \"tls\": {\"deep\": 2, \"depth\": -1}}]",
                ]
            ),
            ("accounts", ["[{\"name\": \"a\", \"password\": \"p\"}]", "[{\"name\": \"a\"}]", "[{\"password\": 5}]"])),
        RandomSettings(
            Renamed.self, ("baseURL", ["\"x\"", "5"]), ("base_url", ["\"x\"", "5", "null"]),
            ("http", ["{\"wait\": 3}", "{\"wait\": 99}", "{\"wai\": 3}", "5"]), ("key", ["\"k\"", "5"]),
            ("tls", ["{\"cert\": \"a\"}", "{\"certificate\": 5}", "{\"cert\": 5}", "null", "[]"]),
            (
                "mirror",
                ["[{\"host-name\": \"a\"}]", "[{\"host-name\": 5}]", "[{\"host\": \"a\"}, {\"hos\": 1}]", "[]"]
            ),
            ("pools", ["{\"m\": {\"host-name\": \"a\"}}", "{\"m\": {\"host-name\": 5, \"host\": 1}}"])),
        RandomSettings(
            Forms.self,
            ("account", accounts), ("described", accounts), ("place.name", ["\"b\"", "5"]),
            ("accountList", accounts.map { "[\($0)]" } + ["5", "null", "[]"]),
            ("lists", accounts.map { "[[\($0)], []]" }),
            ("table", accounts.map { "{\"m\": \($0)}" } + ["{\"m\": {\"name\": 5}, \"n\": null}", "5", "[]", "{}"]),
            ("deep", accounts.map { "{\"m\": [\($0)]}" } + ["{\"m\": null}", "{\"m\": 5}", "null"]),
            (
                "tree",
                [
                    "{\"children\": [{\"children\": []}], \"named\": {\"a\": {\"key\": \"k\"}}}",
                    "{\"children\": [{\"kye\": 1}]}", "{\"named\": {\"a\": {\"children\": 5}}}",
                    "{\"children\": [{\"named\": {\"b\": {\"key\": 5}}}]}", "5", "null",
                ]
            ), ("tree.key", ["\"k\"", "5"])),
    ]

    private static let accounts = [
        "{\"password\": \"p\"}", "{}", "{\"password\": 5}", "{\"password\": \"p\", \"naem\": \"x\"}", "null", "5", "[]",
        "{\"name\": \"x\", \"password\": \"p\"}",
    ]
}

private struct Server: Settings {
    @Setting("Where clients connect", in: 1...65535, expected: "a port", needsRestart: true) var port = 8080
    @Setting("How long a request may take", in: .milliseconds(10)...) var timeout = Duration.seconds(30)
    @Setting("Signs the tokens", isSecret: true) var signingKey: String
    @Setting("How to store orders") var mode: Mode?
    var tls = TLS()

    enum Mode: String, CaseIterable, Decodable { case fast, safe }
}

private struct Renamed: Settings {
    struct TLS: Settings { @Setting(formerly: "cert") var certificate = "none" }
    struct Mirror: Settings { @Setting(formerly: "host-name") var host = "here" }
    @Setting("Where", formerly: "base_url") var baseURL = "a"
    @Setting(in: 1...60, formerly: "http.wait") var timeout = 30
    @Setting(formerly: "key", isSecret: true) var token: String?
    var tls: TLS?
    @Setting(formerly: "mirror") var mirrors: [Mirror] = []
    var pools: [String: Mirror] = [:]
}

private struct Forms: Settings {
    var account: Proxy.Account?
    @Setting("Described") var described: Proxy.Account?
    var place = Proxy.Account {
        $0.name = "place"
        $0.password = "p"
    }
    @Setting("Several") var accountList: [Proxy.Account]?
    var lists: [[Proxy.Account]] = []
    var table: [String: Proxy.Account] = [:]
    @Setting("Deep") var deep: [String: [Proxy.Account]?]?
    var tree = Tree()
}

private struct Tree: Settings {
    @Setting(isSecret: true) var key: String?
    var children: [Tree] = []
    var named: [String: Tree] = [:]
}

private struct TLS: Settings {
    @Setting var certificate = "server.pem"
    @Setting(in: 0..<9) var depth = 3
}

private struct Pool: Settings {
    static let naming = SettingNaming.snakeCase
    @Setting(in: 1...64) var maxSize = 4
    @Setting(in: 0..<1, key: "load-factor") var load = 0.5
    @Setting var hosts: [String] = ["a"]
    @Setting var weights: [String: Int] = [:]
    @Setting(in: 1...10) var limit: Int?
    @Setting var baseURL: URL?
}

private struct Proxy: Settings {
    var upstreams: [Upstream] = []
    var accounts: [Account] = []

    struct Upstream: Settings {
        @Setting var host: String
        @Setting(in: 0...100) var weight = 1
        var tls = TLS()
    }
    struct Account: Settings {
        @Setting var name = ""
        @Setting(isSecret: true) var password: String
    }
}

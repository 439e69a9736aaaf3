import Properties

// Settings types of different shapes.

enum Mode: String, Decodable, CaseIterable { case fast, safe }

struct TLSSettings: Settings, Equatable {
    @Setting("The certificate") var certificate = "/etc/tls/server.pem"
    @Setting var minimumVersion = 1.2
}

struct ServerSettings: Settings, Equatable {
    @Setting("Where clients connect", in: 1...65535) var port = 8080
    @Setting("The address to listen on") var host = "0.0.0.0"
    @Setting("How long a request may take", in: .milliseconds(10)...) var timeout = Duration.seconds(30)
    @Setting("Signs the tokens", isSecret: true) var signingKey: String
    @Setting var mode: Mode?
    var tls = TLSSettings()
}

/// Settings that all have defaults.
struct PoolSettings: Settings, Equatable {
    @Setting("Connections", in: 1...64) var size = 4
    @Setting(in: ..<1.0) var load = 0.5
    @Setting(in: 1...10) var limit: Int?
    @Setting("Names", check: { !$0.isEmpty }) var names = ["a"]
}

/// An element of an array.
struct Upstream: Settings, Equatable {
    @Setting("Where it is") var url: String
    @Setting("Its share", in: 0...100) var weight = 1
    var tls = TLSSettings()
}

struct ProxySettings: Settings, Equatable {
    static var naming: SettingNaming { .snakeCase }

    @Setting("The most connections", in: 1...) var maxConnections = 10
    @Setting(key: "log-level") var logLevel = Mode.safe
    @Setting("Extra headers") var headers: [String: String] = [:]
    var upstreams: [Upstream] = []
    var baseTLS = TLSSettings()
}

/// Settings that are all required.
struct AccountSettings: Settings, Equatable {
    @Setting var user: String
    @Setting(isSecret: true) var password: String
    @Setting(in: 1..<100) var level: UInt8
}

/// Nested twice, with an optional table as a value.
struct DeepSettings: Settings, Equatable {
    var proxy = ProxySettings()
    @Setting var fallback: Upstream?
    var pool = PoolSettings()
}

extension PropertyStore {
    /// Creates a store with a declared settings type, and applies the sources in order.
    convenience init(_ type: (some Settings).Type, at name: String? = nil, _ sources: any PropertyLoader...) throws {
        self.init()
        for source in sources { try apply(source) }
        declare(type, at: name)
    }
}

import PropertyLoaders

extension TypedKey<Int> {
    fileprivate static var port: Self {
        TypedKey("server.port", default: 8080, in: 1...65535, summary: "Where it listens", expected: "a port")
    }
    fileprivate static var workers: Self { TypedKey("server.workers") }
}

extension TypedKey<String> {
    fileprivate static var baseURL: Self { TypedKey("api.baseURL", default: "http://a") }
    fileprivate static var password: Self { TypedKey("db.password", isSecret: true) }
}

extension TypedKey<Bool> {
    fileprivate static var debug: Self { TypedKey("debug", default: false) }
}

extension TypedKey<[String]> {
    fileprivate static var hosts: Self { TypedKey("hosts", default: []) }
}

extension TypedKey<Level> {
    fileprivate static var level: Self { TypedKey("log.level", default: .info) }
}

extension TypedKey<UInt8> {
    fileprivate static var retries: Self { TypedKey("retries", default: 3) }
}

extension TypedKey<Double> {
    fileprivate static var rate: Self { TypedKey("rate", default: 0.5, in: 0...1) }
}

extension TypedKey<[String: Int]> {
    fileprivate static var quotas: Self { TypedKey("quotas", default: [:]) }
}

private enum Level: String, CaseIterable, Sendable {
    case debug, info
}

/// The declared keys of a service, their schemas, and a valid file.
enum ServiceKeys {
    /// A TOML file with a valid value for each key that has no default.
    static let goodFile = """
        debug = true
        hosts = ["a"]
        retries = 3
        rate = 1
        [server]
        port = 80
        workers = 4
        [db]
        password = "p"
        [quotas]
        a = 1

        """

    /// The schema of the keys, which refuses other keys.
    static var schema: String { store().reference(as: .jsonSchema(refusesUnknownKeys: true)) }

    /// The schema of the keys, which accepts other keys.
    static var openSchema: String { store().reference(as: .jsonSchema()) }

    /// Returns a store that declares the keys and has no values.
    static func store() -> PropertyStore {
        let store = PropertyStore()
        store.declare(.port, .workers, .baseURL, .password, .debug, .hosts, .level, .retries, .rate, .quotas)
        return store
    }
}

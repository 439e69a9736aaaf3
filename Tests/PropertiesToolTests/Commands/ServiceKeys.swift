import PropertyLoaders

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
    static var schema: String { store().jsonSchema(refusesUnknownKeys: true) }

    /// The schema of the keys, which accepts other keys.
    static var openSchema: String { store().jsonSchema() }

    /// Returns a store that declares the keys and has no values.
    static func store() -> PropertyStore {
        let store = PropertyStore()
        store.declare(
            TypedKey("server.port", default: 8080, in: 1...65535, summary: "Where it listens", expected: "a port"),
            TypedKey<Int>("server.workers"), TypedKey("api.baseURL", default: "http://a"),
            TypedKey<String>("db.password", isSecret: true), TypedKey("debug", default: false),
            TypedKey<[String]>("hosts", default: []), TypedKey("log.level", default: Level.info),
            TypedKey("retries", default: UInt8(3)), TypedKey("rate", default: 0.5, in: 0...1),
            TypedKey<[String: Int]>("quotas", default: [:]))
        return store
    }
}

import Container
import PropertyLoadersEssentials

/// A service's start: its configuration parsed, merged, and read.
enum Loading {
    static let text = """
        name = "orders"
        debug = false

        [server]
        host = "0.0.0.0"
        port = 8080
        backlog = 256
        timeout = 30.5
        allowed_origins = ["https://example.com", "https://admin.example.com"]

        [server.tls]
        enabled = true
        certificate = "/etc/service/tls/server.crt"
        key = "/etc/service/tls/server.key"

        [database]
        url = "postgres://db.internal:5432/orders"
        pool = { min = 2, max = 20 }
        statement_timeout = 5000
        retry = [1, 2, 5, 10]

        # Where orders are priced
        [pricing]
        endpoint = "https://pricing.example.com/v2"
        currency = "EUR"
        rounding = 0.01
        cache_seconds = 300

        [logging]
        level = "info"
        format = "json"
        files = ["/var/log/orders/access.log", "/var/log/orders/error.log"]

        [features]
        new_checkout = true
        bulk_import = false
        max_items = 500
        released = 2026-11-21T06:30:00Z

        [[partner]]
        name = "north"
        weight = 3

        [[partner]]
        name = "south"
        weight = 5
        """

    static func run() -> Int {
        let store = PropertyStore()
        do {
            try store.apply(TomlPropertyLoader(string: text, name: "config.toml"))
        } catch {
            return -1
        }
        let strings: [String?] = [
            store.property("name"), store.property("server.host"), store.property("database.url"),
            store.property("pricing.endpoint"), store.property("logging.level"),
        ]
        let integers: [Int?] = [
            store.property("server.port"), store.property("database.pool.max"), store.property("features.max_items"),
        ]
        let isDebug: Bool? = store.property("debug")
        let timeout: Double? = store.property("server.timeout")
        return strings.compactMap { $0?.count }.reduce(0, +) + integers.compactMap { $0 }.reduce(0, +)
            + (isDebug == true ? 1 : 0) + Int(timeout ?? 0)
    }
}

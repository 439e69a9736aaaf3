/// The configuration of `Document.startToml` and `Document.startJson` as a type.
public struct StartConfiguration: Decodable {
    struct Server: Decodable {
        struct Tls: Decodable {
            var enabled: Bool
            var certificate: String
            var key: String
        }

        var host: String
        var port: UInt16
        var backlog: Int
        var timeout: Double
        var allowed_origins: [String]
        var tls: Tls
    }

    struct Database: Decodable {
        struct Pool: Decodable {
            var min: Int
            var max: Int
        }

        var url: String
        var pool: Pool
        var statement_timeout: Int
        var retry: [Int]
    }

    struct Pricing: Decodable {
        var endpoint: String
        var currency: String
        var rounding: Double
        var cache_seconds: Int
    }

    struct Mail: Decodable {
        var relay: String
        var sender: String
        var copy_to: [String]
        var per_minute: Int
    }

    struct Logging: Decodable {
        var level: String
        var format: String
        var files: [String]
    }

    struct Features: Decodable {
        var new_checkout: Bool
        var bulk_import: Bool
        var max_items: Int
    }

    var name: String
    var debug: Bool
    var server: Server
    var database: Database
    var pricing: Pricing
    var mail: Mail
    var logging: Logging
    var features: Features
}

/// The configuration of `Document.startToml` and `Document.startJson` as a type.
public struct StartConfiguration: Decodable {
    public struct Server: Decodable {
        public struct Tls: Decodable {
            public var enabled: Bool
            public var certificate: String
            public var key: String
        }

        public var host: String
        public var port: UInt16
        public var backlog: Int
        public var timeout: Double
        public var allowed_origins: [String]
        public var tls: Tls
    }

    public struct Database: Decodable {
        public struct Pool: Decodable {
            public var min: Int
            public var max: Int
        }

        public var url: String
        public var pool: Pool
        public var statement_timeout: Int
        public var retry: [Int]
    }

    public struct Pricing: Decodable {
        public var endpoint: String
        public var currency: String
        public var rounding: Double
        public var cache_seconds: Int
    }

    public struct Mail: Decodable {
        public var relay: String
        public var sender: String
        public var copy_to: [String]
        public var per_minute: Int
    }

    public struct Logging: Decodable {
        public var level: String
        public var format: String
        public var files: [String]
    }

    public struct Features: Decodable {
        public var new_checkout: Bool
        public var bulk_import: Bool
        public var max_items: Int
    }

    public var name: String
    public var debug: Bool
    public var server: Server
    public var database: Database
    public var pricing: Pricing
    public var mail: Mail
    public var logging: Logging
    public var features: Features
}

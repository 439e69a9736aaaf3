extension Document {
    /// The configuration that a service reads when it starts: 1 KB of TOML.
    public static let startToml = Document(
        "start 1 KB",
        """
        # Settings of the order service.
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

        [mail]
        relay = "smtp.example.com:587"
        sender = "Orders <orders@example.com>"
        copy_to = ["archive@example.com"]
        per_minute = 120

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

        """)

    /// The same configuration in JSON, without the array of objects, which some of the peers cannot read.
    public static let startJson = Document(
        "start 1 KB",
        """
        {
          "name": "orders",
          "debug": false,
          "server": {
            "host": "0.0.0.0",
            "port": 8080,
            "backlog": 256,
            "timeout": 30.5,
            "allowed_origins": ["https://example.com", "https://admin.example.com"],
            "tls": {
              "enabled": true,
              "certificate": "/etc/service/tls/server.crt",
              "key": "/etc/service/tls/server.key"
            }
          },
          "database": {
            "url": "postgres://db.internal:5432/orders",
            "pool": { "min": 2, "max": 20 },
            "statement_timeout": 5000,
            "retry": [1, 2, 5, 10]
          },
          "pricing": {
            "endpoint": "https://pricing.example.com/v2",
            "currency": "EUR",
            "rounding": 0.01,
            "cache_seconds": 300
          },
          "mail": {
            "relay": "smtp.example.com:587",
            "sender": "Orders <orders@example.com>",
            "copy_to": ["archive@example.com"],
            "per_minute": 120
          },
          "logging": {
            "level": "info",
            "format": "json",
            "files": ["/var/log/orders/access.log", "/var/log/orders/error.log"]
          },
          "features": {
            "new_checkout": true,
            "bulk_import": false,
            "max_items": 500,
            "released": "2026-11-21T06:30:00Z"
          }
        }

        """)
}

import Properties

extension TypedKey<Int> {
    static let port = TypedKey("server.port", default: 8080, expected: "a port from 1 to 65535") {
        (1...65535).contains($0)
    }
}
extension TypedKey<String> {
    static let password = TypedKey("db.password", isSecret: true)
}

import Foundation
import Testing

/// The shop of `Fixtures/Shop` and its database, each in a process of its own.
struct RunningShop {
    static let folder = URL(filePath: #filePath).appending(path: "../../../../../../Fixtures/Shop").standardized

    let shop: Child
    let port: Int
    let database: Child
    let databasePort: Int

    /// Starts both, and waits until they listen.
    init(_ variables: [String: String] = [:], settings: String) async throws {
        database = try Child("ShopDatabase", ["0", "password-1"], files: [:])
        databasePort = try await Self.port(of: database)
        let url = ["SHOP_DB_URL": "http://127.0.0.1:\(databasePort)"]
        shop = try Self.child(url.merging(variables) { $1 }, settings: settings)
        port = try await Self.port(of: shop)
    }

    /// Starts a shop without a database.
    static func child(
        _ variables: [String: String], _ arguments: [String] = [], settings: String
    ) throws -> Child {
        var files = ["config.toml": settings]
        for name in ["secrets/server.token", "secrets/db.password"] {
            files[name] = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        }
        return try Child(
            "Shop", arguments, variables: ["SHOP_SERVER_PORT": "0"].merging(variables) { $1 }, files: files)
    }

    /// Sends a request to the shop until the response is the expected one.
    func wait(for path: String, _ isExpected: @escaping @Sendable (String) -> Bool) async throws {
        try await Self.wait(port, for: path, isExpected)
    }

    /// The connections of the database, by their passwords.
    func waitForConnections(_ isExpected: @escaping @Sendable (String) -> Bool) async throws {
        try await Self.wait(databasePort, for: "/connections", isExpected)
    }

    /// Replaces the secrets as Kubernetes does: the files are links into `..data`, which is a link to a folder, and is
    /// replaced by a link to a new folder.
    func mount(_ password: String, version: Int) throws {
        let secrets = ["db.password": password, "server.token": "open sesame\n"]
        for (name, text) in secrets { try shop.write(text, to: "secrets/..\(version)/\(name)") }
        try shop.link("secrets/..data", to: "..\(version)")
        if version == 1 { for name in secrets.keys { try shop.link("secrets/\(name)", to: "..data/\(name)") } }
        try? FileManager.default.removeItem(at: shop.folder.appending(path: "secrets/..\(version - 1)"))
    }

    /// Lets the database accept a password, or refuse it for new connections.
    func setPassword(_ password: String, isAccepted: Bool) async throws {
        let port = databasePort
        let response = try await onThread {
            try LoopbackClient(port: port).send(isAccepted ? "PUT" : "DELETE", "/passwords/\(password)")
        }
        try #require(response.status == 200)
    }

    private static func port(of child: Child) async throws -> Int {
        try await child.waitForOutput("listening on ")
        try await child.waitForOutput("\n")
        let text = try child.output.split(separator: "\n").compactMap { $0.split(separator: "listening on ").last }
        return try #require(text.lazy.compactMap { Int($0) }.first)
    }

    private static func wait(_ port: Int, for path: String, _ isExpected: @escaping @Sendable (String) -> Bool)
        async throws
    {
        let last = try await onThread {
            let client = try LoopbackClient(port: port)
            var response = try client.get(path)
            for _ in 0..<3000 where !isExpected(response.body) {
                usleep(10_000)
                response = try client.get(path)
            }
            return response
        }
        try #require(isExpected(last.body), "\(path): \(last)")
    }
}

import AsyncHTTPClient
import Foundation
import Hummingbird

/// The orders, in a database that is reached by HTTP.
///
/// The client keeps a pool of connections. A debug build ends the process if a client is released that is not shut
/// down.
struct Database: Sendable {
    private let client: HTTPClient
    private let settings: DatabaseSettings

    /// Connects, and checks the password.
    static func open(_ settings: DatabaseSettings) async throws -> Database {
        let database = Database(client: HTTPClient(eventLoopGroupProvider: .singleton), settings: settings)
        do {
            _ = try await database.count()
            return database
        } catch {
            try await database.close()
            throw error
        }
    }

    func insert(_ item: String, cents: Int) async throws {
        var request = request
        request.method = .POST
        request.body = .bytes(ByteBuffer(string: "\(cents) \(item)"))
        _ = try await send(request)
    }

    func count() async throws -> Int { Int(try await send(request)) ?? 0 }

    func close() async throws { try await client.shutdown() }

    private var request: HTTPClientRequest {
        var request = HTTPClientRequest(url: settings.url.appending(path: "orders").absoluteString)
        request.setBasicAuth(username: "shop", password: settings.password)
        return request
    }

    private func send(_ request: HTTPClientRequest) async throws -> String {
        let response = try await client.execute(request, timeout: .seconds(4))
        guard response.status == .ok else {
            throw DatabaseError(description: "the database answers \(response.status)")
        }
        return String(buffer: try await response.body.collect(upTo: 1024))
    }
}

struct DatabaseError: Error, CustomStringConvertible {
    let description: String
}

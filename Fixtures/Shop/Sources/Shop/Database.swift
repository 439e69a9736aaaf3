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
        do {
            let response = try await client.execute(request, timeout: .seconds(4))
            guard response.status == .ok else { throw DatabaseError(description: "it answers \(response.status)") }
            return String(buffer: try await response.body.collect(upTo: 1024))
        } catch  where !(error is CancellationError) {
            // The errors of the client do not say where it was connecting to.
            throw DatabaseError(description: "the database at \(settings.url.withoutSecrets): \(error)")
        }
    }
}

struct DatabaseError: Error, CustomStringConvertible {
    let description: String
}

extension URL {
    /// The URL for messages, without the user and the password.
    fileprivate var withoutSecrets: String {
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: false) else { return "an unknown URL" }
        (parts.user, parts.password, parts.query) = (nil, nil, nil)
        return parts.string ?? "an unknown URL"
    }
}

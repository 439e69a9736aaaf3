import AsyncHTTPClient
import Foundation
import Hummingbird

/// Announces orders to another service. The client ends the process if it is released before it is shut down.
struct Courier: Sendable {
    let client: HTTPClient
    let url: URL?

    func announce(_ item: String) async throws {
        guard let url else { return }
        var request = HTTPClientRequest(url: url.absoluteString)
        request.method = .POST
        request.body = .bytes(ByteBuffer(string: item))
        _ = try await client.execute(request, timeout: .seconds(10))
    }
}

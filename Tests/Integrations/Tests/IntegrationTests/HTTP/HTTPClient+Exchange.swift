import AsyncHTTPClient
import NIOCore
import PropertyLoaders

extension HTTPClient {
    /// Sends a request of an `HTTPPropertyLoader`.
    @Sendable func exchange(
        _ request: HTTPPropertyLoader.Request
    ) async throws -> HTTPPropertyLoader.Answer {
        var outgoing = HTTPClientRequest(url: request.url.absoluteString)
        for (name, value) in request.headers { outgoing.headers.add(name: name, value: value) }
        let response = try await execute(outgoing, timeout: TimeAmount(request.timeout))
        var body: [UInt8] = []
        for try await part in response.body {
            body += part.readableBytesView
            if body.count > request.bodyLimit { break }
        }
        return HTTPPropertyLoader.Answer(
            status: Int(response.status.code), headers: response.headers, body: body, url: response.url)
    }
}

import AsyncHTTPClient
import NIOCore
import PropertyLoaders

extension HTTPClient {
    /// Sends a request of an `HttpPropertyLoader`.
    @Sendable func exchange(
        _ request: HttpPropertyLoader.Request
    ) async throws -> HttpPropertyLoader.Answer {
        var outgoing = HTTPClientRequest(url: request.url.absoluteString)
        for (name, value) in request.headers { outgoing.headers.add(name: name, value: value) }
        let response = try await execute(outgoing, timeout: TimeAmount(request.timeout))
        var body: [UInt8] = []
        for try await part in response.body {
            body += part.readableBytesView
            if body.count > request.bodyLimit { break }
        }
        return HttpPropertyLoader.Answer(
            status: Int(response.status.code), headers: response.headers, body: body, url: response.url)
    }
}

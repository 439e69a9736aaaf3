import Foundation
import PropertyLoaders

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Compiled only: on Linux, URLSession ends the process on three kinds of answers.
extension URLSession {
    @Sendable func exchange(
        _ request: HttpPropertyLoader.Request
    ) async throws -> HttpPropertyLoader.Answer {
        var outgoing = URLRequest(url: request.url, timeoutInterval: request.timeout / .seconds(1))
        for (name, value) in request.headers { outgoing.setValue(value, forHTTPHeaderField: name) }
        let (body, response) = try await data(for: outgoing)
        guard let answer = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        let headers = answer.allHeaderFields.map { (name: "\($0.key)", value: "\($0.value)") }
        return HttpPropertyLoader.Answer(status: answer.statusCode, headers: headers, body: body, url: answer.url)
    }
}

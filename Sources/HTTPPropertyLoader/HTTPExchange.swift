internal import Foundation
internal import SharedState

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// One request and its answer, in a session of its own.
///
/// On Linux, URLSession ignores the timeout of a resource, sends `Authorization` to the target of a redirect, and
/// delivers more of a body after its task was cancelled. So the deadline, each redirect and the size are decided here.
final class HTTPExchange: NSObject, URLSessionDataDelegate, Sendable {
    enum Outcome: Sendable {
        case answer(HTTPURLResponse, [UInt8])
        /// The body has more bytes than allowed.
        case tooLarge
        /// The deadline has passed.
        case late
        /// A redirect that is not followed, and its target without path and query.
        case redirected(String)
        case failed(any Error)
        /// The task that waits was cancelled.
        case cancelled
    }

    /// The maximum number of redirects that are followed.
    static let redirectLimit = 5

    private struct State {
        var body: [UInt8] = []
        var redirects = 0
    }
    private let state = Guarded(State())
    private let sizeLimit: Int
    private let outcomes: AsyncStream<Outcome>.Continuation

    /// Sends a request, and waits for the whole answer.
    static func outcome(of request: URLRequest, within timeout: Duration, sizeLimit: Int) async -> Outcome {
        let (outcomes, sender) = AsyncStream.makeStream(of: Outcome.self, bufferingPolicy: .bufferingOldest(1))
        let exchange = HTTPExchange(sizeLimit, sender)
        let session = URLSession(configuration: configuration, delegate: exchange, delegateQueue: nil)
        let timer = Task {
            try await Task.sleep(for: timeout)
            sender.yield(.late)
        }
        defer {
            timer.cancel()
            session.invalidateAndCancel()
        }
        session.dataTask(with: request).resume()
        // The first outcome is the result. The stream also ends when the task is cancelled.
        for await outcome in outcomes { return outcome }
        return .cancelled
    }

    private init(_ sizeLimit: Int, _ outcomes: AsyncStream<Outcome>.Continuation) {
        (self.sizeLimit, self.outcomes) = (sizeLimit, outcomes)
    }

    /// No cookies, no cache, and no credentials but those of the request.
    private static var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        return configuration
    }

    private func end(_ task: URLSessionTask, _ outcome: Outcome) {
        outcomes.yield(outcome)
        task.cancel()
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let target = Self.origin(of: newRequest.url)
        let count = state.withLock { state in
            state.redirects += 1
            return state.redirects
        }
        if count <= Self.redirectLimit, target == Self.origin(of: response.url) { return completionHandler(newRequest) }
        completionHandler(nil)
        end(task, .redirected(target))
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard let response = response as? HTTPURLResponse else { return completionHandler(.cancel) }
        completionHandler(.allow)
        // An informational response, such as Early Hints, comes before the final one.
        if 100..<200 ~= response.statusCode { return }
        // The body of an error is not needed.
        if response.statusCode != 200 { return end(dataTask, .answer(response, [])) }
        if response.expectedContentLength > sizeLimit { end(dataTask, .tooLarge) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLarge = state.withLock { state in
            guard state.body.count + data.count <= sizeLimit else {
                state.body = []
                return true
            }
            state.body += data
            return false
        }
        if isTooLarge { end(dataTask, .tooLarge) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error { return end(task, .failed(error)) }
        guard let response = task.response as? HTTPURLResponse else { return end(task, .failed(URLError(.badServerResponse))) }
        end(task, .answer(response, state.withLock { $0.body }))
    }

    /// The scheme, the host and the port of a URL.
    private static func origin(of url: URL?) -> String {
        guard let url, let scheme = url.scheme?.lowercased(), let host = url.host()?.lowercased() else { return "another server" }
        return "\(scheme)://\(host):\(url.port ?? (scheme == "https" ? 443 : 80))"
    }
}

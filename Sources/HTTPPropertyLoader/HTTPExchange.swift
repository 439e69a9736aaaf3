internal import Foundation
internal import SharedState

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// One request and its answer, in a session of its own.
///
/// On Linux, URLSession ignores the timeout of a resource, and sends `Authorization` to the target of a redirect. So the
/// deadline and each redirect are decided here.
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
        let session = URLSession(configuration: configuration, delegate: exchange, delegateQueue: delegateQueue)
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
        outcomes.yield(.redirected(target))
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
        if response.statusCode != 200 {
            outcomes.yield(.answer(response, []))
        } else if response.expectedContentLength > sizeLimit {
            outcomes.yield(.tooLarge)
        }
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
        if isTooLarge { outcomes.yield(.tooLarge) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let response = task.response as? HTTPURLResponse, error == nil {
            outcomes.yield(.answer(response, state.withLock { $0.body }))
        } else {
            outcomes.yield(.failed(error ?? URLError(.badServerResponse)))
        }
    }

    /// The scheme, the host and the port of a URL.
    private static func origin(of url: URL?) -> String {
        guard let url, let scheme = url.scheme?.lowercased(), let host = url.host()?.lowercased() else {
            return "another server"
        }
        return "\(scheme)://\(host):\(url.port ?? (scheme == "https" ? 443 : 80))"
    }
}

#if canImport(FoundationNetworking)
    /// Calls the delegate on the thread that receives.
    ///
    /// With a queue, what is received meanwhile piles up in memory: 66 MB of a document with a limit of 1 MB. The
    /// delegate therefore must not call a method of its task, which would wait for this thread.
    private final class DirectQueue: OperationQueue, @unchecked Sendable {
        // @unchecked is safe: it has no state of its own, and its superclass may be used from any thread.
        override func addOperation(_ operation: Operation) { operation.start() }
    }

    private var delegateQueue: OperationQueue { DirectQueue() }
#else
    private var delegateQueue: OperationQueue? { nil }
#endif

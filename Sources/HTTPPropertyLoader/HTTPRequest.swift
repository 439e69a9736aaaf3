internal import Foundation
internal import PropertyLoadersEssentials

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The answer with a document.
struct HTTPAnswer: Sendable {
    let body: [UInt8]
    /// The media type, or an empty text.
    let type: String
    /// The headers by which the server is asked whether the document has changed.
    let validators: [String: String]

    init(_ body: [UInt8], _ response: HTTPURLResponse) {
        func header(_ name: String) -> String? { response.value(forHTTPHeaderField: name) }
        self.body = body
        type = header("Content-Type") ?? ""
        let modified = header("Last-Modified")
        // RFC 9110, 8.8.2.2: a document that was modified in the last second may be modified again in the same second.
        // The entity tags of nginx and others are made of this time and the size.
        let dates = [modified, header("Date")].map { $0.flatMap { Self.format.date(from: $0) } }
        if let modified = dates[0], let now = dates[1], now.timeIntervalSince(modified) < 2 {
            validators = [:]
        } else {
            validators = ["If-None-Match": header("ETag"), "If-Modified-Since": modified].compactMapValues(\.self)
        }
    }

    /// The format of dates in headers, such as "Tue, 24 Nov 2026 18:00:00 GMT".
    private static let format = {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return format
    }()
}

/// The requests for one document. All texts of it are without credentials.
struct HTTPRequest: Sendable {
    /// The URL for messages, without its user, password, query and fragment.
    let name: String
    /// Tells apart the documents of this process.
    let identity: String
    let sizeLimit: Int
    /// The URL without its user and password, or nil if it is not a URL of an HTTP server.
    private let url: URL?
    /// The header of the user and the password in the URL.
    private let authorization: String?
    /// The parts of the URL that no message may contain.
    private let secrets: [String]
    private let headers: @Sendable () async throws -> [String: String]
    private let timeout: Duration

    init(
        url: URL, headers: @escaping @Sendable () async throws -> [String: String], timeout: Duration, sizeLimit: Int
    ) {
        (self.headers, self.sizeLimit) = (headers, max(0, sizeLimit))
        self.timeout = max(.zero, min(timeout, .seconds(86_400)))
        var parts = URLComponents(url: url.absoluteURL, resolvingAgainstBaseURL: true) ?? URLComponents()
        // A short value of a query, such as "dc=a", is a part of many words and no secret.
        let values = (parts.queryItems ?? []).compactMap(\.value).filter { $0.count > 3 }
        secrets = [parts.password].compactMap(\.self) + values
        authorization = parts.user.map { user in
            "Basic \(Data("\(user):\(parts.password ?? "")".utf8).base64EncodedString())"
        }
        (parts.user, parts.password, parts.fragment) = (nil, nil, nil)
        let isHTTP = ["http", "https"].contains(parts.scheme?.lowercased()) && parts.host?.isEmpty == false
        self.url = isHTTP ? parts.url : nil
        // The hash differs in each process, so that nobody can guess a token in the query from it.
        let query = parts.query.map { " \($0.hashValue)" } ?? ""
        parts.query = nil
        name = parts.string ?? "a URL"
        identity = name + query
    }

    /// Asks for the document.
    ///
    /// - Parameter last: the last answer. The server is asked whether the document has changed since then.
    /// - Returns: the answer, or nil if the document has not changed.
    /// - Throws: a `PropertyLoadError`.
    func send(after last: HTTPAnswer?) async throws -> HTTPAnswer? {
        guard let url else {
            throw failure(
                .unsupported, "this is not the URL of an HTTP server", expected: "http:// or https:// and a host")
        }
        var request = URLRequest(url: url)
        var secrets = secrets
        if let authorization { request.setValue(authorization, forHTTPHeaderField: "Authorization") }
        for (name, value) in try await ownHeaders() {
            request.setValue(value, forHTTPHeaderField: name)
            secrets.append(value)
        }
        for (name, value) in last?.validators ?? [:] { request.setValue(value, forHTTPHeaderField: name) }
        switch await HTTPExchange.outcome(of: request, within: timeout, sizeLimit: sizeLimit) {
        case .answer(let response, let body): return try answer(response, body)
        case .tooLarge:
            throw failure(
                .limit, "the document is too large", expected: "at most \(sizeLimit) bytes",
                remedy: "Check the URL, or raise the `sizeLimit` of the loader")
        case .late:
            throw failure(.unavailable, "the server did not answer completely within \(timeout)")
        case .redirected(let target):
            throw failure(
                .unreadable, "the server redirects to \(target)",
                expected: "at most \(HTTPExchange.redirectLimit) redirects, to the same scheme, host and port",
                remedy: "Correct the URL of the loader")
        case .failed(let error):
            // A watcher reports an error again when its text changes, so the text must not contain a time.
            let text = error.localizedDescription.replacing(#/ after \d+ ms/#, with: "")
                // libcurl says only this of a line of more than 100 KB.
                .replacing("Out of memory", with: "out of memory, or a header is too long")
            // Some messages of the system contain parts of the request.
            let redacted = secrets.filter { !$0.isEmpty }.reduce(text) { $0.replacing($1, with: "********") }
            throw failure(.unavailable, "the request has failed: \(redacted)")
        case .cancelled: throw CancellationError()
        }
    }

    /// Returns an error of this source.
    func failure(
        _ reason: PropertyLoadError.Reason, _ problem: String, expected: String? = nil, remedy: String? = nil
    ) -> PropertyLoadError {
        let origin = PropertyOrigin(source: PropertySource(name: name, identity: identity))
        // None of the texts contains a part of the document.
        return PropertyLoadError(
            reason, problem, at: origin, expected: expected, remedy: remedy, quotes: false)
    }

    // RFC 9110, 5.5: white space around a value is not a part of it. A token that was read from a file often ends in a
    // line feed. Any other control character would begin another header.
    private func ownHeaders() async throws -> [(String, String)] {
        let headers: [String: String]
        do {
            headers = try await self.headers()
        } catch let error where !(error is PropertyLoadError || error is CancellationError) {
            let path = ((error as NSError).userInfo[NSFilePathErrorKey] as? String).map { "\($0): " } ?? ""
            throw failure(.unavailable, "the headers cannot be made: \(path)\(error.localizedDescription)")
        }
        return try headers.map { name, value in
            let value = value.trimmingCharacters(in: .whitespacesAndNewlines)
            let hasControl = (name + value).unicodeScalars.contains { $0.properties.generalCategory == .control }
            guard !hasControl else {
                throw failure(
                    .unsupported, "the header '\(name)' has a control character",
                    expected: "a name and one line of text"
                )
            }
            return (name, value)
        }
    }

    private func answer(_ response: HTTPURLResponse, _ body: [UInt8]) throws -> HTTPAnswer? {
        func header(_ name: String) -> String? { response.value(forHTTPHeaderField: name) }
        switch response.statusCode {
        case 200:
            let length = header("Content-Length"), isEncoded = header("Content-Encoding") != nil
            // Over TLS, the end of the connection is authenticated.
            guard url?.scheme?.lowercased() == "https" || length != nil || header("Transfer-Encoding") != nil else {
                throw failure(
                    .unreadable, "the answer has neither a length nor chunks, so nobody can tell whether it is complete"
                )
            }
            guard isEncoded || length == nil || length.flatMap({ Int($0) }) == body.count else {
                throw failure(.unavailable, "the answer has \(body.count) bytes, which is not its Content-Length")
            }
            return HTTPAnswer(body, response)
        case 304: return nil
        case 401, 403:
            throw failure(
                .unreadable, "the server refuses access (\(response.statusCode))",
                remedy: "Check the `headers` of the loader, and what they allow")
        case 404, 410:
            throw failure(
                .notFound, "the server has no such document (\(response.statusCode))", remedy: "Check the URL")
        case 408, 425, 429, 500...:
            throw failure(.unavailable, "the server answers with the status \(response.statusCode)")
        default:
            throw failure(.unreadable, "the server answers with the status \(response.statusCode)", expected: "200")
        }
    }
}

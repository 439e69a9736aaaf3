internal import SharedState

/// The document of an HTTP server, and the requests for it. None of its texts contains a credential.
struct HTTPDocument: Sendable {
    typealias Request = HttpPropertyLoader.Request
    typealias Answer = HttpPropertyLoader.Answer

    /// A state of the document.
    struct Revision: Sendable {
        let body: [UInt8]
        /// The media type, or an empty text.
        let type: String
        /// The headers by which the server is asked whether the document has changed.
        let validators: [String: String]
    }

    /// The maximum number of redirects that are followed.
    static let redirectLimit = 5

    /// The URL for messages, without its user, password, query and fragment.
    let name: String
    /// Distinguishes the documents of this process.
    let identity: String
    /// The query with a question mark before it and its secrets masked, or an empty text. No message has it, but the
    /// file of the last good document does.
    let query: String
    let sizeLimit: Int
    /// The URL without its user and password, or nil if it is not a URL of an HTTP server.
    private let url: URL?
    /// The header of the user and the password in the URL.
    private let authorization: String?
    /// The parts of the URL that no message may contain.
    private let secrets: [String]
    private let exchange: HttpPropertyLoader.Exchange
    private let headers: @Sendable () async throws -> [String: String]
    private let timeout: Duration

    init(
        url: URL, exchange: @escaping HttpPropertyLoader.Exchange,
        headers: @escaping @Sendable () async throws -> [String: String], timeout: Duration, sizeLimit: Int
    ) {
        // The limit is at most half of the largest number, so that the sums of an exchange do not overflow.
        (self.exchange, self.headers, self.sizeLimit) = (exchange, headers, max(0, min(sizeLimit, .max / 2)))
        self.timeout = timeout.bounded
        var parts = URLComponents(url: url.absoluteURL, resolvingAgainstBaseURL: true) ?? URLComponents()
        secrets = Self.secrets(of: parts)
        authorization = parts.user.map { user in
            "Basic \(Data("\(user):\(parts.password ?? "")".utf8).base64EncodedString())"
        }
        (parts.user, parts.password, parts.fragment) = (nil, nil, nil)
        let isHTTP = ["http", "https"].contains(parts.scheme?.lowercased()) && parts.host?.isEmpty == false
        self.url = isHTTP ? parts.url : nil
        // The hash differs in each process, so that nobody can guess a token in the query from it.
        let hash = parts.query.map { " \($0.hashValue)" } ?? ""
        let whole = URLSecrets.masked(parts.string ?? "")
        query = parts.query == nil ? "" : String(whole[(whole.firstIndex(of: "?") ?? whole.endIndex)...])
        parts.query = nil
        name = parts.string ?? "a URL"
        identity = name + hash
    }

    /// The parts of a URL that no message may contain. An error may contain them in the spelling of the URL.
    private static func secrets(of parts: URLComponents) -> [String] {
        let items = (parts.queryItems ?? []) + (parts.percentEncodedQueryItems ?? [])
        let values = [parts.query, parts.percentEncodedQuery].compactMap(\.self) + items.map { $0.value ?? $0.name }
        // A short value of a query, such as "dc=a", is a part of many words, and is not a secret.
        return [parts.password, parts.percentEncodedPassword].compactMap(\.self) + values.filter { $0.count > 3 }
    }

    /// Asks the server for the document.
    ///
    /// - Parameter last: the last revision. The server is asked whether the document has changed since then.
    /// - Returns: the revision, or nil if the document has not changed.
    /// - Throws: a `PropertyLoadError`. Its reason is `unreadable` or `notFound` if the server has answered without the
    ///   document.
    func fetch(after last: Revision?) async throws -> Revision? {
        guard let url else {
            throw failure(
                .unsupported, "this is not the URL of an HTTP server", expected: "http:// or https:// and a host")
        }
        let deadline = ContinuousClock.now + timeout
        guard let own = try await result(within: timeout, of: ownHeaders)?.get() else {
            throw failure(.unavailable, "the headers were not made within \(timeout)")
        }
        let headers = own.merging(last?.validators ?? [:]) { $1 }
        let outcome = await result(within: max(.zero, deadline - .now)) {
            try await answer(from: url, headers, hiding: secrets + Self.secrets(of: own.values), until: deadline)
        }
        guard let outcome else { throw late }
        return try revision(outcome.get())
    }

    private var late: PropertyLoadError {
        failure(.unavailable, "the server did not answer completely within \(timeout)")
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
}

// MARK: - Requests

extension HTTPDocument {
    /// Returns the headers of the service. Its `Authorization` takes the place of the user and the password of the URL.
    ///
    /// White space around a value is removed (RFC 9110, 5.5): a token that was read from a file often ends in a line feed.
    /// Any other control character would begin another header.
    @Sendable private func ownHeaders() async throws -> [String: String] {
        let headers: [String: String]
        do {
            headers = try await self.headers()
        } catch let error where !(error is PropertyLoadError || error is CancellationError) {
            let path = (error as? CocoaError)?.filePath.map { "\($0): " } ?? ""
            throw failure(.unavailable, "the headers cannot be made: \(path)\(error)")
        }
        let hasOwn = headers.keys.contains { $0.lowercased() == "authorization" }
        var own = hasOwn ? [:] : ["Authorization": authorization].compactMapValues(\.self)
        for (name, value) in headers {
            var value = value.drop(while: \.isWhitespace)
            while value.last?.isWhitespace == true { value.removeLast() }
            guard "\(name)\(value)".isOneLine else {
                throw failure(
                    .unsupported, "the header '\(name)' has a control character",
                    expected: "a name and one line of text")
            }
            own[name] = String(value)
        }
        return own
    }

    /// The texts of headers that no message may contain: the values, and what follows a scheme such as "Bearer".
    private static func secrets(of values: some Sequence<String>) -> [String] {
        values.flatMap { value in
            let rest = value.drop { !$0.isWhitespace }.drop(while: \.isWhitespace)
            return [value] + (rest.isEmpty ? [] : [String(rest)])
        }
    }

    /// Sends requests until an answer is not a redirect.
    ///
    /// - Parameters:
    ///   - start: the URL of the first request.
    ///   - headers: the headers of each request.
    ///   - secrets: the texts that no message may contain.
    ///   - deadline: the time at which the caller stops waiting.
    /// - Returns: the answer.
    /// - Throws: a `PropertyLoadError`.
    private func answer(
        from start: URL, _ headers: [String: String], hiding secrets: [String],
        until deadline: ContinuousClock.Instant
    ) async throws -> Answer {
        var url = start, secrets = secrets
        for _ in 0...Self.redirectLimit {
            // After a late redirect, nobody waits for another answer.
            let rest = deadline - .now
            if rest <= .zero { throw late }
            let request = Request(url: url, headers: headers, timeout: rest, bodyLimit: sizeLimit)
            let answer: Answer
            do {
                answer = try await exchange(request)
            } catch {
                // Some errors contain parts of the request.
                let text = secrets.filter { !$0.isEmpty }.sorted { $0.count > $1.count }
                    .reduce("\(error)") { $0.replacing($1, with: URLSecrets.mask) }
                throw failure(.unavailable, "the request has failed: \(text)")
            }
            guard let target = Self.target(of: answer, at: url) else { return answer }
            guard Self.origin(of: target) == Self.origin(of: start) else { throw redirected(to: target) }
            url = target
            secrets += URLComponents(url: url, resolvingAgainstBaseURL: true).map(Self.secrets) ?? []
        }
        throw redirected(to: url)
    }

    /// Returns the URL that an answer redirects to, or the URL of the answer if the client has followed a redirect to
    /// another server, or nil.
    private static func target(of answer: Answer, at url: URL) -> URL? {
        if let actual = answer.url, origin(of: actual) != origin(of: url) { return actual }
        guard [301, 302, 303, 307, 308].contains(answer.status), let location = answer.header("location") else {
            return nil
        }
        return URL(string: location, relativeTo: url)?.withoutUser ?? URL(string: "invalid:")
    }

    private func redirected(to target: URL) -> PropertyLoadError {
        failure(
            .unreadable, "the server redirects to \(Self.origin(of: target))",
            expected: "at most \(Self.redirectLimit) redirects, to the same scheme, host and port",
            remedy: "Correct the URL")
    }

    /// The scheme, the host and the port of a URL.
    private static func origin(of url: URL) -> String {
        guard let scheme = url.scheme?.lowercased(), let host = url.host()?.lowercased() else {
            return "another server"
        }
        return "\(scheme)://\(host):\(url.port ?? (scheme == "https" ? 443 : 80))"
    }
}

// MARK: - Answers

extension HTTPDocument {
    private func revision(_ answer: Answer) throws -> Revision? {
        switch answer.status {
        case 200:
            try checkCompleteness(of: answer)
            return Revision(
                body: answer.body, type: answer.header("content-type") ?? "", validators: Self.validators(of: answer))
        case 304: return nil
        case 401, 403:
            throw failure(
                .unreadable, "the server refuses access (\(answer.status))",
                remedy: "Check the credentials of this service, and their permissions")
        case 404, 410:
            throw failure(
                .notFound, "the server has no such document (\(answer.status))", remedy: "Check the URL")
        case 408, 425, 429, 500...:
            throw failure(.unavailable, "the server answers with the status \(answer.status)")
        default:
            throw failure(.unreadable, "the server answers with the status \(answer.status)", expected: "200")
        }
    }

    private func checkCompleteness(of answer: Answer) throws {
        let length = answer.header("content-length"), count = answer.body.count
        guard count <= sizeLimit else {
            throw failure(
                .limit, "the document is too large", expected: "at most \(sizeLimit) bytes",
                remedy: "Check the URL, or let the program accept a larger one")
        }
        // Over TLS, the end of the connection is authenticated.
        guard url?.scheme?.lowercased() == "https" || length != nil || answer.header("transfer-encoding") != nil else {
            throw failure(
                .unreadable, "the answer has neither a length nor chunks, so nobody can tell whether it is complete")
        }
        if answer.header("content-encoding") != nil {
            // The signature of gzip (RFC 1952, 2.3.1) begins no text.
            guard !answer.body.starts(with: [0x1F, 0x8B]) else {
                throw failure(
                    .unreadable, "the answer is compressed, and the HTTP client of this service does not decompress it",
                    remedy: "Let the client decompress answers, or the server send the document as it is")
            }
        } else if let length, Int(length) != count {
            throw failure(.unavailable, "the answer has \(count) bytes, which is not its Content-Length")
        }
    }

    /// Returns the headers that ask whether a document has changed since an answer.
    ///
    /// There are none if the document may have been modified within the second of the answer, because it may be
    /// modified again in that second (RFC 9110, 8.8.2.2). The entity tags of nginx and others do not show that: they
    /// are made of this time and the size.
    private static func validators(of answer: Answer) -> [String: String] {
        let modified = answer.header("last-modified")
        if let time = secondOfDay(modified), let now = secondOfDay(answer.header("date")),
            (now - time + 86_400) % 86_400 < 2
        {
            return [:]
        }
        return ["If-None-Match": answer.header("etag"), "If-Modified-Since": modified].compactMapValues { value in
            // A control character would begin another header.
            value.flatMap { $0.isOneLine ? $0 : nil }
        }
    }

    /// Returns the second of the day of a date such as "Tue, 24 Nov 2026 18:00:00 GMT".
    private static func secondOfDay(_ date: String?) -> Int? {
        let words = date?.split(separator: " ") ?? []
        guard words.count == 6 else { return nil }
        let numbers = words[4].split(separator: ":").compactMap { Int($0) }
        guard numbers.count == 3, zip(numbers, [24, 60, 61]).allSatisfy({ 0..<$1 ~= $0 }) else { return nil }
        return numbers[0] * 3600 + numbers[1] * 60 + numbers[2]
    }
}

extension String {
    /// Whether there is no control character, such as a line break.
    fileprivate var isOneLine: Bool { !unicodeScalars.contains { $0.properties.generalCategory == .control } }
}

extension URL {
    /// The absolute URL without a user, a password and a fragment, or nil if it has no such form.
    fileprivate var withoutUser: URL? {
        guard var parts = URLComponents(url: absoluteURL, resolvingAgainstBaseURL: true) else { return nil }
        (parts.user, parts.password, parts.fragment) = (nil, nil, nil)
        return parts.url
    }
}

extension HttpPropertyLoader {
    /// Sends a request with the HTTP client of the service, and returns the complete answer.
    ///
    /// An exchange throws if it gets no answer, or an answer that is cut off. It follows no redirect: the loader
    /// decides whether it sends another request. It stops when its task is cancelled, or when the body has more bytes
    /// than `bodyLimit`: it then returns the bytes that it has, and the loader reports that the document is too large.
    public typealias Exchange = @Sendable (Request) async throws -> Answer

    /// A GET request for a document.
    public struct Request: Sendable {
        /// The URL, with `http` or `https`, and without a user and a password.
        public let url: URL
        /// The headers, by name. They contain the credentials.
        public let headers: [String: String]
        /// The time that is left for the answer. The loader does not wait any longer.
        public let timeout: Duration
        /// The maximum number of bytes in the body of an answer that the loader accepts.
        public let bodyLimit: Int
    }

    /// The answer to a request.
    public struct Answer: Sendable {
        /// The status, such as 200.
        public let status: Int
        /// The headers. The case of their names does not matter.
        public let headers: [(name: String, value: String)]
        /// The bytes of the body, decompressed if the client does that.
        public let body: [UInt8]
        /// The URL of the server that has answered, or nil if the client follows no redirects.
        public let url: URL?

        /// Creates an answer.
        ///
        /// - Parameters:
        ///   - status: the status, such as 200.
        ///   - headers: the headers. The case of their names does not matter.
        ///   - body: the bytes of the body, decompressed if the client does that.
        ///   - url: the URL of the server that has answered. The loader refuses an answer for which the client has
        ///     followed a redirect to another server.
        public init(
            status: Int, headers: some Sequence<(name: String, value: String)>, body: some Sequence<UInt8>,
            url: URL? = nil
        ) {
            (self.status, self.headers, self.body, self.url) = (status, Array(headers), Array(body), url)
        }

        /// Returns the value of the first header with a name in lower case, or nil.
        func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name }?.value }
    }
}

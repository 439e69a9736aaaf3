internal import SharedState

/// Loads properties from a document of an HTTP server, with the HTTP client of the service.
///
///     let remote = HttpPropertyLoader(
///         url: URL(string: "https://config.example.com/shop.toml")!, exchange: client.exchange,
///         headers: { ["Authorization": "Bearer \(try String(contentsOf: tokenFile, encoding: .utf8))"] })
///     try await container.start([TomlPropertyLoader(url: file), remote])
///
/// While a `PropertyWatcher` runs, the loader asks the server at intervals whether the document has changed, with its
/// `ETag` or `Last-Modified`. While the server cannot be reached, the last values stay.
///
/// Neither messages nor descriptions contain the headers, or the user, the password and the query of the URL.
///
/// The package has no HTTP client. The article "With an HTTP server" has the few lines that send a request of the loader
/// with AsyncHTTPClient, or with URLSession on Apple's platforms.
public struct HttpPropertyLoader: AsyncPropertyLoader, NamedSource, SecretLoader, KeepingLoader {
    /// The default time between two requests: 30 s.
    public static let defaultInterval = Duration.seconds(30)
    /// The default time from the request to the end of the document: 5 s.
    public static let defaultTimeout = Duration.seconds(5)
    /// The default limit on the size of the document, in bytes: 1 MB.
    public static let defaultSizeLimit = 1 << 20

    private let source: HTTPDocument
    private let format: Format?
    private let part: [String]
    private let merge: MergeRule
    package let isSecret: Bool
    private let interval: Duration
    private var lastGood: LastGoodFile?
    private var memory = Guarded(Memory())

    /// The state that the loader keeps from one load to the next.
    private struct Memory {
        /// The last document that could be read. Its layer has no `onPublish`, which would keep this memory alive.
        var last: (revision: HTTPDocument.Revision, layer: PropertyLayer, format: Format)?
        /// The number of different documents in succession.
        var version = 0
        /// The last time at which the server answered.
        var confirmed: ContinuousClock.Instant?
        /// Whether values of this source have been in force. The file of the last good document is for a start only.
        var wasPublished = false
        /// The body that was written to the file, or whose writing has failed.
        var kept: [UInt8]?
        /// Why that body could not be written.
        var keepingFailure: PropertyLoadError?
    }

    /// Creates a loader.
    ///
    /// - Parameters:
    ///   - url: the document, with `http` or `https`. A user and a password in it are sent as basic authentication.
    ///   - exchange: sends a request, and returns the answer.
    ///   - headers: returns the headers of a source. It is called for each request, so that a token may be rotated.
    ///     White space around a value is removed.
    ///   - format: the format of the document. By default the extension of the URL's path decides, and otherwise the
    ///     `Content-Type` of the answer.
    ///   - part: the name of the table in the document that has the properties, such as `data.data`. By default it is
    ///     the whole document.
    ///   - merge: how tables are merged with tables of earlier sources, whatever the format.
    ///   - isSecret: whether the values are masked in every description, dump and error.
    ///   - interval: the time between two requests of a watcher. It varies by a tenth, so that the instances of a service
    ///     do not all ask at the same time.
    ///   - timeout: the maximum time from the call of `headers` to the end of the document. It should be shorter than
    ///     the time that a start gives to each source, which is 10 s by default.
    ///   - sizeLimit: the limit on the size of the document in bytes, after it was decompressed.
    ///   - lastGood: a file for the last document whose values were in force. A start uses it if the server cannot be
    ///     reached, with a warning. Only its owner may read the file. Each loader needs a file of its own.
    public init(
        url: URL, exchange: @escaping Exchange,
        headers: @escaping @Sendable () async throws -> [String: String] = { [:] }, format: Format? = nil,
        part: String = "", merge: MergeRule = .deep, isSecret: Bool = false, interval: Duration = defaultInterval,
        timeout: Duration = defaultTimeout, sizeLimit: Int = defaultSizeLimit, lastGood: URL? = nil
    ) {
        let source = HTTPDocument(
            url: url, exchange: exchange, headers: headers, timeout: timeout, sizeLimit: sizeLimit)
        self.source = source
        self.format = format ?? FileFormat(of: url).flatMap { Format($0) }
        self.part = part.split(separator: ".").map(String.init)
        (self.merge, self.isSecret) = (merge, isSecret)
        self.interval = max(.milliseconds(10), min(interval, .seconds(86_400)))
        self.lastGood = lastGood.map {
            LastGoodFile(url: $0, name: source.name, query: source.query, part: part)
        }
    }

    /// The URL without its user, password, query and fragment.
    package var sourceName: String { source.name }

    package var withoutKeeping: HttpPropertyLoader {
        var loader = self
        loader.lastGood?.isReadOnly = true
        loader.memory = Guarded(Memory())
        return loader
    }

    /// Asks the server for the document.
    ///
    /// - Returns: the properties. If the server answers that the document has not changed, they are the properties of
    ///   the last load. At a start, if the server cannot be reached, they are the properties in the file `lastGood`.
    /// - Throws: a `PropertyLoadError`. Its reason is `unavailable` if another attempt may succeed. The server may also
    ///   refuse access to a document, or no longer have it. Then the reason is `unavailable` if the server gave the
    ///   document before, to this loader or to the loader that wrote the file `lastGood`.
    public func load() async throws -> PropertyLayer {
        do {
            return try await document().layer
        } catch let error as PropertyLoadError where error.reason == .unavailable {
            guard let lastGood, !memory.withLock({ $0.wasPublished }) else { throw error }
            return try layer(of: lastGood, after: error)
        } catch let error as PropertyLoadError where [.unreadable, .notFound].contains(error.reason) && wasGood {
            throw source.failure(.unavailable, error.problem, expected: error.expected, remedy: error.remedy)
        }
    }

    /// Whether the URL has led to a document. Then an answer without a document is not a mistake in the configuration.
    private var wasGood: Bool { memory.withLock { $0.last != nil } || (try? lastGood?.read()) != nil }

    /// The last time at which the server answered that it has the last layer.
    public var confirmed: ContinuousClock.Instant? { memory.withLock { $0.confirmed } }

    /// An element after each change of the document, and one after the first source. The sequence ends with an error if
    /// the document cannot be loaded.
    public var changes: some AsyncSequence<Void, any Error> {
        // Several watchers may share a loader, so each sequence has the version that its watcher has seen.
        let seen = Guarded<Int?>(nil)
        return AsyncThrowingStream {
            var version: Int
            repeat {
                try await Task.sleep(for: interval * .random(in: 0.9...1.1))
                version = try await document().version
            } while seen.withLock { $0 } == version
            seen.withLock { $0 = version }
            return ()
        }
    }
}

// MARK: - Documents

extension HttpPropertyLoader {
    /// Asks the server for the document.
    private func document() async throws -> (layer: PropertyLayer, version: Int) {
        let (last, version) = memory.withLock { ($0.last, $0.version) }
        let revision = try await source.fetch(after: last?.revision)
        if let last, revision == nil || revision?.body == last.revision.body {
            memory.withLock { memory in
                memory.confirmed = .now
                // The same text may have another entity tag.
                if let revision { memory.last?.revision = revision }
            }
            return (publishing(last.layer, of: last.revision.body, last.format), version)
        }
        guard let revision else { throw source.failure(.unavailable, "the server says that nothing has changed") }
        guard let format = format ?? Format(contentType: revision.type) else {
            throw source.failure(
                .unsupported, "the answer has the type '\(revision.type)', which is none of the known formats",
                remedy: "Let the server send the type of the document, or let the program say its format")
        }
        var layer = try layer(revision.body, format)
        if layer.table.isEmpty, last?.layer.table.isEmpty == false {
            throw source.failure(
                .unavailable, "the document has no properties any more",
                remedy: "If that is intended, restart the service")
        }
        if let failure = memory.withLock({ $0.keepingFailure }) ?? lastGood?.failure { layer.warnings.append(failure) }
        let new = memory.withLock { memory in
            (memory.last, memory.confirmed) = ((revision, layer, format), .now)
            memory.version += 1
            return memory.version
        }
        return (publishing(layer, of: revision.body, format), new)
    }

    /// Returns a layer that keeps the body of its document when its values are in force.
    private func publishing(_ layer: PropertyLayer, of body: [UInt8], _ format: Format) -> PropertyLayer {
        var layer = layer
        layer.onPublish = { keep(body, format) }
        return layer
    }

    /// Returns the layer of the body of a document.
    private func layer(_ body: [UInt8], _ format: Format) throws -> PropertyLayer {
        let file = FileSource(bytes: body, name: source.name, identity: "\(source.identity) \(part)")
        do {
            var layer = try format.layer(file, source.sizeLimit)
            for (index, key) in part.enumerated() {
                guard case .table(let table) = layer.table[key]?.value else {
                    throw source.failure(
                        .notATable, "the document has no table '\(part[...index].joined(separator: "."))'",
                        remedy: "Check the URL, and the document on the server")
                }
                layer.table = table
            }
            layer.merge = merge
            layer.isSecret = isSecret
            return layer
        } catch let error as PropertyLoadError where isSecret {
            // The error may show a line of the document.
            throw error.redacted()
        }
    }
}

// MARK: - The last good document

extension HttpPropertyLoader {
    /// Writes a document whose values are in force, unless the file has it.
    private func keep(_ body: [UInt8], _ format: Format) {
        memory.withLock { $0.wasPublished = true }
        guard let lastGood, !lastGood.isReadOnly else { return }
        let isNew = memory.withLock { memory in
            defer { memory.kept = body }
            return memory.kept != body
        }
        guard isNew else { return }
        let failure = lastGood.write(body, format: format.name)
        memory.withLock { $0.keepingFailure = failure }
    }

    /// Returns the values of the last good document.
    ///
    /// - Parameters:
    ///   - file: the file.
    ///   - error: the reason why the document could not be loaded.
    /// - Returns: the layer, whose `outage` contains the error.
    /// - Throws: the error if there is no file, with the reason if the file cannot be used.
    private func layer(of file: LastGoodFile, after error: PropertyLoadError) throws -> PropertyLayer {
        let problem: String
        do {
            guard let kept = try file.read() else { throw error }
            guard let format = format ?? Format.known.first(where: { $0.name == kept.format }) else { throw error }
            var layer = try layer(kept.body, format)
            layer.outage = source.failure(
                .unavailable, "\(error.problem). The values are from \(kept.time), in \(file.path)")
            layer.onPublish = { memory.withLock { $0.wasPublished = true } }
            return layer
        } catch let failure as PropertyLoadError where failure.origin != error.origin {
            problem = "\(error.problem), and the last good document cannot be used: \(failure)"
        }
        throw source.failure(.unavailable, problem)
    }
}

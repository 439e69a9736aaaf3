/// A file with the last document whose values were in force, which only its owner may read.
///
/// The first line identifies the document, so that a loader does not take the values of another document.
struct LastGoodFile: Sendable {
    private let url: URL
    /// The first line but its first word: the URL without its secrets, and the part.
    private let document: String
    /// The same for messages, without the query.
    private let shown: String
    /// Whether the file is not written, because a command may be given by another user than the user of the service.
    var isReadOnly = false

    /// The limit on the size of the file, in bytes. The size limit of the loader applied to the document.
    private static let sizeLimit = 1 << 30

    /// Creates the file of a document.
    ///
    /// - Parameters:
    ///   - url: the file.
    ///   - name: the URL of the document without its query.
    ///   - query: the query without its secrets, which may change, or an empty text.
    ///   - part: the table of the document that has the properties, or an empty text.
    init(url: URL, name: String, query: String, part: String) {
        let end = part.isEmpty ? "" : " \(part)"
        self.url = url
        document = name + query + end
        shown = "'\(name)\(end)'" + (query.isEmpty ? "" : " with the same query")
    }

    var path: String { url.path }

    /// The reason why the file cannot be written, if it is known without an attempt, or nil.
    var failure: PropertyLoadError? {
        if isReadOnly { return nil }
        let folder = url.deletingLastPathComponent().path
        let isDirectory = (try? System.status(at: folder))?.kind == .directory
        return isDirectory && FileManager.default.isWritableFile(atPath: folder)
            ? nil : unwritten("the directory does not exist, or this user may not write to it")
    }

    /// Reads the document, or returns nil if there is no file.
    ///
    /// - Throws: a `PropertyLoadError` if the file cannot be read, or has another document.
    func read() throws -> (body: [UInt8], format: String, time: String)? {
        let bytes: [UInt8]
        do {
            bytes = try FileSource(url: url).read(limit: Self.sizeLimit).bytes
        } catch let error as PropertyLoadError where error.reason == .notFound {
            return nil
        }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        let words = String(decoding: lines[0], as: UTF8.self).split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2, words[1] == document, lines.count == 2 else {
            throw PropertyLoadError(
                .unreadable, "it has another document", at: origin, expected: shown,
                remedy: "Let the program keep each document in a file of its own")
        }
        let time = try? System.status(at: path)?.modified
        let date = time.map { Date(timeIntervalSince1970: $0 / .seconds(1)).formatted(Date.ISO8601FormatStyle()) }
        return (Array(lines[1]), words[0], date ?? "an unknown time")
    }

    /// Replaces the file in one step.
    ///
    /// - Returns: the reason why that failed, or nil.
    func write(_ body: [UInt8], format: String) -> PropertyLoadError? {
        if let failure { return failure }
        return System.replaceFile(at: path, with: Array("\(format) \(document)\n".utf8) + body).map(unwritten)
    }

    private var origin: PropertyOrigin { PropertyOrigin(source: PropertySource(name: path)) }

    private func unwritten(_ problem: String) -> PropertyLoadError {
        PropertyLoadError(
            .unreadable, "the last good document cannot be kept here: \(problem)", at: origin,
            remedy: "Create the directory, and let the service write to it")
    }
}

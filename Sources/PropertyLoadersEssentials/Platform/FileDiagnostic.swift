import Properties

/// The reason why a file cannot be read. A caller that knows the source converts it to a `PropertyLoadError`.
struct FileDiagnostic: Error, Hashable {
    let reason: PropertyLoadError.Reason
    let problem: String
    var expected: String?
    var remedy: String?

    init(
        _ problem: String, reason: PropertyLoadError.Reason = .unreadable, expected: String? = nil,
        remedy: String? = nil
    ) {
        (self.problem, self.reason, self.expected, self.remedy) = (problem, reason, expected, remedy)
    }

    func error(at source: PropertySource) -> PropertyLoadError {
        PropertyLoadError(
            reason, problem, at: PropertyOrigin(source: source), expected: expected, remedy: remedy)
    }
}

extension PropertySource {
    /// Runs code that reads this source, and converts its error to a `PropertyLoadError` that names the source.
    ///
    /// - Parameters:
    ///   - path: the path that is read, or nil if the code knows more about a missing file.
    ///   - read: the code.
    /// - Returns: the result of the code.
    /// - Throws: the error.
    func naming<Value>(
        path: String? = nil, _ read: () throws(FileDiagnostic) -> Value
    ) throws(PropertyLoadError) -> Value {
        do throws(FileDiagnostic) {
            return try read()
        } catch {
            let missing = path.map { FileDiagnostic.missing(at: $0) }
            throw (error == .missing ? missing ?? error : error).error(at: self)
        }
    }
}

// MARK: - Common diagnostics

extension FileDiagnostic {
    static let missing = FileDiagnostic(
        "no such file", reason: .notFound,
        remedy: "Check the path, and the directory that the program was started in")

    /// The diagnostic of a missing file, which has more to say if its path may not be UTF-8.
    static func missing(at path: String) -> FileDiagnostic {
        guard mayBeBytes(path) else { return .missing }
        return FileDiagnostic(
            "no such file", reason: .notFound, expected: "a path in UTF-8",
            remedy: "Rename each part of '\(path)' that has U+FFFD in place of bytes that are not UTF-8")
    }

    /// Whether a path may be that of a file whose name is not UTF-8. Decoding replaces the invalid bytes by U+FFFD, so
    /// nothing is at the decoded path.
    static func mayBeBytes(_ path: String) -> Bool { path.unicodeScalars.contains("\u{FFFD}") }

    static let notText = FileDiagnostic(
        "the path of this URL is not text", expected: "a path in UTF-8", remedy: "Rename the file or the directory")

    static let forbidden = FileDiagnostic(
        "the file may not be read by this user", remedy: "Check the permissions of the file and of its directories")

    static let directory = FileDiagnostic(
        "this is a directory", expected: "a file", remedy: "Name a file in it")

    static let notRegular = FileDiagnostic(
        "this is a pipe, a socket or a device", expected: "a regular file",
        remedy: "Read it first and load its bytes; the command-line tool takes them on standard input, as '-'")

    static let notAFileURL = FileDiagnostic(
        "this URL leads to no file", expected: "a file URL",
        remedy: "Make it with URL(filePath:), or fetch the text first and load it with string: and name:")

    /// The size of a file, or the total size of several files, exceeds the limit.
    static func tooLarge(_ size: Int, limit: Int) -> FileDiagnostic {
        FileDiagnostic(
            "\(size) bytes are more than the limit of \(limit)", reason: .limit,
            remedy: "Check that this is the right file, or raise the limit in the loader's limits")
    }

    static let circularLinks = FileDiagnostic(
        "the links in this path lead in a circle", remedy: "Remove the link that leads back to its own path")

    static let longName = FileDiagnostic(
        "this path, or a name in it, is too long for the system", remedy: "Use a shorter path")

    /// A failure that may be temporary, such as a lack of memory or a disk error.
    static func transient(
        _ cause: String, remedy: String = "Load it again later; a watcher does so by itself"
    ) -> FileDiagnostic {
        FileDiagnostic("the file cannot be read now: \(cause)", reason: .unavailable, remedy: remedy)
    }

    /// The process has as many open files as it may have.
    static func noDescriptor(_ cause: String) -> FileDiagnostic {
        .transient(
            cause,
            remedy: "Close files that are not needed, or raise the limit (ulimit -n); a watcher tries again by itself")
    }

    /// Any other failure to read a file.
    static func failed(_ cause: String, remedy: String? = nil) -> FileDiagnostic {
        FileDiagnostic("the file cannot be read: \(cause)", remedy: remedy)
    }
}

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
        // It quotes no text of the file.
        PropertyLoadError(
            reason, problem, at: PropertyOrigin(source: source), expected: expected, remedy: remedy, quotes: false)
    }
}

extension PropertySource {
    /// Runs code that reads this source, and converts its error to a `PropertyLoadError` that names the source.
    ///
    /// - Parameter read: the code.
    /// - Returns: the result of the code.
    /// - Throws: the error.
    func naming<Value>(_ read: () throws(FileDiagnostic) -> Value) throws(PropertyLoadError) -> Value {
        do throws(FileDiagnostic) { return try read() } catch { throw error.error(at: self) }
    }
}

// MARK: - Common diagnostics

extension FileDiagnostic {
    static let missing = FileDiagnostic(
        "no such file", reason: .notFound,
        remedy: "Create it, correct its path, or start the program in the directory that has it")

    /// The diagnostic of a missing file whose name in messages may be relative to a directory.
    static func missing(_ name: String, at path: String) -> FileDiagnostic {
        guard path.ends(with: "/\(name)") else { return missing }
        let parent = String(decoding: path.utf8.dropLast(name.utf8.count + 1), as: UTF8.self)
        let directory = parent.isEmpty ? "/" : parent
        return FileDiagnostic("no such file in \(directory)", reason: .notFound, remedy: missing.remedy)
    }

    /// The name of the source may be a relative path.
    static func missingDirectory(_ path: String) -> FileDiagnostic {
        FileDiagnostic("no such directory \(path)", reason: .notFound, remedy: "Create it, or mount it there")
    }

    static let notADirectory = FileDiagnostic(
        "this is a file", expected: "a directory whose files are the properties",
        remedy: "Name the directory, or load the file in its own format")

    static let notText = FileDiagnostic(
        "the path of this URL is not text", expected: "a path in UTF-8", remedy: "Rename the file or the directory")

    static let utf16 = FileDiagnostic(
        "the text is in UTF-16", reason: .syntax, expected: "UTF-8", remedy: "Save the file as UTF-8")

    static let forbidden = FileDiagnostic(
        "the file may not be read by this user", remedy: "Check the permissions of the file and of its directories")

    static let forbiddenDirectory = FileDiagnostic(
        "the directory may not be read by this user", remedy: "Check its permissions, and those of its directories")

    static let directory = FileDiagnostic(
        "this is a directory", expected: "a file",
        remedy: "Name a file in it. If a file should be mounted here, check that the file exists: a container runtime "
            + "makes a directory where it does not")

    static let notRegular = FileDiagnostic(
        "this is a pipe, a socket or a device", expected: "a regular file",
        remedy: "Copy its contents to a file, and name the file; the command-line tool takes it on standard input, "
            + "as '-'")

    static let notAFileURL = FileDiagnostic(
        "this URL leads to no file", expected: "a file URL",
        remedy: "Let the program make it from a path, with URL(filePath:)")

    static let noWorkingDirectory = FileDiagnostic(
        "the directory that the program was started in does not exist any more",
        remedy: "Start it in another directory, or give an absolute path")

    /// The size of a file, or the total size of several files, exceeds the limit.
    static func tooLarge(_ size: Int, limit: Int) -> FileDiagnostic {
        FileDiagnostic(
            "\(size) bytes are more than the limit of \(limit)", reason: .limit,
            remedy: "Check that this is the right file, or let the program accept a larger one")
    }

    static let circularLinks = FileDiagnostic(
        "the links in this path lead in a circle", remedy: "Remove the link that leads back to its own path")

    static let longName = FileDiagnostic(
        "this path, or a name in it, is too long for the system", remedy: "Use a shorter path")

    /// A failure that may be temporary, such as a lack of memory or a disk error.
    static func transient(
        _ cause: String, remedy: String = "Try again later; a running service does so by itself"
    ) -> FileDiagnostic {
        FileDiagnostic("the file cannot be read now: \(cause)", reason: .unavailable, remedy: remedy)
    }

    /// Any other failure to read a file.
    static func failed(_ cause: String, remedy: String? = nil) -> FileDiagnostic {
        FileDiagnostic("the file cannot be read: \(cause)", remedy: remedy)
    }
}

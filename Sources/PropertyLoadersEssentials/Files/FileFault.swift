import Properties

/// Why a file cannot be read, before it has words.
enum FileFault: Error, Hashable {
    case notAFileURL
    case missing
    case directory
    case notRegular
    case forbidden
    /// A link whose target is not there.
    case danglingLink
    /// The path leads out of the directory that placeholders may read.
    case outside(of: String)
    /// The name is no UTF-8.
    case nameOfBytes
    case tooLarge(size: Int, limit: Int)
    /// What may go away by itself, in the words of the operating system: no descriptor is left, the disk fails.
    case passing(String)
    /// Any other error, in the words of the operating system.
    case system(String)

    /// The one place that puts these into words.
    func error(at source: PropertySource) -> PropertyLoadError {
        let origin = PropertyOrigin(source: source)
        switch self {
        case .notAFileURL:
            return PropertyLoadError(
                .unreadable, "this URL leads to no file", at: origin, expected: "a file URL",
                remedy: "Make it with URL(filePath:), or fetch the text first and load it with string: and name:")
        case .missing:
            return PropertyLoadError(
                .notFound, "no such file", at: origin,
                remedy: "Check the path, and the directory that the program was started in")
        case .directory:
            return PropertyLoadError(
                .unreadable, "this is a directory", at: origin, expected: "a file",
                remedy: "Name a file in it")
        case .notRegular:
            return PropertyLoadError(
                .unreadable, "this is a pipe, a socket or a device", at: origin, expected: "a regular file",
                remedy: "Read it first and load its bytes; the command-line tool takes them on standard input, as '-'")
        case .forbidden:
            return PropertyLoadError(
                .unreadable, "the file may not be read by this user", at: origin,
                remedy: "Check the permissions of the file and of its directories")
        case .danglingLink:
            return PropertyLoadError(
                .unreadable, "this link leads nowhere", at: origin,
                remedy: "Remove the link, or put the file where it leads")
        case .outside(let directory):
            return PropertyLoadError(
                .unreadable, "the file is outside of the directory that placeholders may read", at: origin,
                expected: "a file in '\(directory)'")
        case .nameOfBytes:
            return PropertyLoadError(
                .unreadable, "the name of this file is no text", at: origin, expected: "a name in UTF-8",
                remedy: "Rename the file")
        case .tooLarge(let size, let limit):
            return PropertyLoadError(
                .limit, "\(size) bytes are more than the limit of \(limit)", at: origin,
                remedy: "Check that this is the right file, or raise the limit in the loader's limits")
        case .passing(let text):
            return PropertyLoadError(
                .unavailable, "the file cannot be read now: \(text)", at: origin,
                remedy: "Load it again later; a watcher does so by itself")
        case .system(let text):
            return PropertyLoadError(.unreadable, "the file cannot be read: \(text)", at: origin)
        }
    }
}

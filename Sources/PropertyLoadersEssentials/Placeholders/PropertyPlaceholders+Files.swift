public import Properties
import TextBasics

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension PropertyPlaceholders {
    /// Allows placeholders to refer to files in a directory and below it: `${file:/run/secrets/key}`.
    ///
    ///     store.replacePlaceholders(.properties.files(under: URL(filePath: "/run/secrets")))
    ///
    /// The path in the placeholder is absolute. A path that leads out of the directory, by `..` or by a link, is an
    /// error. The text of a file is secret, and one line break at its end is removed. The size limit of a file is 1 MB.
    /// If a file is missing, the default of the placeholder is used, and a watcher notices when the file appears.
    ///
    /// - Parameter directory: the directory. Only trusted users may have write access to it, since another user could
    ///   replace a directory in it by a link to another place during a read. `/` allows every file that the process may
    ///   read.
    /// - Returns: a copy of these placeholders that also allows the files.
    public func files(under directory: URL) -> PropertyPlaceholders {
        let files = PlaceholderFiles(directory: directory)
        var rules = self
        rules.lookups["file"] = { try files.text(at: $0) }
        // Missing files are watched, too, since a mounted secret may appear later.
        rules.watched["file"] = { files.mayRead($0) ? [$0] : [] }
        return rules
    }
}

/// Reads the files that placeholders refer to.
private struct PlaceholderFiles: Sendable {
    /// The limit on the size of a file, in bytes.
    private static let sizeLimit = 1 << 20

    private let url: URL
    private let directory: String

    init(directory: URL) {
        url = directory
        self.directory = directory.standardizedFileURL.path
    }

    /// Returns the text of a file, or nil if it is missing.
    func text(at path: String) throws(PropertyLoadError) -> PropertyPlaceholders.LookupResult? {
        let source = PropertySource(name: path)
        guard path.begins(with: "/") else {
            throw PropertyLoadError(
                .unsupported, "the path of the file is relative", at: PropertyOrigin(source: source),
                expected: "an absolute path", remedy: "Begin the path with /")
        }
        return try source.naming { () throws(FileDiagnostic) in
            guard url.isFileURL else { throw .notAFileURL }
            guard mayRead(path) else { throw outside }
            do throws(FileDiagnostic) {
                guard let target = try target(of: path) else { return nil }
                let bytes = try RegularFile.bytes(at: target, limit: Self.sizeLimit)
                // Checks the path again, since a link in it may have been created after the first check.
                guard try self.target(of: path) == target else { throw outside }
                guard case .text(let text) = PropertyValue(contentOfFile: bytes) else {
                    throw .failed("it is not text in UTF-8")
                }
                return .init(text, isSecret: true, files: [path])
            } catch .missing {
                return nil
            }
        }
    }

    /// Whether a path is in the directory, if its links are ignored.
    ///
    /// This check comes before any access to the file system, so that placeholders cannot find out whether files
    /// outside of the directory exist.
    func mayRead(_ path: String) -> Bool {
        var parts: [String] = []
        for part in path.parts(between: "/").map({ String($0) }) {
            switch part {
            case "", ".": break
            case "..": _ = parts.popLast()
            default: parts.append(part)
            }
        }
        return path.begins(with: "/") && Self.isInside("/" + parts.joined(separator: "/"), directory)
    }

    /// Returns the path with all links resolved, or nil if the file is missing. Throws an error if the resolved path is
    /// outside of the directory.
    private func target(of path: String) throws(FileDiagnostic) -> String? {
        guard let target = try System.realPath(path), let root = try System.realPath(directory) else { return nil }
        guard Self.isInside(target, root) else { throw outside }
        return target
    }

    private var outside: FileDiagnostic {
        FileDiagnostic(
            "the file is outside of the directory that placeholders may read", expected: "a file in '\(directory)'")
    }

    private static func isInside(_ path: String, _ directory: String) -> Bool {
        path.begins(with: directory.utf8.last == UInt8(ascii: "/") ? directory : directory + "/")
    }
}

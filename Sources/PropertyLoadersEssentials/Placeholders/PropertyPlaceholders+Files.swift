public import Properties
import TextBasics

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension PropertyPlaceholders {
    /// Allows the files in a directory and below it: `${file:/run/secrets/key}`.
    ///
    ///     store.replacePlaceholders(.properties.files(under: URL(filePath: "/run/secrets")))
    ///
    /// The path in the placeholder is absolute. A path that leads out of the directory, by `..` or by a link, is an error.
    /// The text is secret and loses one line break at its end. A file has at most 1 MB. The default of the placeholder
    /// replaces a missing file, and a watcher notices when the file appears.
    ///
    /// - Parameter directory: the directory. Only trusted users may have write access to it: a link that replaces a
    ///   directory during a read can lead out of it. `/` allows every file that the process may read.
    /// - Returns: these placeholders with the files added.
    public func files(under directory: URL) -> PropertyPlaceholders {
        let files = PlaceholderFiles(directory: directory)
        var rules = self
        rules.lookups["file"] = { try files.text(at: $0) }
        // Also while the default replaces a missing file: a mounted secret may appear later.
        rules.watched["file"] = { files.mayRead($0) ? [$0] : [] }
        return rules
    }
}

/// The files that placeholders may name.
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
                expected: "an absolute path")
        }
        return try source.naming { () throws(FileDiagnostic) in
            guard url.isFileURL else { throw .notAFileURL }
            guard mayRead(path) else { throw outside }
            do throws(FileDiagnostic) {
                guard let target = try target(of: path) else { return nil }
                let bytes = try RegularFile.bytes(at: target, limit: Self.sizeLimit)
                // A link may have been created on the way since the path was checked.
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

    /// Whether a path without links leads into the directory.
    ///
    /// Checked before the file system is asked, so that placeholders cannot test whether files outside exist.
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

    /// Returns the path without links, or nil if the file is missing.
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

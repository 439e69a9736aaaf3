extension PropertyPlaceholders {
    /// Allows placeholders to refer to files in a directory and below it: `${file:/run/secrets/key}`.
    ///
    ///     store.replacePlaceholders(.properties.files(under: URL(filePath: "/run/secrets")))
    ///
    /// The path in the placeholder is absolute. A path that leads out of the directory, by `..` or by a link, is an
    /// error. The text of a file is secret. It is read as by `DirectoryPropertyLoader`: a byte order mark and one line
    /// break at its end are removed, and a warning names a file with other white space or with quotation marks around
    /// its text. The size limit of a file is 1 MB. A reload is refused if a file had text and is empty now. If a file
    /// is missing, the default of the placeholder is used, and a watcher notices when the file appears.
    ///
    /// - Parameter directory: the directory. Only trusted users may have write access to it, since another user could
    ///   replace a directory in it by a link to another place during a read. `/` allows every file that the process may
    ///   read.
    /// - Returns: a copy of these placeholders that also allows the files.
    public func files(under directory: URL) -> PropertyPlaceholders {
        var rules = self
        rules.lookups["file"] = { path in
            let source = PropertySource(name: path)
            guard path.begins(with: "/") else {
                throw PropertyLoadError(
                    .unsupported, "the path of the file is relative", at: PropertyOrigin(source: source),
                    expected: "an absolute path", remedy: "Begin the path with /")
            }
            let text = try source.naming { () throws(FileDiagnostic) in
                guard directory.isFileURL else { throw .notAFileURL }
                return try Self.text(at: path, under: directory.standardizedFileURL.path)
            }
            var result = LookupResult(text, isSecret: true, files: [path])
            result.warning = text.flatMap {
                PropertyValue.text($0).warningAboutEnds(at: PropertyOrigin(source: source))
            }
            return result
        }
        return rules
    }

    /// The limit on the size of a file, in bytes.
    private static let fileSizeLimit = 1 << 20

    /// Returns the text of a file, or nil if it is missing.
    private static func text(at path: String, under directory: String) throws(FileDiagnostic) -> String? {
        let outside = FileDiagnostic(
            "the file is outside of the directory that placeholders may read", expected: "a file in '\(directory)'")
        // Returns the path with all links resolved, or nil if the file is missing.
        func target() throws(FileDiagnostic) -> String? {
            guard let target = try System.realPath(path), let root = try System.realPath(directory) else { return nil }
            guard isInside(target, root) else { throw outside }
            return target
        }
        // This check comes before any access to the file system, so that placeholders cannot find out whether files
        // outside of the directory exist.
        guard isInside(withoutDots(path), directory) else { throw outside }
        guard let first = try target() else { return nil }
        do throws(FileDiagnostic) {
            let bytes = try RegularFile.bytes(at: first, limit: fileSizeLimit)
            // Checks the path again, since a link in it may have been created after the first check.
            guard try target() == first else { throw outside }
            guard case .text(let text) = try PropertyValue(contentOfFile: bytes) else {
                throw .failed("it is not text in UTF-8")
            }
            return text
        } catch .missing {
            return nil
        }
    }

    /// Returns an absolute path without `.` and `..`, as if it had no links.
    private static func withoutDots(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.parts(between: "/") where !part.isEmpty && !part.isSame(as: ".") {
            if part.isSame(as: "..") { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }

    private static func isInside(_ path: String, _ directory: String) -> Bool {
        path.begins(with: directory.utf8.last == .slash ? directory : directory + "/")
    }
}

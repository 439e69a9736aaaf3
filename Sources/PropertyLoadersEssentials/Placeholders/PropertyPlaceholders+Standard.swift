public import Properties

extension PropertyPlaceholders {
    /// Properties, the environment (`${env:HOME}`) and files (`${file:/run/secrets/key}`).
    ///
    /// A file's text comes without one line break at its end and is secret; its path is absolute, its size at most
    /// 1 MB. A variable that is not set, or a file that is not there, is nothing: the default stands for it. A
    /// watcher sees a file that comes later.
    public static var standard: PropertyPlaceholders {
        var rules = PropertyPlaceholders(lookups: ["env": { try variable($0) }, "file": { try file($0) }])
        // A mounted secret may come, or come back, while the default stands for it.
        rules.watched = ["file": { $0.begins(with: "/") ? [$0] : [] }]
        return rules
    }

    /// The greatest size of a file, in bytes.
    private static let fileSizeLimit = 1 << 20

    private static func variable(_ name: String) throws -> Found? {
        guard let value = ProcessEnvironment.value(of: name) else { return nil }
        guard case .text(let text) = value else {
            let source = PropertySource(name: "environment", labels: [name])
            throw PropertyLoadError(
                .unsupported, "the value is no text", at: PropertyOrigin(source: source, place: 0),
                expected: "text in UTF-8", remedy: "Set the variable to text, or put the bytes into a file")
        }
        return Found(text)
    }

    private static func file(_ path: String) throws -> Found? {
        let source = PropertySource(name: path)
        guard path.begins(with: "/") else {
            throw PropertyLoadError(
                .notFound, "the path of a file in a placeholder is relative", at: PropertyOrigin(source: source),
                expected: "an absolute path")
        }
        do throws(FileFault) {
            let bytes = try RegularFile.bytes(at: path, limit: fileSizeLimit)
            guard case .text(let text) = PropertyValue(contentOfFile: bytes) else {
                throw .system("it is no text in UTF-8")
            }
            return Found(text, isSecret: true, files: [path])
        } catch {
            if case .missing = error { return nil }
            throw error.error(at: source)
        }
    }
}

extension PropertyLoader {
    /// The same source with the placeholders in its texts replaced.
    ///
    ///     TomlPropertyLoader(url: url).replacingPlaceholders()
    ///
    /// - Parameter placeholders: how; left out, by properties, the environment and files.
    public func replacingPlaceholders(_ placeholders: PropertyPlaceholders = .standard) -> some PropertyLoader {
        AdjustedLoader(base: self) { $0.placeholders = placeholders }
    }
}

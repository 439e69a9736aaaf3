/// Loads properties from TOML 1.1.
///
///     try store.apply(TomlPropertyLoader(url: URL(filePath: "config.toml")))
///
/// Its tables are merged with the tables of earlier sources, key by key at all levels, unless `merge(_:)` changes the
/// rule.
public struct TomlPropertyLoader: PropertyLoader, NamedSource {
    private let file: FileSource
    private let limits: SyntaxLimits

    /// Creates a loader of a file.
    ///
    /// - Parameters:
    ///   - url: the file.
    ///   - limits: the limits on the depth and the size of the text.
    public init(url: URL, limits: SyntaxLimits = SyntaxLimits()) {
        self.init(FileSource(url: url), limits)
    }

    /// Creates a loader of text.
    ///
    /// - Parameters:
    ///   - string: the text.
    ///   - name: the name for messages. A later text of this name replaces this text in a store.
    ///   - limits: the limits on the depth and the size of the text.
    public init(string: String, name: String, limits: SyntaxLimits = SyntaxLimits()) {
        self.init(FileSource(bytes: string.utf8, name: name), limits)
    }

    /// Creates a loader of bytes of UTF-8 text.
    ///
    /// - Parameters:
    ///   - bytes: the text.
    ///   - name: the name for messages. A later text of this name replaces this text in a store.
    ///   - limits: the limits on the depth and the size of the text.
    public init(bytes: some Sequence<UInt8>, name: String, limits: SyntaxLimits = SyntaxLimits()) {
        self.init(FileSource(bytes: bytes, name: name), limits)
    }

    /// Creates a loader of a `FileSource`.
    package init(_ file: FileSource, _ limits: SyntaxLimits) {
        (self.file, self.limits) = (file, limits)
    }

    package var sourceName: String { file.sourceName }

    /// Reads and parses the text again on each call.
    ///
    /// - Returns: the properties.
    /// - Throws: a `PropertyLoadError` if the file cannot be read or is not valid TOML.
    public func load() throws -> PropertyLayer {
        let content = try file.read(limit: limits.bytes)
        let document = try DocumentProperties(toml: content, limits: limits)
        return PropertyLayer(document.table, source: document.source, files: content.files)
    }
}

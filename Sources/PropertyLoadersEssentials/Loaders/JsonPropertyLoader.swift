/// Loads properties from JSON, which may contain comments.
///
///     try store.apply(JsonPropertyLoader(url: URL(filePath: "config.json")))
///
/// The top-level value must be an object. A first-level value replaces the value of the same name in an earlier source
/// as a whole, without merging the two, unless `merge(_:)` changes the rule. `JsonDocument` documents which JSON is
/// accepted. A comma after the last value of an array or an object is accepted, too.
public struct JsonPropertyLoader: PropertyLoader, NamedSource {
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
    /// - Returns: the properties, with a warning for each duplicate key.
    /// - Throws: a `PropertyLoadError` if the file cannot be read, is not valid JSON, or does not hold an object.
    public func load() throws -> PropertyLayer {
        let content = try file.read(limit: limits.bytes)
        let document = try DocumentProperties(json: content, limits: limits, allowsTrailingCommas: true)
        let root = document.root
        guard case .table(var table) = root.value else {
            throw PropertyLoadError(
                .notATable, "the value at the top is not an object", at: root.origin,
                expected: "an object of properties",
                remedy: "Put it into braces under a key, as in `{\"items\": …}`")
        }
        // The key names the schema for editors.
        if case .string = table["$schema"]?.value {
            table = PropertyTable(entries: table.filter { !$0.key.isSame(as: "$schema") })
        }
        var layer = PropertyLayer(
            table, source: document.source, merge: .firstLevel, files: content.files, warnings: document.warnings)
        layer.remarks = document.remarks
        return layer
    }
}

public import Foundation

/// A loader of property lists, XML (UTF-8) or binary.
///
///     try container.applyPropertyLoader(PlistPropertyLoader(bundle: .main, name: "properties"))
///     try container.applyPropertyLoader(PlistPropertyLoader(url: configURL))
///
/// Foundation reads the values. An error in XML contains the file and the line; an error in a binary property list
/// contains the file and the byte offset. A first-level value replaces the value of an earlier source as a whole, unless
/// `merge(_:)` changes the rule. A duplicate key in XML is a warning, and the last value is used. In a binary property list
/// it is an error.
public struct PlistPropertyLoader: PropertyLoader {
    /// The default limit on the number of entries of a dictionary.
    public static let defaultEntries = 5_000

    private let file: FileSource
    private let limits: SyntaxLimits
    private let entries: Int

    /// Creates a loader of a resource in a bundle. Each load looks the resource up and reads it again.
    ///
    /// - Parameters:
    ///   - bundle: the bundle. The resources of a package are in `Bundle.module`.
    ///   - name: the name of the resource, with or without `.plist`.
    ///   - limits: the maximum depth, at most 256 levels, and the maximum size.
    ///   - entries: the maximum number of entries of a dictionary.
    public init(
        bundle: Bundle = .main, name: String, limits: SyntaxLimits = SyntaxLimits(), entries: Int = Self.defaultEntries
    ) {
        self.init(FileSource(bundle: bundle, name: name, extension: "plist"), limits, entries)
    }

    /// Creates a loader of a file. Each load reads the file again.
    ///
    /// - Parameters:
    ///   - url: the URL of the file. Messages contain its path as it is written in the URL.
    ///   - limits: the maximum depth, at most 256 levels, and the maximum size.
    ///   - entries: the maximum number of entries of a dictionary.
    public init(url: URL, limits: SyntaxLimits = SyntaxLimits(), entries: Int = Self.defaultEntries) {
        self.init(FileSource(url: url), limits, entries)
    }

    /// Creates a loader of XML text.
    ///
    /// - Parameters:
    ///   - string: the text of the property list.
    ///   - name: the name of the source in messages. Loading a source with the same name again replaces the earlier
    ///     layer.
    ///   - limits: the maximum depth, at most 256 levels, and the maximum size.
    ///   - entries: the maximum number of entries of a dictionary.
    public init(
        string: String, name: String, limits: SyntaxLimits = SyntaxLimits(), entries: Int = Self.defaultEntries
    ) {
        self.init(FileSource(bytes: string.utf8, name: name), limits, entries)
    }

    /// Creates a loader of the bytes of a property list, XML or binary.
    ///
    /// - Parameters:
    ///   - bytes: the bytes of the property list.
    ///   - name: the name of the source in messages. Loading a source with the same name again replaces the earlier
    ///     layer.
    ///   - limits: the maximum depth, at most 256 levels, and the maximum size.
    ///   - entries: the maximum number of entries of a dictionary.
    public init(
        bytes: some Sequence<UInt8>, name: String, limits: SyntaxLimits = SyntaxLimits(),
        entries: Int = Self.defaultEntries
    ) {
        self.init(FileSource(bytes: bytes, name: name), limits, entries)
    }

    /// Creates a loader of a `FileSource`.
    package init(
        _ file: FileSource, _ limits: SyntaxLimits = SyntaxLimits(), _ entries: Int = Self.defaultEntries
    ) {
        (self.file, self.limits, self.entries) = (file, limits, entries)
    }

    /// Reads the property list.
    ///
    /// - Returns: the values of the dictionary at the top.
    /// - Throws: a `PropertyLoadError` if the property list cannot be read, breaks a rule of its format, exceeds a
    ///   limit, or does not have a dictionary at the top.
    public func load() throws -> PropertyLayer {
        let content = try file.read(limit: limits.bytes)
        let document = try PlistDocument(content, limits: limits, entries: entries)
        guard case .table(let table) = document.root.value else {
            throw PropertyLoadError(
                .notATable, "the value at the top is not a dictionary", at: document.root.origin, expected: "`<dict>`",
                remedy: "Put it into a dictionary, whose key gives it a name")
        }
        return PropertyLayer(
            table, source: document.source, merge: .firstLevel, files: content.files, warnings: document.warnings)
    }
}

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import ConfigurationSyntax
public import Properties

/// Loads properties from JSON, with comments if the text has some.
///
///     try store.apply(JsonPropertyLoader(url: URL(filePath: "config.json")))
///
/// The value at the top must be an object. A first-level value replaces an earlier source's value whole, unless
/// `merge` says otherwise. `JsonDocument` tells which JSON is accepted.
public struct JsonPropertyLoader: PropertyLoader, NamedSource {
    private let file: FileSource
    private let merge: MergeRule
    private let limits: SyntaxLimits
    private let allowsComments: Bool
    private let allowsTrailingCommas: Bool

    /// Loads a file.
    ///
    /// - Parameters:
    ///   - url: the file's place.
    ///   - merge: how its objects meet those of earlier sources.
    ///   - limits: how deep and how large the text may be.
    ///   - allowsComments: whether `//` and `/* */` comments may stand where white space may.
    ///   - allowsTrailingCommas: whether a comma may follow the last value of an array or object.
    public init(
        url: URL, merge: MergeRule = .firstLevel, limits: SyntaxLimits = SyntaxLimits(), allowsComments: Bool = true,
        allowsTrailingCommas: Bool = false
    ) {
        self.init(FileSource(url: url), merge, limits, allowsComments, allowsTrailingCommas)
    }

    /// Loads text.
    ///
    /// - Parameters:
    ///   - string: the text.
    ///   - name: what messages call it; another text of this name takes its place in a store.
    ///   - merge: how its objects meet those of earlier sources.
    ///   - limits: how deep and how large the text may be.
    ///   - allowsComments: whether `//` and `/* */` comments may stand where white space may.
    ///   - allowsTrailingCommas: whether a comma may follow the last value of an array or object.
    public init(
        string: String, name: String, merge: MergeRule = .firstLevel, limits: SyntaxLimits = SyntaxLimits(),
        allowsComments: Bool = true, allowsTrailingCommas: Bool = false
    ) {
        self.init(
            FileSource(bytes: string.utf8, name: name), merge, limits, allowsComments, allowsTrailingCommas)
    }

    /// Loads bytes of text in UTF-8.
    ///
    /// - Parameters:
    ///   - bytes: the text.
    ///   - name: what messages call it; another text of this name takes its place in a store.
    ///   - merge: how its objects meet those of earlier sources.
    ///   - limits: how deep and how large the text may be.
    ///   - allowsComments: whether `//` and `/* */` comments may stand where white space may.
    ///   - allowsTrailingCommas: whether a comma may follow the last value of an array or object.
    public init(
        bytes: some Sequence<UInt8>, name: String, merge: MergeRule = .firstLevel,
        limits: SyntaxLimits = SyntaxLimits(), allowsComments: Bool = true, allowsTrailingCommas: Bool = false
    ) {
        self.init(FileSource(bytes: bytes, name: name), merge, limits, allowsComments, allowsTrailingCommas)
    }

    /// Loads what a `FileSource` finds.
    package init(
        _ file: FileSource, _ merge: MergeRule, _ limits: SyntaxLimits, _ allowsComments: Bool,
        _ allowsTrailingCommas: Bool
    ) {
        self.file = file
        self.merge = merge
        self.limits = limits
        self.allowsComments = allowsComments
        self.allowsTrailingCommas = allowsTrailingCommas
    }

    package var sourceName: String { file.sourceName }

    /// Reads and parses the text, anew on each call.
    ///
    /// - Returns: its properties, with a warning for each key that stands twice.
    /// - Throws: a `PropertyLoadError` where the file cannot be read, is no JSON, or holds no object.
    public func load() throws -> PropertyLayer {
        let content = try file.read(limit: limits.bytes)
        let document = try DocumentProperties(
            json: content, limits: limits, allowsComments: allowsComments, allowsTrailingCommas: allowsTrailingCommas)
        let root = document.root
        guard case .table(let table) = root.value else {
            throw PropertyLoadError(
                .notATable, "the value at the top is no object", at: root.origin, expected: "an object of properties",
                remedy: "Put it into braces under a key, as in `{\"items\": …}`")
        }
        return PropertyLayer(
            table, source: document.source, merge: merge, files: content.files, warnings: document.warnings)
    }
}

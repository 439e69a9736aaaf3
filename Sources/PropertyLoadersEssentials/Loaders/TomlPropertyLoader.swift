#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import ConfigurationSyntax
public import Properties

/// Loads properties from TOML 1.1.
///
///     try store.apply(TomlPropertyLoader(url: URL(filePath: "config.toml")))
///
/// Tables are merged with those of earlier sources key by key, unless `merge` says otherwise.
public struct TomlPropertyLoader: PropertyLoader, NamedSource {
    private let file: FileSource
    private let merge: MergeRule
    private let limits: SyntaxLimits

    /// Loads a file.
    ///
    /// - Parameters:
    ///   - url: the file's place.
    ///   - merge: how its tables meet those of earlier sources.
    ///   - limits: how deep and how large the text may be.
    public init(url: URL, merge: MergeRule = .deep, limits: SyntaxLimits = SyntaxLimits()) {
        self.init(FileSource(url: url), merge, limits)
    }

    /// Loads text.
    ///
    /// - Parameters:
    ///   - string: the text.
    ///   - name: what messages call it; another text of this name takes its place in a store.
    ///   - merge: how its tables meet those of earlier sources.
    ///   - limits: how deep and how large the text may be.
    public init(string: String, name: String, merge: MergeRule = .deep, limits: SyntaxLimits = SyntaxLimits()) {
        self.init(FileSource(bytes: string.utf8, name: name), merge, limits)
    }

    /// Loads bytes of text in UTF-8.
    ///
    /// - Parameters:
    ///   - bytes: the text.
    ///   - name: what messages call it; another text of this name takes its place in a store.
    ///   - merge: how its tables meet those of earlier sources.
    ///   - limits: how deep and how large the text may be.
    public init(
        bytes: some Sequence<UInt8>, name: String, merge: MergeRule = .deep, limits: SyntaxLimits = SyntaxLimits()
    ) {
        self.init(FileSource(bytes: bytes, name: name), merge, limits)
    }

    /// Loads what a `FileSource` finds.
    package init(_ file: FileSource, _ merge: MergeRule, _ limits: SyntaxLimits) {
        self.file = file
        self.merge = merge
        self.limits = limits
    }

    package var sourceName: String { file.sourceName }

    /// Reads and parses the text, anew on each call.
    ///
    /// - Throws: a `PropertyLoadError` where the file cannot be read or is no TOML.
    public func load() throws -> PropertyLayer {
        let content = try file.read(limit: limits.bytes)
        let document = try DocumentProperties(toml: content, limits: limits)
        return PropertyLayer(document.table, source: document.source, merge: merge, files: content.files)
    }
}

public import Foundation
public import Properties
package import PropertyLoadersEssentials

/// A loader of property lists, XML (UTF-8) or binary.
///
///     try container.applyPropertyLoader(PlistPropertyLoader(bundle: .main, name: "properties"))
///     try container.applyPropertyLoader(PlistPropertyLoader(url: configURL))
///
/// Foundation reads the values. An error in XML contains the file and the line; an error in a binary property list
/// contains the file and the byte offset. By default a first-level value replaces the value of an earlier source as a
/// whole. A duplicate key in XML is a warning, and the last value is used. In a binary property list it is an error.
public struct PlistPropertyLoader: PropertyLoader {
    private let file: FileSource
    private let merge: MergeRule
    private let limits: PlistLimits

    /// Creates a loader of a resource in a bundle. Each load looks the resource up and reads it again.
    ///
    /// - Parameters:
    ///   - bundle: the bundle. The resources of a package are in `Bundle.module`.
    ///   - name: the name of the resource, with or without `.plist`.
    ///   - merge: how the dictionaries merge with those of earlier sources.
    ///   - limits: the maximum depth and size, and the maximum numbers of values and entries.
    public init(
        bundle: Bundle = .main, name: String, merge: MergeRule = .firstLevel, limits: PlistLimits = PlistLimits()
    ) {
        self.init(FileSource(bundle: bundle, name: name, extension: "plist"), merge, limits)
    }

    /// Creates a loader of a file. Each load reads the file again.
    ///
    /// - Parameters:
    ///   - url: the URL of the file. Messages contain its path as it is written in the URL.
    ///   - merge: how the dictionaries merge with those of earlier sources.
    ///   - limits: the maximum depth and size, and the maximum numbers of values and entries.
    public init(url: URL, merge: MergeRule = .firstLevel, limits: PlistLimits = PlistLimits()) {
        self.init(FileSource(url: url), merge, limits)
    }

    /// Creates a loader of XML text.
    ///
    /// - Parameters:
    ///   - string: the text of the property list.
    ///   - name: the name of the source in messages. Loading a source with the same name again replaces the earlier
    ///     layer.
    ///   - merge: how the dictionaries merge with those of earlier sources.
    ///   - limits: the maximum depth and size, and the maximum numbers of values and entries.
    public init(string: String, name: String, merge: MergeRule = .firstLevel, limits: PlistLimits = PlistLimits()) {
        self.init(FileSource(bytes: string.utf8, name: name), merge, limits)
    }

    /// Creates a loader of the bytes of a property list, XML or binary.
    ///
    /// - Parameters:
    ///   - bytes: the bytes of the property list.
    ///   - name: the name of the source in messages. Loading a source with the same name again replaces the earlier
    ///     layer.
    ///   - merge: how the dictionaries merge with those of earlier sources.
    ///   - limits: the maximum depth and size, and the maximum numbers of values and entries.
    public init(
        bytes: some Sequence<UInt8>, name: String, merge: MergeRule = .firstLevel, limits: PlistLimits = PlistLimits()
    ) {
        self.init(FileSource(bytes: bytes, name: name), merge, limits)
    }

    /// Creates a loader of a `FileSource`.
    package init(_ file: FileSource, _ merge: MergeRule, _ limits: PlistLimits) {
        (self.file, self.merge, self.limits) = (file, merge, limits)
    }

    /// Reads the property list.
    ///
    /// - Returns: the values of the dictionary at the top.
    /// - Throws: a `PropertyLoadError` if the property list cannot be read, breaks a rule of its format, exceeds a
    ///   limit, or does not have a dictionary at the top.
    public func load() throws -> PropertyLayer {
        let content = try file.read(limit: limits.bytes)
        let document = try PlistDocument(content, limits: limits)
        guard case .table(let table) = document.root.value else {
            throw PropertyLoadError(
                .notATable, "the value at the top is not a dictionary", at: document.root.origin, expected: "`<dict>`",
                remedy: "Put it into a dictionary, whose key gives it a name")
        }
        return PropertyLayer(
            table, source: document.source, merge: merge, files: content.files, warnings: document.warnings)
    }
}

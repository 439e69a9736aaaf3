public import Foundation
public import Properties
internal import PropertyLoadersEssentials

/// A loader of property lists, XML (UTF-8) or binary.
///
///     try container.applyPropertyLoader(PlistPropertyLoader(bundle: .main, name: "properties"))
///     try container.applyPropertyLoader(PlistPropertyLoader(url: configURL))
///
/// An error has the file, the line and the column, in a binary property list the byte offset. By default a first-level
/// value replaces that of an earlier source as a whole. A duplicate key in XML is a warning, and the last value counts.
public struct PlistPropertyLoader: PropertyLoader {
    private let file: FileSource
    private let merge: MergeRule
    private let limits: PlistLimits

    /// Creates a loader of a resource, which each load looks up and reads again.
    ///
    /// - Parameters:
    ///   - bundle: the bundle. The resources of a package are in `Bundle.module`.
    ///   - name: the name of the resource, with or without `.plist`.
    ///   - merge: how its dictionaries merge with those of earlier sources.
    ///   - limits: the greatest depth, size and number of values.
    public init(
        bundle: Bundle = .main, name: String, merge: MergeRule = .firstLevel, limits: PlistLimits = PlistLimits()
    ) {
        self.init(FileSource(bundle: bundle, name: name, extension: "plist"), merge: merge, limits: limits)
    }

    /// Creates a loader of a file, which each load reads again.
    ///
    /// - Parameters:
    ///   - url: the URL of the file. Its path as written is its name in messages.
    ///   - merge: how its dictionaries merge with those of earlier sources.
    ///   - limits: the greatest depth, size and number of values.
    public init(url: URL, merge: MergeRule = .firstLevel, limits: PlistLimits = PlistLimits()) {
        self.init(FileSource(url: url), merge: merge, limits: limits)
    }

    /// Creates a loader of XML text.
    ///
    /// - Parameters:
    ///   - string: the text of the property list.
    ///   - name: the name in messages. Loading the same name again replaces the earlier layer.
    ///   - merge: how its dictionaries merge with those of earlier sources.
    ///   - limits: the greatest depth, size and number of values.
    public init(string: String, name: String, merge: MergeRule = .firstLevel, limits: PlistLimits = PlistLimits()) {
        self.init(bytes: string.utf8, name: name, merge: merge, limits: limits)
    }

    /// Creates a loader of the bytes of a property list, XML or binary.
    ///
    /// - Parameters:
    ///   - bytes: the bytes of the property list.
    ///   - name: the name in messages. Loading the same name again replaces the earlier layer.
    ///   - merge: how its dictionaries merge with those of earlier sources.
    ///   - limits: the greatest depth, size and number of values.
    public init(
        bytes: some Sequence<UInt8>, name: String, merge: MergeRule = .firstLevel, limits: PlistLimits = PlistLimits()
    ) {
        self.init(FileSource(bytes: bytes, name: name), merge: merge, limits: limits)
    }

    private init(_ file: FileSource, merge: MergeRule, limits: PlistLimits) {
        (self.file, self.merge, self.limits) = (file, merge, limits)
    }

    /// Reads the property list.
    ///
    /// - Returns: the values of the dictionary at the top.
    /// - Throws: a `PropertyLoadError` if it cannot be read, breaks a rule of its format, exceeds a limit, or does not
    ///   have a dictionary at the top.
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

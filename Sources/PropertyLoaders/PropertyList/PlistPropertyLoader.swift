public import Foundation
public import Properties
internal import PropertyLoadersEssentials

/// Loads a property list, XML (UTF-8) or binary.
///
///     try container.applyPropertyLoader(PlistPropertyLoader(bundle: .main, name: "properties"))
///     try container.applyPropertyLoader(PlistPropertyLoader(url: configURL))
///
/// What is wrong in it is an error with the file, the line and the column; in a binary property list, with the byte. A
/// first-level value replaces that of an earlier source whole, unless `merge` says otherwise. A key that stands twice in XML
/// is a warning, and the later one counts.
public struct PlistPropertyLoader: PropertyLoader {
    private let file: FileSource
    private let merge: MergeRule
    private let limits: PlistLimits

    /// Makes a loader of a resource, which each load looks up and reads anew.
    ///
    /// - Parameters:
    ///   - bundle: the bundle to look in; for the resources of a package `Bundle.module`.
    ///   - name: the name of the resource, with or without `.plist`.
    ///   - merge: how its tables meet those of earlier sources.
    ///   - limits: how much the file may ask for.
    public init(
        bundle: Bundle = .main, name: String, merge: MergeRule = .firstLevel, limits: PlistLimits = PlistLimits()
    ) {
        self.init(FileSource(bundle: bundle, name: name, extension: "plist"), merge: merge, limits: limits)
    }

    /// Makes a loader of a file, which each load reads anew.
    ///
    /// - Parameters:
    ///   - url: the file's place; its path as written is its name in messages.
    ///   - merge: how its tables meet those of earlier sources.
    ///   - limits: how much the file may ask for.
    public init(url: URL, merge: MergeRule = .firstLevel, limits: PlistLimits = PlistLimits()) {
        self.init(FileSource(url: url), merge: merge, limits: limits)
    }

    /// Makes a loader of XML text.
    ///
    /// - Parameters:
    ///   - string: the text of the property list.
    ///   - name: the name for messages, and what makes it the same source again.
    ///   - merge: how its tables meet those of earlier sources.
    ///   - limits: how much the text may ask for.
    public init(string: String, name: String, merge: MergeRule = .firstLevel, limits: PlistLimits = PlistLimits()) {
        self.init(bytes: string.utf8, name: name, merge: merge, limits: limits)
    }

    /// Makes a loader of the bytes of a property list, XML or binary.
    ///
    /// - Parameters:
    ///   - bytes: the bytes of the property list.
    ///   - name: the name for messages, and what makes it the same source again.
    ///   - merge: how its tables meet those of earlier sources.
    ///   - limits: how much the bytes may ask for.
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
    /// - Throws: a `PropertyLoadError` where it cannot be read, breaks a rule of its format, is over a limit, or has
    ///   something else than a dictionary at its top.
    public func load() throws -> PropertyLayer {
        let content = try file.read(limit: limits.bytes)
        let document = try PlistDocument(content, limits: limits)
        guard case .table(let table) = document.root.value else {
            throw PropertyLoadError(
                .notATable, "the value at the top is no dictionary", at: document.root.origin, expected: "`<dict>`",
                remedy: "Put it into a dictionary, whose key gives it a name")
        }
        return PropertyLayer(
            table, source: document.source, merge: merge, files: content.files, warnings: document.warnings)
    }
}

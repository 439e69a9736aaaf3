public import Properties

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Loads a `.env` file: lines of `NAME=value`, as in a shell.
///
///     # what the service needs
///     export API__TIMEOUT=30
///     API__BASE_URL = https://api.example.com   # up to here
///     GREETING="Hello\n\"you\""
///     KEY='-----BEGIN KEY-----
///     several lines, as they are
///     -----END KEY-----'
///
/// - A line is blank, a comment that begins with `#`, or an optional `export`, a name, `=` and a value, with white space
///   anywhere between them.
/// - A name consists of ASCII letters, digits, `_`, `-` and `.`, and does not begin with a digit. It is the name of a
///   property in the same way as an environment variable: `API__TIMEOUT` is `api.timeout`.
/// - A value without quotes ends at the end of the line, or before white space and a `#`. Nothing else in it is special:
///   `COLOR=#ff0000` is `#ff0000`, `COLOR= #ff0000` is empty.
/// - In single quotes everything is literal, line breaks included.
/// - In double quotes line breaks are kept, and there are the escapes `\n`, `\r`, `\t`, `\"`, `\\`, `\$` and `\u{1F600}`
///   (any scalar). A backslash at the end of a line removes the line break. Any other backslash is an error.
/// - Only a comment may follow a closing quote. `$NAME` is not replaced.
/// - If a name is set twice, the last value counts, with a warning. Line breaks are LF or CRLF; the text is UTF-8.
///
/// The values are text without a type.
public struct DotEnvPropertyLoader: PropertyLoader, NamedSource, AdjustingLoader {
    /// The default limit on the size of a file, in bytes: 1 MB.
    public static let defaultSizeLimit = 1 << 20

    private let file: FileSource
    private let prefix: String
    private let sizeLimit: Int

    /// Makes a loader of a file.
    ///
    /// - Parameters:
    ///   - url: the file.
    ///   - prefix: the beginning of the names to load; by default all names are loaded.
    ///   - sizeLimit: the limit on the size of the file, in bytes.
    public init(url: URL, prefix: String = "", sizeLimit: Int = Self.defaultSizeLimit) {
        self.init(FileSource(url: url), prefix, sizeLimit)
    }

    /// Makes a loader of text.
    ///
    /// - Parameters:
    ///   - string: the text.
    ///   - name: the name for messages; another text of this name replaces this one in a store.
    ///   - prefix: the beginning of the names to load; by default all names are loaded.
    public init(string: String, name: String, prefix: String = "") {
        self.init(bytes: string.utf8, name: name, prefix: prefix)
    }

    /// Makes a loader of bytes, which need not be valid text.
    package init(bytes: some Sequence<UInt8>, name: String, prefix: String = "") {
        self.init(FileSource(bytes: bytes, name: name), prefix, Self.defaultSizeLimit)
    }

    private init(_ file: FileSource, _ prefix: String, _ sizeLimit: Int) {
        (self.file, self.prefix, self.sizeLimit) = (file, prefix, sizeLimit)
    }

    package var sourceName: String { file.sourceName }

    /// Reads the file.
    ///
    /// - Returns: the properties, with a warning for each name that is set twice.
    /// - Throws: a `PropertyLoadError` if the file cannot be read or breaks the grammar. It has a line and a column, and
    ///   contains no text of the file.
    public func load() throws -> PropertyLayer {
        let content = try file.read(limit: sizeLimit)
        // Such files often hold secrets, and a part of a secret can be anywhere in a broken file.
        let source = PropertySource(
            name: content.name, identity: identity(content.identity), text: SourceText(bytes: content.bytes)
        ).withoutLines
        var parser = DotEnvParser(content.bytes, source)
        let assignments = try parser.parse()
        let found = assignments.compactMap { assignment in
            VariableName.path(of: assignment.name, prefix: prefix).map { (assignment, path: $0) }
        }
        let last = UntypedLayer.lastIndices(of: found.map(\.path))
        var layer = UntypedLayer(of: source)
        var warnings = BoundedList<PropertyLoadError>(limit: ListLimit.warnings)
        for (index, (assignment, path)) in found.enumerated() {
            if last[index] != index {
                warnings.append(Self.twice(assignment, found[last[index]].0, source))
            } else {
                try layer.add(.text(assignment.value), at: path, place: assignment.offset)
            }
        }
        return PropertyLayer(
            layer.table, source: source, spelling: .loose, files: content.files,
            warnings: warnings.warnings(about: source))
    }

    func adjusted(_ standIn: PropertyLayer) -> PropertyLayer {
        var layer = standIn
        layer.source = layer.source.map { PropertySource(name: $0.name, identity: identity($0.identity)) }
        return layer
    }

    // The identity contains the prefix, so that two prefixes of one file are two sources.
    private func identity(_ file: String?) -> String? { prefix.isEmpty ? file : file.map { "\($0) of \(prefix)" } }

    private static func twice(
        _ first: DotEnvParser.Assignment, _ last: DotEnvParser.Assignment, _ source: PropertySource
    ) -> PropertyLoadError {
        PropertyLoadError(
            .duplicate, "this name is set again further down", at: PropertyOrigin(source, at: first.offset),
            remedy: "Leave one of them out",
            notes: [.init("the one that counts is at", at: PropertyOrigin(source, at: last.offset))])
    }
}

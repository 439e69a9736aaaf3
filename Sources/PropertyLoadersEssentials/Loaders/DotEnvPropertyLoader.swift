public import Properties

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Loads a `.env` file: one `NAME=value` a line, as shells write it.
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
/// - A name has ASCII letters, digits, `_`, `-` and `.`, and no digit at its start. It leads to a property as an
///   environment variable does: `API__TIMEOUT` is `api.timeout`.
/// - A value with no quote at its start ends with its line, or before white space and a `#`; nothing else in it is
///   special: `COLOR=#ff0000` is `#ff0000`, `COLOR= #ff0000` is empty.
/// - In single quotes all is literal, line breaks included.
/// - In double quotes line breaks stay, and these stand for others: `\n`, `\r`, `\t`, `\"`, `\\`, `\$`, `\u{1F600}`
///   (any scalar), and a backslash at a line's end for nothing. Any other backslash is an error.
/// - After a closing quote only a comment may follow. `$NAME` is not replaced.
/// - Of a name that stands twice the last counts, with a warning. Line breaks are LF or CRLF; the text is UTF-8.
///
/// The values are text without a type.
public struct DotEnvPropertyLoader: PropertyLoader, NamedSource, AdjustingLoader {
    /// The greatest size of a file, in bytes, where nothing else is said: 1 MB.
    public static let defaultSizeLimit = 1 << 20

    private let file: FileSource
    private let prefix: String
    private let sizeLimit: Int

    /// Makes a loader of a file.
    ///
    /// - Parameters:
    ///   - url: the file.
    ///   - prefix: what the names begin with that are to be loaded; left out, all are.
    ///   - sizeLimit: the greatest size of the file, in bytes.
    public init(url: URL, prefix: String = "", sizeLimit: Int = Self.defaultSizeLimit) {
        self.init(FileSource(url: url), prefix, sizeLimit)
    }

    /// Makes a loader of a text that is there already.
    ///
    /// - Parameters:
    ///   - string: the text.
    ///   - name: what messages call it.
    ///   - prefix: what the names begin with that are to be loaded; left out, all are.
    public init(string: String, name: String, prefix: String = "") {
        self.init(bytes: string.utf8, name: name, prefix: prefix)
    }

    /// The same of a text that may turn out to be none.
    package init(bytes: some Sequence<UInt8>, name: String, prefix: String = "") {
        self.init(FileSource(bytes: bytes, name: name), prefix, Self.defaultSizeLimit)
    }

    private init(_ file: FileSource, _ prefix: String, _ sizeLimit: Int) {
        (self.file, self.prefix, self.sizeLimit) = (file, prefix, sizeLimit)
    }

    package var sourceName: String { file.sourceName }

    /// Reads the file.
    ///
    /// - Throws: a `PropertyLoadError` with line and column where the text breaks the grammar, and with no text of it.
    public func load() throws -> PropertyLayer {
        let content = try file.read(limit: sizeLimit)
        // Such files hold secrets more often than not, and one that is broken may have a part of one anywhere.
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

    // The prefix is in the identity, so that several prefixes of one file are several sources.
    private func identity(_ file: String?) -> String? { prefix.isEmpty ? file : file.map { "\($0) of \(prefix)" } }

    private static func twice(
        _ first: DotEnvParser.Assignment, _ last: DotEnvParser.Assignment, _ source: PropertySource
    ) -> PropertyLoadError {
        PropertyLoadError(
            .duplicate, "this name is set again further down", at: first.origin(in: source),
            remedy: "Leave one of them out", notes: [.init("what counts is at", at: last.origin(in: source))])
    }
}

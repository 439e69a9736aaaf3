/// Loads a `.env` file: lines of `NAME=value`, similar to assignments in a shell.
///
///     # a comment
///     export API__TIMEOUT=30
///     API__BASE_URL = https://api.example.com   # a comment after a value
///     GREETING="Hello\n\"you\""
///     KEY='-----BEGIN KEY-----
///     a value of several lines
///     -----END KEY-----'
///
/// - A line is blank, a comment that begins with `#`, or an assignment: an optional `export`, a name, `=` and a value.
///   White space is allowed between these parts.
/// - A name begins with an ASCII letter or `_` and consists of ASCII letters, digits, `_`, `-` and `.`. It is converted
///   to the name of a property like an environment variable: `API__TIMEOUT` becomes `api.timeout`.
/// - A value without quotes ends at the end of the line, or before white space and a `#`. All other characters are
///   literal: the value of `COLOR=#ff0000` is `#ff0000`, and the value of `COLOR= #ff0000` is empty. If the value
///   begins with a bracket, a brace or a typographic quotation mark that is not closed before the `#`, that is an
///   error. White space at its ends other than blanks and tabs is an error, too.
/// - In single quotes and in backticks everything is literal, line breaks included.
/// - In double quotes line breaks are literal, and these escapes are replaced: `\n`, `\r`, `\t`, `\"`, `\\` and `\$`. A
///   backslash at the end of a line removes the line break. Any other backslash is an error.
/// - After a closing quote only white space and then a comment are allowed.
/// - If a name is assigned more than once, the last value is used, with a warning.
/// - Line breaks are LF, CRLF or CR, which are read as LF, the text is UTF-8, and `$NAME` is not replaced.
///
/// Without a prefix, the file may also have names of other programs, such as `COMPOSE_PROJECT_NAME`. A start ignores names
/// that nothing declares or reads, and masks their values if anything is declared. A name that is similar to a known one is
/// a warning. With a prefix, an unknown name is refused like one in any other file.
///
/// Values are text without a type; a read converts them to the requested type. `HOSTS=a,b` is a list if a list is read.
public struct DotEnvPropertyLoader: PropertyLoader, NamedSource, ListedLoader {
    /// The default limit on the size of a file, in bytes: 1 MB.
    public static let defaultSizeLimit = 1 << 20

    private let file: FileSource
    private let prefix: String
    private let sizeLimit: Int
    private let emptyIsUnset: Bool
    /// The variables that the program reads before this file.
    private var reserved: Set<PropertyKey> = []
    private var environment: EnvironmentPropertyLoader?

    /// Creates a loader of a file.
    ///
    /// - Parameters:
    ///   - url: the file, or a named pipe.
    ///   - prefix: loads only the names with this prefix, and removes it from them; by default all names are loaded, and
    ///     unknown ones are ignored.
    ///   - emptyIsUnset: whether a name with an empty value counts as not set, so that the sources below have the value.
    ///     Then no name can give an empty text; `[]` is an empty list.
    ///   - sizeLimit: the limit on the size of the file, in bytes.
    public init(
        url: URL, prefix: String = "", emptyIsUnset: Bool = false, sizeLimit: Int = Self.defaultSizeLimit
    ) {
        self.init(FileSource(url: url, pipeTimeout: NamedPipe.timeout), prefix, sizeLimit, emptyIsUnset)
    }

    /// Creates a loader of text.
    ///
    /// - Parameters:
    ///   - string: the text.
    ///   - name: the name for messages. A later text of this name replaces this text in a store.
    ///   - prefix: loads only the names with this prefix, and removes it from them; by default all names are loaded.
    ///   - emptyIsUnset: whether a name with an empty value counts as not set.
    public init(string: String, name: String, prefix: String = "", emptyIsUnset: Bool = false) {
        self.init(FileSource(bytes: string.utf8, name: name), prefix, Self.defaultSizeLimit, emptyIsUnset)
    }

    /// Creates a loader of bytes. If a value in them is not valid UTF-8, `load` throws.
    package init(bytes: some Sequence<UInt8>, name: String, prefix: String = "") {
        self.init(FileSource(bytes: bytes, name: name), prefix, Self.defaultSizeLimit)
    }

    /// Creates a loader of a `FileSource`.
    package init(_ file: FileSource, _ prefix: String, _ sizeLimit: Int, _ emptyIsUnset: Bool = false) {
        (self.file, self.prefix, self.sizeLimit, self.emptyIsUnset) = (file, prefix, sizeLimit, emptyIsUnset)
    }

    /// Returns a loader that refuses some variables, because they are read before this file.
    ///
    /// - Parameters:
    ///   - variables: the variables, such as `APP_PROFILE`.
    ///   - environment: the environment, whose variables override those of this file.
    /// - Returns: the loader.
    func reserving(
        _ variables: some Sequence<String>, unlessIn environment: EnvironmentPropertyLoader
    ) -> DotEnvPropertyLoader {
        var loader = self
        loader.reserved.formUnion(variables.map { PropertyKey($0) })
        loader.environment = environment
        return loader
    }

    package func listed(with loaders: [any AsyncPropertyLoader]) -> any AsyncPropertyLoader { loaders.listing(self) }

    package var sourceName: String { file.sourceName }

    /// Reads the file.
    ///
    /// - Returns: the properties, with a warning for each name that is set twice.
    /// - Throws: a `PropertyLoadError` if the file cannot be read or its text is invalid. The error contains the line
    ///   and the column, but no text of the file.
    public func load() throws -> PropertyLayer {
        let content = try file.read(limit: sizeLimit)
        let bytes = UTF8Text.withLineFeeds(content.bytes)
        // The limit keeps the lines of the file out of messages. A `.env` file often contains secrets, and in an
        // invalid file any line may be a part of a secret.
        let source = PropertySource(
            name: content.name, identity: identity(of: content.identity), text: SourceText(bytes: bytes)
        ).limited(to: .values)
        var parser = DotEnvParser(bytes)
        let assignments = parser.parse()
        let errors = parser.errors.map { PropertyLoadError($0, in: source) }
        if let first = errors.first { throw first.followed(by: Array(errors.dropFirst())) }
        let found = try settings(in: assignments, source).compactMap { assignment in
            VariableName.path(of: assignment.name, prefix: prefix).map { (assignment, path: $0) }
        }
        let last = UntypedLayer.lastIndices(of: found.map(\.path))
        var empty = EmptyVariables()
        var layer = UntypedLayer()
        var warnings = BoundedList<PropertyLoadError>(limit: ListLimit.warnings)
        for (index, (assignment, path)) in found.enumerated() {
            if last[index] != index {
                warnings.append(Self.twice(assignment, found[last[index]].0, source))
            } else if emptyIsUnset, assignment.value.isEmpty {
                empty.add(assignment.name, path)
            } else {
                let origin = PropertyOrigin(source, at: assignment.offset)
                let name = PropertyOrigin(source, at: assignment.nameOffset)
                try layer.add(.text(assignment.value), at: path, origin: origin, keyPlace: name.place)
            }
        }
        var loaded = PropertyLayer(
            layer.table, source: source, spelling: .relaxed, files: content.files,
            warnings: warnings.warnings(about: source))
        let unset = empty
        let all = Dictionary(assignments.map { (PropertyKey($0.name), $0) }) { $1 }
        loaded.variables = VariableLookup {
            unset.marked("as \(PrintableText.escaped($0)) in \(source)", variable: $0)
        } find: { [emptyIsUnset] name in
            guard let found = all[PropertyKey(name)], !(emptyIsUnset && found.value.isEmpty) else { return nil }
            return PropertyNode(.text(found.value), origin: PropertyOrigin(source, at: found.offset))
        }
        let start = VariableName.withUnderscore(prefix)
        (loaded.medium, loaded.hasNoPrefix) = (.variables, prefix.isEmpty)
        loaded.howToSet = { name, isDeclared in
            SpelledName.variable(name, isDeclared: isDeclared).map {
                unset.marked("as \(PrintableText.escaped(start + $0)) in \(source)", name: name)
            }
        }
        loaded.unset = unset.lookup(in: content.name)
        return loaded
    }

    /// Returns the assignments without those of variables that are read before this file.
    ///
    /// - Throws: an error about the first of those that has no effect here.
    private func settings(
        in assignments: [DotEnvParser.Assignment], _ source: PropertySource
    ) throws(PropertyLoadError) -> [DotEnvParser.Assignment] {
        let isReserved = { (assignment: DotEnvParser.Assignment) in reserved.contains(PropertyKey(assignment.name)) }
        // A variable of the environment overrides that of this file anyway.
        let unread = assignments.first {
            isReserved($0) && !$0.value.isEmpty && environment?.value(of: $0.name) == nil
        }
        guard let unread else { return assignments.filter { !isReserved($0) } }
        throw PropertyLoadError(
            .unsupported, "'\(unread.name)' is read before this file, so it has no effect here",
            at: PropertyOrigin(source, at: unread.offset), expected: "it in the environment",
            remedy: "Export it to the process, as in: export \(unread.name)=…", quotes: false)
    }

    // The identity contains the prefix, so that a store treats one file with two prefixes as two sources.
    package func identity(of file: String?) -> String? { prefix.isEmpty ? file : file.map { "\($0) of \(prefix)" } }

    private static func twice(
        _ first: DotEnvParser.Assignment, _ last: DotEnvParser.Assignment, _ source: PropertySource
    ) -> PropertyLoadError {
        PropertyLoadError(
            .duplicate, "this name is set again further down", at: PropertyOrigin(source, at: first.offset),
            remedy: "Leave one of them out",
            notes: [.init("the one that counts is at", at: PropertyOrigin(source, at: last.offset))])
    }
}

/// A source of values, such as a file, a string, a Swift value or the environment.
///
/// The nodes of a file or a text share one instance, and each has its own place in it.
public final class PropertySource: Sendable {
    /// The name in messages, such as the path of a file as the user wrote it.
    public let name: String
    /// Identifies the source when it is applied again: the later application replaces the earlier one. If it is nil,
    /// each application adds a new source.
    public let identity: String?
    /// How much of it messages may show.
    let disclosure: Disclosure
    /// Whether an array of this source holds the values of an argument that is given more than once.
    let isRepeated: Bool
    /// The text of a number, a boolean or a date that a placeholder has inserted, for reads as a string. Each such value
    /// has a source of its own.
    let insertedText: String?
    /// The meaning of the places in this source.
    package let places: Places

    package enum Places: Sendable {
        /// The source has no places.
        case none
        /// A place is a byte offset into this text.
        case text(SourceText)
        /// A place is an index into these labels: names of variables, properties, or files of a directory.
        case labels([String])
    }

    /// How much of a source, or of a value, messages may show. Each case includes the cases before it.
    package enum Disclosure: Comparable, Sendable {
        /// Only places. Values are masked in every description, dump and error.
        case masked
        /// Only places in errors, because a value may have text in it that is a secret: text of an untyped source.
        case places
        /// Values, but no lines of the source in errors: a line may contain other values. A `.env` file is an example.
        case values
        /// Values, and the lines of the source in errors.
        case lines
    }

    /// Whether its values are masked in every description, dump and error.
    public var isSecret: Bool { disclosure == .masked }

    /// The name of the source of a program's arguments.
    package static let commandLine = "command line"
    /// Whether this is the source of the program's arguments.
    var isCommandLine: Bool { name.isSame(as: Self.commandLine) }

    /// The beginning of the identities of values that the program sets. The zero byte is in no path of a file.
    static let setIdentity = "\0set "
    /// Whether it is a value that the program sets, which overrides all other sources.
    var isSet: Bool { identity?.begins(with: Self.setIdentity) == true }

    /// Creates a source that is not text.
    ///
    /// - Parameters:
    ///   - name: the name for messages.
    ///   - identity: identifies the source when it is applied again, such as a path. If it is nil, each application
    ///     adds a new source.
    ///   - labels: the names of the places in the source. A place is an index into this array.
    ///   - isSecret: whether its values are masked in every description, dump and error.
    public convenience init(name: String, identity: String? = nil, labels: [String] = [], isSecret: Bool = false) {
        self.init(name, identity, labels.isEmpty ? .none : .labels(labels), isSecret ? .masked : .lines)
    }

    /// Creates a source that is text. The places of its nodes are byte offsets into the text.
    ///
    /// - Parameters:
    ///   - name: the name for messages.
    ///   - identity: identifies the source when it is applied again, such as a path. If it is nil, each application
    ///     adds a new source.
    ///   - text: the text. It stays in memory as long as any of its values does.
    ///   - isSecret: whether its values are masked and errors show none of its lines.
    public convenience init(name: String, identity: String? = nil, text: SourceText, isSecret: Bool = false) {
        self.init(name, identity, .text(text), isSecret ? .masked : .lines)
    }

    private init(
        _ name: String, _ identity: String?, _ places: Places, _ disclosure: Disclosure, isRepeated: Bool = false,
        insertedText: String? = nil
    ) {
        (self.name, self.identity, self.places) = (name, identity, places)
        (self.disclosure, self.isRepeated, self.insertedText) = (disclosure, isRepeated, insertedText)
    }

    /// Returns a source that limits messages to the given disclosure: a copy, if this source allows more.
    package func limited(to limit: Disclosure) -> PropertySource {
        disclosure <= limit
            ? self
            : PropertySource(name, identity, places, limit, isRepeated: isRepeated, insertedText: insertedText)
    }

    /// Returns a copy of the source for a value that a placeholder has inserted, with its text.
    func inserting(_ text: String) -> PropertySource {
        PropertySource(name, identity, places, disclosure, insertedText: text)
    }

    /// Returns a copy of this source for a value of another source, with that source's limit on messages, its
    /// repetition and its inserted text.
    func limited(like other: PropertySource) -> PropertySource {
        PropertySource(
            name, identity, places, min(disclosure, other.disclosure), isRepeated: other.isRepeated,
            insertedText: other.insertedText)
    }

    /// A copy of the source for arrays of the values of a repeated argument.
    ///
    /// Reading the array as a list returns the elements of all its values. Reading it as any other type returns the
    /// last value.
    package var repeated: PropertySource { PropertySource(name, identity, places, disclosure, isRepeated: true) }

    /// The source of values whose source is not known yet. The store replaces it by the source of the layer.
    package static let unknown = PropertySource(name: "")
    /// The secret version of `unknown`, for the values of a secret layer.
    static let unknownSecret = unknown.limited(to: .masked)

    /// Whether this is the stand-in for a source that is not known yet.
    var isUnknown: Bool { self === PropertySource.unknown || self === PropertySource.unknownSecret }
}

// Without a mirror of its own, a dump of an error or a node would show the whole text.
extension PropertySource: CustomStringConvertible, CustomReflectable {
    /// The name, with control characters escaped.
    public var description: String { PrintableText.escaped(name) }

    /// Contains only the name.
    public var customMirror: Mirror { Mirror(self, children: ["name": description]) }
}

/// A source of values, such as a file, a string, a Swift value or the environment.
///
/// The nodes of a file or a text share one instance, and each has its own place in it.
public final class PropertySource: Sendable {
    /// The name in messages, such as the path of a file as the user wrote it.
    public let name: String
    /// Identifies the source when it is applied again: the later application replaces the earlier one. If it is nil,
    /// each application adds a new source.
    public let identity: String?
    /// Whether its values are masked in every description, dump and error.
    public let isSecret: Bool
    // True for a `.env` file, for example: its values are not masked, but errors must not show its lines.
    private let hidesLines: Bool
    /// Whether errors must not show its values, because text of an untyped source was inserted into them.
    let hidesText: Bool
    /// Whether an array of this source holds the values of an argument that is given more than once.
    let isRepeated: Bool
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

    /// Creates a source that is not text.
    ///
    /// - Parameters:
    ///   - name: the name for messages.
    ///   - identity: identifies the source when it is applied again, such as a path. If it is nil, each application
    ///     adds a new source.
    ///   - labels: the names of the places in the source. A place is an index into this array.
    ///   - isSecret: whether its values are masked in every description, dump and error.
    public convenience init(name: String, identity: String? = nil, labels: [String] = [], isSecret: Bool = false) {
        self.init(name, identity, labels.isEmpty ? .none : .labels(labels), isSecret)
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
        self.init(name, identity, .text(text), isSecret)
    }

    private init(
        _ name: String, _ identity: String?, _ places: Places, _ isSecret: Bool, hidesLines: Bool = false,
        hidesText: Bool = false, isRepeated: Bool = false
    ) {
        self.name = name
        self.identity = identity
        self.places = places
        self.isSecret = isSecret
        self.hidesLines = hidesLines
        self.hidesText = hidesText
        self.isRepeated = isRepeated
    }

    /// A copy of the source whose values are masked.
    var markedSecret: PropertySource { PropertySource(name, identity, places, true, isRepeated: isRepeated) }

    /// A copy of the source. Errors show none of its lines.
    package var withoutLines: PropertySource {
        PropertySource(
            name, identity, places, isSecret, hidesLines: true, hidesText: hidesText, isRepeated: isRepeated)
    }

    /// A copy of the source. Errors show none of its lines and values.
    var withoutText: PropertySource {
        PropertySource(
            name, identity, places, isSecret, hidesLines: true, hidesText: true, isRepeated: isRepeated)
    }

    /// A copy of the source for arrays of the values of a repeated argument.
    ///
    /// Reading such an array as a list returns the elements of all its values. Reading it as any other type returns the
    /// last value.
    package var repeated: PropertySource {
        PropertySource(
            name, identity, places, isSecret, hidesLines: hidesLines, hidesText: hidesText, isRepeated: true)
    }

    /// Whether an error may show a line of the text.
    var showsLines: Bool { !isSecret && !hidesLines }

    /// The source of values whose source is not known yet. The store replaces it by the source of the layer.
    package static let unknown = PropertySource(name: "")
    /// The secret version of `unknown`, for the values of a secret layer.
    static let unknownSecret = unknown.markedSecret

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

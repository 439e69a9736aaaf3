/// Where values come from: a file, a string, a Swift value, the environment.
///
/// All nodes of a source share one instance; each has its own place in it.
public final class PropertySource: Sendable {
    /// The name in messages, such as the path of a file as the user wrote it.
    public let name: String
    /// Identifies the source when it is applied again: the later application replaces the earlier one. Without an
    /// identity each application adds a new source.
    public let identity: String?
    /// Whether its values are masked in every description, dump and error.
    public let isSecret: Bool
    // The values of a `.env` file are not masked, but errors show none of its lines.
    private let hidesLines: Bool
    /// What the places of this source are.
    package let places: Places

    package enum Places: Sendable {
        /// The source has no places.
        case none
        /// A place is a byte offset into this text.
        case text(SourceText)
        /// A place is an index into these labels: names of variables, properties, or files of a directory.
        case labels([String])
    }

    /// Makes a source that is not text.
    ///
    /// - Parameters:
    ///   - name: the name for messages.
    ///   - identity: what identifies it when it is applied again, such as a path; nil makes each application a new
    ///     source.
    ///   - labels: the names of its places, numbered from 0.
    ///   - isSecret: whether its values are masked in every description, dump and error.
    public convenience init(name: String, identity: String? = nil, labels: [String] = [], isSecret: Bool = false) {
        self.init(name, identity, labels.isEmpty ? .none : .labels(labels), isSecret)
    }

    /// Makes a source of text, whose nodes' places are byte offsets into it.
    ///
    /// - Parameters:
    ///   - name: the name for messages.
    ///   - identity: what identifies it when it is applied again, such as a path; nil makes each application a new
    ///     source.
    ///   - text: the text. It stays in memory as long as any of its values does.
    ///   - isSecret: whether its values, and the lines that errors show, are masked.
    public convenience init(name: String, identity: String? = nil, text: SourceText, isSecret: Bool = false) {
        self.init(name, identity, .text(text), isSecret)
    }

    private init(
        _ name: String, _ identity: String?, _ places: Places, _ isSecret: Bool, hidesLines: Bool = false
    ) {
        self.name = name
        self.identity = identity
        self.places = places
        self.isSecret = isSecret
        self.hidesLines = hidesLines
    }

    /// A copy of the source whose values are masked.
    var markedSecret: PropertySource { PropertySource(name, identity, places, true) }

    /// A copy of the source whose lines no error shows.
    package var withoutLines: PropertySource { PropertySource(name, identity, places, isSecret, hidesLines: true) }

    /// Whether an error may show a line of the text.
    var showsLines: Bool { !isSecret && !hidesLines }

    /// The source of values whose source is not known; the store replaces it with the source of the layer.
    package static let unknown = PropertySource(name: "")
    /// The same for the values of a secret layer that has no source yet.
    static let unknownSecret = unknown.markedSecret

    /// Whether the source is a placeholder for one that is not known yet.
    var isUnknown: Bool { self === PropertySource.unknown || self === PropertySource.unknownSecret }
}

// Without a mirror of its own, a dump of an error or a node would show the whole text.
extension PropertySource: CustomStringConvertible, CustomReflectable {
    /// The name, control characters escaped.
    public var description: String { PrintableText.escaped(name) }

    /// The name alone.
    public var customMirror: Mirror { Mirror(self, children: ["name": description]) }
}

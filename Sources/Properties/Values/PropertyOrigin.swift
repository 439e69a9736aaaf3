/// The origin of a value or a key: a source and a place in it.
///
/// Lines and columns are computed from the source's text on demand.
public struct PropertyOrigin: Sendable {
    /// The source of the value or key.
    public let source: PropertySource
    /// The place in the source: a byte offset if the source is text, an index into its labels otherwise, or `nowhere`.
    public let place: UInt32

    /// The place of a value that has no place within its source.
    public static let nowhere = UInt32.max

    /// The origin of a value whose source is not known yet. The store replaces it by the source of the layer.
    public static let unknown = PropertyOrigin(source: .unknown)

    /// Creates an origin.
    public init(source: PropertySource, place: UInt32 = PropertyOrigin.nowhere) {
        self.source = source
        self.place = place
    }

    /// Creates the origin of a byte offset into the text of a source, or of an index into its labels.
    package init(_ source: PropertySource, at place: Int) {
        self.init(source: source, place: UInt32(exactly: place) ?? Self.nowhere)
    }

    /// The byte offset in the source's text, or nil if the source is not text or the value has no place in it.
    public var offset: Int? {
        guard case .text = source.places, place != Self.nowhere else { return nil }
        return Int(exactly: place)
    }

    /// The line number, counted from 1, or nil if there is no `offset`.
    public var line: Int? { lineAndColumn?.line }

    /// The column in Unicode scalars, counted from 1, or nil if there is no `offset`.
    public var column: Int? { lineAndColumn?.column }

    /// The name of the place in a source that is not text, such as an environment variable; otherwise nil.
    public var label: String? {
        guard case .labels(let labels) = source.places, place < labels.count else { return nil }
        return labels[Int(place)]
    }

    /// Returns this origin or, if its source is unknown, the given source without a place.
    func known(in source: PropertySource?) -> PropertyOrigin {
        guard self.source.isUnknown, let source else { return self }
        return PropertyOrigin(source: source)
    }

    /// Returns the same place in a source that limits messages to the given disclosure.
    func limited(to limit: PropertySource.Disclosure) -> PropertyOrigin {
        PropertyOrigin(source: source.limited(to: limit), place: place)
    }

    private var lineAndColumn: (line: Int, column: Int)? {
        guard case .text(let text) = source.places, let offset else { return nil }
        return text.lineAndColumn(at: offset)
    }
}

// MARK: - Conformances

extension PropertyOrigin: CustomStringConvertible {
    /// `config.toml:12:11`, `environment APP_PORT`, or the source's name alone, with control characters escaped.
    public var description: String {
        if let (line, column) = lineAndColumn { return "\(source):\(line):\(column)" }
        return label.map { "\(source) \(PrintableText.escaped($0))" } ?? source.description
    }
}

extension PropertyOrigin: Hashable {
    /// Whether both are the same place of the same source instance.
    public static func == (one: PropertyOrigin, other: PropertyOrigin) -> Bool {
        one.source === other.source && one.place == other.place
    }

    /// Hashes the source instance and the place.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(source))
        hasher.combine(place)
    }
}

/// Where a value or a key stands: a source and a place in it.
///
/// Lines and columns are found in the source's text when they are asked for.
public struct PropertyOrigin: Sendable {
    /// What the value came from.
    public let source: PropertySource
    /// The place in the source: a byte offset where the source is text, an index into its labels elsewhere,
    /// or `nowhere`.
    public let place: UInt32

    /// The place of what stands at no place of its source.
    public static let nowhere = UInt32.max

    /// The origin of a value that nobody has given one: the store puts the loader's source in its place.
    public static let unknown = PropertyOrigin(source: .unknown)

    /// Makes an origin.
    public init(source: PropertySource, place: UInt32 = PropertyOrigin.nowhere) {
        self.source = source
        self.place = place
    }

    /// The byte offset into the source's text, or nil where the source is no text.
    public var offset: Int? {
        guard case .text = source.places, place != Self.nowhere else { return nil }
        return Int(exactly: place)
    }

    /// The line, from 1, or nil where the source has no lines.
    public var line: Int? { lineAndColumn?.line }

    /// The column in Unicode scalars, from 1, or nil where the source has no lines.
    public var column: Int? { lineAndColumn?.column }

    /// The name of the place in a source that is no text: the environment variable, the struct's property.
    public var label: String? {
        guard case .labels(let labels) = source.places, place < labels.count else { return nil }
        return labels[Int(place)]
    }

    /// The text of the line, or nil where the source has no lines, or they may be secret.
    public var lineText: String? {
        guard source.showsLines, case .text(let text) = source.places, let offset else { return nil }
        return text.lineText(at: offset)
    }

    /// The origin itself or, if its source is unknown, the given source as a whole.
    func known(in source: PropertySource?) -> PropertyOrigin {
        guard self.source.isUnknown, let source else { return self }
        return PropertyOrigin(source: source)
    }

    /// The same place in a source whose lines no error shows.
    var withoutLines: PropertyOrigin { PropertyOrigin(source: source.withoutLines, place: place) }

    private var lineAndColumn: (line: Int, column: Int)? {
        guard case .text(let text) = source.places, let offset else { return nil }
        return text.lineAndColumn(at: offset)
    }
}

// MARK: - Conformances

extension PropertyOrigin: CustomStringConvertible {
    /// `config.toml:12:11`, `environment APP_PORT`, or the source's name alone, control characters escaped.
    public var description: String {
        if let (line, column) = lineAndColumn { return "\(source):\(line):\(column)" }
        return label.map { "\(source) \(PrintableText.escaped($0))" } ?? source.description
    }
}

extension PropertyOrigin: Hashable {
    /// Whether both are one place of one source.
    public static func == (one: PropertyOrigin, other: PropertyOrigin) -> Bool {
        one.source === other.source && one.place == other.place
    }

    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(source))
        hasher.combine(place)
    }
}

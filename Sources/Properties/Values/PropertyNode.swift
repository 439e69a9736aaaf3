/// A value and where it came from.
public struct PropertyNode: Sendable {
    /// The value.
    public var value: PropertyValue
    // The two parts of the origin are stored separately, which makes a node 32 bytes instead of 40.
    private(set) var place: UInt32
    private(set) var source: PropertySource

    /// Makes a node.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - origin: where the value stands; by default the source of the layer, as a whole.
    @inlinable
    public init(_ value: PropertyValue, origin: PropertyOrigin = .unknown) {
        self.init(value, source: origin.source, place: origin.place)
    }

    /// Makes a node from a source and a place in it, without a `PropertyOrigin`, for parsers.
    @usableFromInline
    package init(_ value: PropertyValue, source: PropertySource, place: UInt32) {
        self.value = value
        self.place = place
        self.source = source
    }

    /// Where the value stands.
    public var origin: PropertyOrigin {
        get { PropertyOrigin(source: source, place: place) }
        set { (source, place) = (newValue.source, newValue.place) }
    }
}

extension PropertyNode {
    /// Whether the value is the text of an untyped source, which no error shows.
    var isUntyped: Bool {
        if case .text = value { true } else { false }
    }

    var isTable: Bool {
        if case .table = value { true } else { false }
    }

    var isNull: Bool {
        if case .null = value { true } else { false }
    }
}

// MARK: - Text

extension PropertyNode: CustomStringConvertible, CustomReflectable {
    /// `30 (config.toml:12:11)`, with the value of a secret source masked.
    public var description: String {
        "\(origin.source.isSecret ? ValueText.mask : ValueText.short(value)) (\(origin))"
    }

    /// The description alone: a dump of the stored properties would show a secret value.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

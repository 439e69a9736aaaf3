/// A value with the place that it came from.
public struct PropertyNode: Sendable {
    /// The value.
    public var value: PropertyValue
    // The origin's two parts stand here on their own, since that makes a node 32 bytes and not 40.
    private(set) var place: UInt32
    private(set) var source: PropertySource

    /// Makes a node.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - origin: where it stands; left out, the source that the layer names, with no place in it.
    @inlinable
    public init(_ value: PropertyValue, origin: PropertyOrigin = .unknown) {
        self.init(value, source: origin.source, place: origin.place)
    }

    /// Makes a node from a source and a place in it, as parsers do for each value.
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

    /// The description alone: a dump would show the value in any case.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

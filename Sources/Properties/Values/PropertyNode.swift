/// A value and its origin.
public struct PropertyNode: Sendable {
    /// The value.
    public var value: PropertyValue
    // The two parts of the origin are stored separately, which reduces the size of a node from 40 bytes to 32.
    private(set) var place: UInt32
    private(set) var source: PropertySource

    /// Creates a node.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - origin: the origin of the value. By default the value has no place, and its source is the source of the
    ///     layer.
    @inlinable
    public init(_ value: PropertyValue, origin: PropertyOrigin = .unknown) {
        self.init(value, source: origin.source, place: origin.place)
    }

    /// Creates a node from a source and a place in it. Parsers use this, since it needs no `PropertyOrigin`.
    @usableFromInline
    package init(_ value: PropertyValue, source: PropertySource, place: UInt32) {
        self.value = value
        self.place = place
        self.source = source
    }

    /// The origin of the value: its source and its place in the source.
    public var origin: PropertyOrigin {
        get { PropertyOrigin(source: source, place: place) }
        set { (source, place) = (newValue.source, newValue.place) }
    }
}

extension PropertyNode {
    /// The origin of the value. A table that exists only by the names of its values, such as `db` of the variable
    /// `APP_DB__HOST`, has no place. Then it is the origin of its first value.
    var placedOrigin: PropertyOrigin {
        guard place == PropertyOrigin.nowhere, case .table(let table) = value, let first = table.entries.first?.node
        else { return origin }
        let inner = first.placedOrigin
        return inner.place == PropertyOrigin.nowhere ? origin : inner
    }

    /// Returns how much of the value messages may show.
    ///
    /// They show no more than its source allows. Of text of an untyped source, such as the environment, they show only
    /// the place, unless the value belongs to a declared key, whose secrecy is known. Of an array or a table, they show
    /// as much as all values inside allow, apart from nulls. The source of a table with contents does not count: it is
    /// only the last source that has the table.
    func disclosure(isDeclared: Bool) -> PropertySource.Disclosure {
        switch value {
        case .text where !isDeclared: min(source.disclosure, .places)
        case .array(let nodes): Self.least(of: nodes, source.disclosure, isDeclared)
        case .table(let table) where !table.isEmpty: Self.least(of: table.lazy.map(\.node), .lines, isDeclared)
        default: source.disclosure
        }
    }

    private static func least(
        of nodes: some Sequence<PropertyNode>, _ own: PropertySource.Disclosure, _ isDeclared: Bool
    ) -> PropertySource.Disclosure {
        var least = own
        for node in nodes where least > .masked && !node.isNull {
            least = min(least, node.disclosure(isDeclared: isDeclared))
        }
        return least
    }

    /// Whether the value is secret or contains a secret value. A null inside it is ignored.
    package var holdsSecret: Bool { disclosure(isDeclared: true) == .masked }

    /// The node with everything in it marked as secret.
    var markedSecret: PropertyNode {
        var marker = SecretMarker()
        return marker.node(self, levels: PropertyTable.depthLimit)
    }

    /// Whether the value is empty text of an untyped source, as of a variable that was set to nothing.
    var isEmptyText: Bool { if case .text("") = value { true } else { false } }

    /// The text of the value as its source writes it, or nil if the value has no text.
    var writtenText: String? { source.insertedText ?? writtenNumber ?? value.plainText }

    /// The text that a read as a string returns for a number, a boolean or a date that a placeholder has inserted. Nil
    /// for other values.
    var insertedText: String? {
        get { source.insertedText }
        set {
            switch value {
            case .bool, .integer, .unsigned, .bigInteger, .double, .dateTime:
                if let newValue { source = source.inserting(newValue) }
            default: break
            }
        }
    }

    /// The last value if the node holds the values of a repeated argument; otherwise the node itself.
    package var single: PropertyNode {
        guard source.isRepeated, case .array(let nodes) = value, let last = nodes.last else { return self }
        return last
    }

    var isTable: Bool { if case .table = value { true } else { false } }
    var isEmptyTable: Bool { if case .table(let table) = value { table.isEmpty } else { false } }

    /// Whether it is a table or an array.
    var isContainer: Bool {
        switch value {
        case .table, .array: true
        default: false
        }
    }

    /// Removes the table from the node and returns it, so that it can be changed without a copy. Nil if the node is not a
    /// table.
    mutating func takeTable() -> PropertyTable? {
        guard case .table(let table) = value else { return nil }
        value = .null
        return table
    }

    /// Removes the array from the node and returns it, so that it can be changed without a copy. Nil if the node is not
    /// an array.
    mutating func takeArray() -> [PropertyNode]? {
        guard case .array(let nodes) = value else { return nil }
        value = .null
        return nodes
    }

    var isOpaque: Bool { if case .opaque = value { true } else { false } }
    var isNull: Bool { if case .null = value { true } else { false } }

    /// The flag, such as `--debug`, if the value is from an argument without a value; otherwise nil.
    var flag: String? {
        guard case .bool(true) = value, let label = origin.label, label.begins(with: "--") else { return nil }
        return label
    }
}

// MARK: - Text

extension PropertyNode: DescriptionOnly {
    /// `30 (config.toml:12:11)`. A value that is secret, or contains a secret one, is masked.
    public var description: String { "\(holdsSecret ? ValueText.mask : ValueText.short(value)) (\(origin))" }
}

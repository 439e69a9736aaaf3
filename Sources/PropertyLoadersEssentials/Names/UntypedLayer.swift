import Properties

/// Collects the named texts of a source that has no types and no levels, as a layer.
struct UntypedLayer {
    /// What becomes of a name that leads through another one's value: `ca.crt` beside `ca`.
    enum Conflict {
        /// It is an error.
        case refused
        /// The later of the two stays one key with dots in it.
        case keptApart
    }

    private let source: PropertySource
    private let conflict: Conflict
    private var builder = TableBuilder()

    /// Begins a layer.
    ///
    /// - Parameter source: has a label for each place.
    init(of source: PropertySource, conflict: Conflict = .refused) {
        self.source = source
        self.conflict = conflict
    }

    /// The table of all that was added.
    var table: PropertyTable { builder.table }

    /// Adds a value.
    ///
    /// - Parameter place: the index of the label, or the offset in the text.
    mutating func add(_ value: PropertyValue, at path: [String], place: Int) throws(PropertyLoadError) {
        let node = PropertyNode(value, origin: origin(place))
        guard let other = builder.insert(node, at: path) else { return }
        let name = path.joined(separator: ".")
        if conflict == .keptApart, builder.insert(node, at: [name]) == nil { return }
        throw PropertyLoadError(
            .duplicate, "'\(name)' is set twice, or is a value in one place and a table in another", at: origin(place),
            remedy: "Leave one of them out", notes: [.init("the other is", at: other)])
    }

    private func origin(_ place: Int) -> PropertyOrigin {
        PropertyOrigin(source: source, place: UInt32(exactly: place) ?? PropertyOrigin.nowhere)
    }
}

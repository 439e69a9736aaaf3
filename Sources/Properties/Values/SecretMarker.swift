/// Marks values as secret by replacing their sources with secret copies.
///
/// Each source is copied once, so that all its nodes still share one source.
struct SecretMarker {
    // The originals and their secret copies, by the identity of the original. The originals are kept, because another
    // source could otherwise get the address of one that was released.
    private var copies: [ObjectIdentifier: (original: PropertySource, copy: PropertySource)] = [:]
    /// The secret source for nodes whose source is unknown.
    private var outer = PropertySource.unknownSecret

    /// Creates a marker.
    ///
    /// - Parameter outer: the source of the layer, for nodes without one; nil if the layer has no source yet.
    init(outer: PropertySource? = nil) {
        if let outer { self.outer = source(outer) }
    }

    /// Returns the secret copy of a source.
    mutating func source(_ source: PropertySource) -> PropertySource {
        if source.isUnknown { return outer }
        if source.isSecret { return source }
        if let known = copies[ObjectIdentifier(source)] { return known.copy }
        let copy = source.limited(to: .masked)
        copies[ObjectIdentifier(source)] = (source, copy)
        return copy
    }

    /// Returns the same place in the secret copy of its source.
    mutating func origin(_ origin: PropertyOrigin) -> PropertyOrigin {
        PropertyOrigin(source: source(origin.source), place: origin.place)
    }

    /// Returns a table with all nodes marked as secret. Tables and arrays that are nested deeper than `levels` become
    /// empty. No store accepts such tables anyway.
    mutating func table(_ table: PropertyTable, levels: Int) -> PropertyTable {
        levels == 0 ? PropertyTable() : table.mapNodes { node($0, levels: levels) }
    }

    /// Returns a secret copy of a node and of everything inside it, to a depth of `levels`.
    @inline(never)  // Otherwise the compiler inlines several levels of the recursion: 8 KB.
    mutating func node(_ node: PropertyNode, levels: Int) -> PropertyNode {
        var new = node
        new.origin = origin(node.origin)
        switch node.value {
        case .table(let table): new.value = .table(self.table(table, levels: levels - 1))
        case .array(let nodes): new.value = .array(levels > 1 ? nodes.map { self.node($0, levels: levels - 1) } : [])
        default: break
        }
        return new
    }
}

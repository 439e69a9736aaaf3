/// Marks values as secret by replacing their sources with secret copies.
///
/// Each source is copied once, so that all its nodes still share one source.
struct SecretMarker {
    // By identity: what is being marked keeps the original sources alive.
    private var copies: [ObjectIdentifier: PropertySource] = [:]
    /// The source of nodes that have none.
    private var outer = PropertySource.unknownSecret

    /// - Parameter outer: the source of nodes that have none, if it is known already.
    init(outer: PropertySource? = nil) {
        if let outer { self.outer = source(outer) }
    }

    /// Returns the secret copy of a source.
    mutating func source(_ source: PropertySource) -> PropertySource {
        if source.isUnknown { return outer }
        if source.isSecret { return source }
        if let copy = copies[ObjectIdentifier(source)] { return copy }
        let copy = source.markedSecret
        copies[ObjectIdentifier(source)] = copy
        return copy
    }

    /// Returns an origin in the secret copy of its source.
    mutating func origin(_ origin: PropertyOrigin) -> PropertyOrigin {
        PropertyOrigin(source: source(origin.source), place: origin.place)
    }

    /// Returns a table whose nodes are all secret. Tables and arrays that are nested deeper than `levels` are left out;
    /// no store accepts them.
    mutating func table(_ table: PropertyTable, levels: Int) -> PropertyTable {
        levels == 0 ? PropertyTable() : table.mapNodes { node($0, levels: levels) }
    }

    /// Returns a node that is secret, with all nodes in it, up to a number of levels.
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

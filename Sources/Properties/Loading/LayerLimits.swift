extension PropertyLayer {
    /// Counts the layer's names.
    ///
    /// - Parameter nameLimit: how many bytes a flat name may have.
    /// - Throws: a `PropertyLoadError` where the layer is deeper than the store can walk or has a longer name. The formats
    ///   have depth limits of their own; this one is for layers that a loader makes in another way.
    mutating func measure(nameLimit: Int) throws(PropertyLoadError) {
        var walk = LayerWalk(nameLimit: nameLimit)
        guard let excess = walk.excess(in: table, levels: Self.depthLimit, prefix: 0) else {
            nameCount = walk.names
            return
        }
        let error =
            switch excess {
            case .depth:
                PropertyLoadError(
                    .limit, "the values are more than \(Self.depthLimit) deep in each other", at: .unknown,
                    remedy: "Make them flatter")
            case .name(let count, let place):
                PropertyLoadError(
                    .limit, "this key's flat name has \(count) bytes", at: place,
                    expected: "at most \(nameLimit)",
                    remedy: "Shorten the keys that it is in, or raise the limit with limitNames(to:)")
            }
        throw error.known(in: source)
    }
}

/// Walks all names of a layer.
private struct LayerWalk {
    enum Excess {
        case depth
        case name(count: Int, PropertyOrigin)
    }

    let nameLimit: Int
    /// How many nodes have a name.
    var names = 0

    init(nameLimit: Int) {
        self.nameLimit = nameLimit
    }

    /// The first thing in a table that is past a limit.
    ///
    /// - Parameters:
    ///   - levels: how many tables and arrays may be inside each other.
    ///   - prefix: the size of the table's flat name and the dot after it.
    mutating func excess(in table: PropertyTable, levels: Int, prefix: Int) -> Excess? {
        if levels == 0 { return .depth }
        let entries = table.entries
        names += entries.count
        // By position: copying an entry retains what it holds.
        for index in entries.indices {
            let count = prefix + entries[index].key.utf8.count
            if count > nameLimit { return .name(count: count, entries[index].keyOrigin) }
            switch entries[index].node.value {
            case .table(let inner):
                if let excess = excess(in: inner, levels: levels - 1, prefix: count + 1) { return excess }
            case .array: if Self.isDeeper(entries[index].node.value, than: levels - 1) { return .depth }
            default: break
            }
        }
        return nil
    }

    // What is in an array has no flat name.
    private static func isDeeper(_ value: PropertyValue, than levels: Int) -> Bool {
        switch value {
        case .table(let table):
            let entries = table.entries
            return levels == 0 || entries.indices.contains { isDeeper(entries[$0].node.value, than: levels - 1) }
        case .array(let nodes):
            return levels == 0 || nodes.indices.contains { isDeeper(nodes[$0].value, than: levels - 1) }
        default: return false
        }
    }
}

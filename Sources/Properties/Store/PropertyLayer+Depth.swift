extension PropertyLayer {
    /// How deep tables and arrays may stand in each other: all that walks them calls itself once a level.
    static let depthLimit = 1024

    /// Refuses a layer that is deeper than the store can walk, and counts its names. What the loaders read has limits of
    /// its own.
    mutating func measure() throws(PropertyLoadError) {
        nameCount = 0
        guard table.isDeeper(than: Self.depthLimit, &nameCount) else { return }
        throw PropertyLoadError(
            .limit, "the values stand more than \(Self.depthLimit) deep in each other",
            at: PropertyOrigin(source: source ?? .unknown), remedy: "Make them flatter")
    }
}

extension PropertyTable {
    /// - Parameter names: grows by the number of nodes with a name of their own.
    fileprivate func isDeeper(than levels: Int, _ names: inout Int) -> Bool {
        if levels == 0 { return true }
        let entries = entries
        names += entries.count
        // By position: who takes an entry out counts its references.
        for index in entries.indices {
            switch entries[index].node.value {
            case .table(let table): if table.isDeeper(than: levels - 1, &names) { return true }
            case .array(let nodes): if nodes.areDeeper(than: levels - 1) { return true }
            default: break
            }
        }
        return false
    }
}

extension [PropertyNode] {
    fileprivate func areDeeper(than levels: Int) -> Bool {
        if levels == 0 { return true }
        var names = 0
        for index in indices {
            switch self[index].value {
            case .table(let table): if table.isDeeper(than: levels - 1, &names) { return true }
            case .array(let nodes): if nodes.areDeeper(than: levels - 1) { return true }
            default: break
            }
        }
        return false
    }
}

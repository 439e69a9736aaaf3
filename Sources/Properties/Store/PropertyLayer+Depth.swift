extension PropertyLayer {
    /// How deep tables and arrays may stand in each other: all that walks them calls itself once a level.
    private static let depthLimit = 1024

    /// Refuses a layer that is deeper than the store can walk. What the loaders read has limits of its own.
    func checkDepth() throws(PropertyLoadError) {
        guard PropertyValue.table(table).isDeeper(than: Self.depthLimit) else { return }
        throw PropertyLoadError(
            .limit, "the values stand more than \(Self.depthLimit) deep in each other",
            at: PropertyOrigin(source: source ?? .unknown), remedy: "Make them flatter")
    }
}

extension PropertyValue {
    fileprivate func isDeeper(than levels: Int) -> Bool {
        switch self {
        case .table(let table):
            if levels == 0 { return true }
            for index in table.indices where table.entries[index].node.value.hasParts {
                if table.entries[index].node.value.isDeeper(than: levels - 1) { return true }
            }
        case .array(let nodes):
            if levels == 0 { return true }
            for index in nodes.indices where nodes[index].value.hasParts {
                if nodes[index].value.isDeeper(than: levels - 1) { return true }
            }
        default: break
        }
        return false
    }

    private var hasParts: Bool {
        switch self {
        case .table, .array: true
        default: false
        }
    }
}

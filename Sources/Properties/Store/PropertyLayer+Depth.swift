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
        case .table(let table): levels == 0 || table.contains { $0.node.value.isDeeper(than: levels - 1) }
        case .array(let nodes): levels == 0 || nodes.contains { $0.value.isDeeper(than: levels - 1) }
        default: false
        }
    }
}

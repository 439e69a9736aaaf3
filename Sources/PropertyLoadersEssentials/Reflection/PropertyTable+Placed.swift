internal import Properties

extension PropertyTable {
    /// The same table with its places, and those of all that it holds, in a source.
    ///
    /// A source cannot change, so the one that has the labels is made after the values.
    func placed(in source: PropertySource) -> PropertyTable {
        PropertyTable(
            entries: map { entry in
                Entry(key: entry.key, keyPlace: entry.keyPlace, node: entry.node.placed(in: source))
            })
    }
}

extension PropertyNode {
    fileprivate func placed(in source: PropertySource) -> PropertyNode {
        let value: PropertyValue =
            switch value {
            case .table(let table): .table(table.placed(in: source))
            case .array(let nodes): .array(nodes.map { $0.placed(in: source) })
            default: value
            }
        return PropertyNode(value, origin: PropertyOrigin(source: source, place: origin.place))
    }
}

import SharedState

extension MergedState {
    /// Returns the values that a name had, the latest first.
    ///
    /// If the name is no longer in the tree, the first entry is the value that removed it: the new value of a table
    /// that contained the name.
    func history(of key: PropertyKey) -> [PropertyEntry] {
        var history: [PropertyEntry] = []
        var removal: PropertyEntry?
        var last: (layer: UInt32, place: UInt32)?
        var before: PropertyTree?
        for (layer, step) in zip(layers, mergeSteps.value(findMergeSteps)) {
            let old = before?.node(key)
            if let new = step.merged.node(key) {
                let isSet = step.layer.node(key).map { new.isTable || !$0.isTable } ?? false
                // If a layer has a name below a value, the value becomes a table, although the layer does not have the
                // name itself.
                if isSet || old == nil || old?.isTable == false && new.isTable {
                    removal = nil
                    // A declared variable may also have the prefix of the source. Then the layer has the same value
                    // twice.
                    if let last, last == (layer.id, new.place) { history.removeLast() }
                    last = (layer.id, new.place)
                    history.append(entry(key, new))
                }
            } else if old != nil {
                let removed = key.tables.last { before?.node($0) != nil && step.layer.node($0) != nil }
                removal = removed.flatMap { table in step.layer.node(table).map { entry(table, $0) } }
            }
            before = step.merged
        }
        // The current value has its placeholders replaced.
        if removal == nil, !history.isEmpty, let index = find(key) {
            history[history.count - 1] = entry(key, tree.all[index].node)
        }
        return (history + [removal].compactMap { $0 }).reversed()
    }

    /// Returns the value that removed a name; nil if the name exists or no source had it.
    func removal(of key: PropertyKey) -> PropertyEntry? { find(key) == nil ? history(of: key).first : nil }

    private func findMergeSteps() -> [MergeStep] {
        let builder = TableBuilder()
        return layers.map { layer in
            builder.merge(layer, keepingApart: merged.beginnings)
            return MergeStep(layer: PropertyTree(layer.table), merged: PropertyTree(builder.table))
        }
    }
}

// An error keeps its state. Parts of the text of the error are computed from the state on demand.
extension MergedState: PropertyHistory {
    func nearestName(to name: String) -> String? { tree.nearestName(to: name) }

    func origin(of key: PropertyKey) -> PropertyOrigin? { node(key)?.origin }
}

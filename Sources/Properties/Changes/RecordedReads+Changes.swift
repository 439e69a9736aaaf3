extension [RecordedReads] {
    /// Returns how what was read differs from the current properties of a store, sorted by name.
    package func changes(in store: PropertyStore) -> [PropertyChange<PropertyEntry>] {
        let current = store.current
        var changes: [PropertyKey: PropertyChange<PropertyEntry>] = [:]
        for read in flatMap(\.all) {
            current.collectChanges(read.key?.rawValue, read.node, current.node(read: read.key), &changes)
        }
        return changes.values.sorted(byName: \.name)
    }
}

extension MergedState {
    /// Adds the differences between a former node of a name and the current one. Two tables are compared key by key.
    fileprivate func collectChanges(
        _ name: String?, _ old: PropertyNode?, _ new: PropertyNode?,
        _ changes: inout [PropertyKey: PropertyChange<PropertyEntry>]
    ) {
        let (before, after) = (old?.value ?? .null, new?.value ?? .null)
        if PropertyValue.isSame(before, after) { return }
        if case .table(let one) = before, case .table(let other) = after {
            let (one, other) = (one.nodes, other.nodes)
            for key in Set(one.keys).union(other.keys) {
                collectChanges(name.joined(path: ".\(key.rawValue)"), one[key], other[key], &changes)
            }
            return
        }
        let name = name ?? ""
        let entries = [old, new].map { node in
            node.flatMap { node in
                node.isNull ? nil : PropertyEntry(name: name, node: node, isSecret: holdsSecret(name, node))
            }
        }
        changes[PropertyKey(name)] = PropertyChange(
            name: name, old: entries[0], new: entries[1], origin: (new ?? old)?.origin,
            isSecret: entries.contains { $0?.isSecret == true })
    }
}

extension PropertyTable {
    fileprivate var nodes: [PropertyKey: PropertyNode] {
        Dictionary(map { (PropertyKey($0.key), $0.node) }) { $1 }
    }
}

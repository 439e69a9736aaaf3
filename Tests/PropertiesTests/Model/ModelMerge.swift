import Properties

/// The merged properties: a flat dictionary of names, each with its path in the tree.
struct ModelMerge {
    struct Place {
        var path: [Name]
        /// The value of a leaf, or an empty table for a table.
        var value: ModelValue
        /// The index of the layer that set the name last.
        var layer: Int

        var isTable: Bool { value.isTable }
    }

    private(set) var places: [Name: Place] = [:]
    /// A copy of `places` after each layer.
    private(set) var past: [[Name: Place]] = []
    /// The names and values that each layer sets, even those that the merged result does not contain.
    private(set) var said: [[Name: ModelValue]] = []
    /// For each change between a table and a plain value, the index of the layer that caused it.
    private(set) var kindChanges: [Int] = []

    mutating func add(_ nodes: [ModelNode], _ rule: MergeRule) {
        let (before, layer) = (places, past.count)
        noteKindChanges(nodes, before, layer)
        // A name that is set again keeps its path. What was below it is removed, unless two tables are merged.
        let cleared = nodes.compactMap { node -> [Name]? in
            guard let old = before[node.name] else { return nil }
            return rule == .deep && old.isTable && node.isTable ? nil : old.path
        }
        let kept = before.filter { _, place in
            !cleared.contains { place.path.count > $0.count && place.path.starts(with: $0) }
        }
        places = kept
        for node in nodes {
            let parent = places[Name(path: node.path.dropLast())]?.path ?? []
            let path = kept[node.name]?.path ?? (node.path.count == 1 ? [] : parent) + node.path.suffix(1)
            places[node.name] = Place(path: path, value: node.value, layer: layer)
        }
        dropHusks(nodes, rule, kept)
        past.append(places)
        said.append(Dictionary(uniqueKeysWithValues: nodes.map { ($0.name, $0.value) }))
    }

    private mutating func noteKindChanges(_ nodes: [ModelNode], _ before: [Name: Place], _ layer: Int) {
        for node in nodes {
            guard let old = before[node.name], old.value != .null, node.value != .null else { continue }
            if old.isTable != node.isTable { kindChanges.append(layer) }
        }
    }

    // A table of the layer is left out if all its contents have paths elsewhere. An earlier table that it was merged
    // with stays.
    private mutating func dropHusks(_ nodes: [ModelNode], _ rule: MergeRule, _ kept: [Name: Place]) {
        for node in nodes.reversed() where node.isTable && node.isFilled {
            guard let path = places[node.name]?.path, children(of: path).isEmpty else { continue }
            let old = kept[node.name].flatMap { rule == .deep && $0.isTable ? $0 : nil }
            places[node.name] = old
        }
    }

    /// Returns the names directly in a table, without the contents of its inner tables.
    func children(of path: [Name]) -> [Name] {
        places.filter { $1.path.count == path.count + 1 && $1.path.starts(with: path) }.map(\.key)
    }
}

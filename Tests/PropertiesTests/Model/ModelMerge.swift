import Properties

/// The merged names: a flat dictionary with the path of each name.
struct ModelMerge {
    struct Place {
        var path: [Name]
        /// The value; an empty table for a table.
        var value: ModelValue
        /// The layer that set it last.
        var layer: Int

        var isTable: Bool { value.isTable }
    }

    private(set) var places: [Name: Place] = [:]
    /// The names after each layer.
    private(set) var past: [[Name: Place]] = []
    /// The names of each layer, whether or not they are there in the end.
    private(set) var said: [[Name: ModelValue]] = []
    /// For each change between a table and a plain value, the layer that made it.
    private(set) var kindChanges: [Int] = []

    mutating func add(_ nodes: [ModelNode], _ rule: MergeRule) {
        let (before, layer) = (places, past.count)
        noteKindChanges(nodes, before, layer)
        // An existing name keeps its path. What was below it is removed, unless two tables merge.
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

    // A table of the layer whose contents are all elsewhere does not exist, or stays what it was.
    private mutating func dropHusks(_ nodes: [ModelNode], _ rule: MergeRule, _ kept: [Name: Place]) {
        for node in nodes.reversed() where node.isTable && node.isFilled {
            guard let path = places[node.name]?.path, children(of: path).isEmpty else { continue }
            let old = kept[node.name].flatMap { rule == .deep && $0.isTable ? $0 : nil }
            places[node.name] = old
        }
    }

    /// The names of the direct contents of a table.
    func children(of path: [Name]) -> [Name] {
        places.filter { $1.path.count == path.count + 1 && $1.path.starts(with: path) }.map(\.key)
    }
}

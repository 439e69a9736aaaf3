import Properties

/// A tree of properties.
indirect enum ModelTree {
    /// A plain value, null or an array, and the index of the layer that set it.
    case leaf(ModelValue, layer: Int)
    /// A table. It is not written if it exists only because of a dot: the table `a` of the key `a.b`.
    case table([Name: ModelTree], isWritten: Bool, layer: Int)

    /// Returns the tree after a later one was merged into it, as dictionaries are merged.
    func merged(with later: ModelTree, _ rule: MergeRule) -> ModelTree {
        guard case .table(let old, _, _) = self, case .table(let new, let isWritten, let layer) = later,
            rule == .deep || !isWritten
        else { return later }
        return .table(old.merging(new) { $0.merged(with: $1, rule) }, isWritten: isWritten, layer: layer)
    }

    /// Returns the tree at a path, or nil.
    subscript(path: ArraySlice<Name>) -> ModelTree? {
        guard let key = path.first else { return self }
        guard case .table(let table, _, _) = self else { return nil }
        return table[key]?[path.dropFirst()]
    }

    /// The value of a leaf, or an empty table.
    var value: ModelValue {
        switch self {
        case .leaf(let value, _): value
        case .table: .table([])
        }
    }

    var isTable: Bool { value.isTable }

    var layer: Int {
        switch self {
        case .leaf(_, let layer), .table(_, _, let layer): layer
        }
    }

    /// The paths of all tables and leaves below this table.
    var paths: [[Name]] {
        guard case .table(let table, _, _) = self else { return [] }
        return table.flatMap { key, inner in [[key]] + inner.paths.map { [key] + $0 } }
    }
}

/// The merged properties.
struct ModelMerge {
    /// What a flat name leads to.
    struct Place {
        let path: [Name]
        /// The value of a leaf, or an empty table for a table.
        let value: ModelValue
        /// The index of the layer that set the name last.
        let layer: Int

        var isTable: Bool { value.isTable }
    }

    private(set) var tree = ModelTree.table([:], isWritten: true, layer: 0)
    /// The trees of the layers, and the merged tree after each of them.
    private(set) var steps: [(layer: ModelTree, merged: ModelTree)] = []
    private(set) var places: [Name: Place] = [:]

    init(_ layers: [ModelTree], _ rules: [MergeRule]) {
        for (index, layer) in layers.enumerated() {
            // The root is never replaced as a whole.
            if case .table(let table, _, let number) = layer {
                tree = tree.merged(with: .table(table, isWritten: false, layer: number), rules[index])
            }
            steps.append((layer, tree))
        }
        for path in tree.paths {
            guard let node = tree[path[...]] else { continue }
            places[Name(path: path)] = Place(path: path, value: node.value, layer: node.layer)
        }
    }

    /// Returns the names directly in a table, without the contents of its inner tables.
    func children(of path: [Name]) -> [Name] {
        places.filter { $1.path.count == path.count + 1 && $1.path.starts(with: path) }.map(\.key)
    }
}

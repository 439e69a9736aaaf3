import Properties

/// A tree of properties.
indirect enum ModelTree {
    /// A plain value, null or an array, what is beside it because its name begins with that of the value, and the index of
    /// the layer that set it.
    case leaf(ModelValue, beside: [Name: ModelTree], layer: Int)
    /// A table. It is not written if it exists only because of a dot: the table `a` of the key `a.b`.
    case table([Name: ModelTree], isWritten: Bool, layer: Int)

    /// What has the name of this tree and more levels.
    var inner: [Name: ModelTree] {
        get {
            switch self {
            case .leaf(_, let inner, _), .table(let inner, _, _): inner
            }
        }
        set {
            switch self {
            case .leaf(let value, _, let layer): self = .leaf(value, beside: newValue, layer: layer)
            case .table(_, let isWritten, let layer): self = .table(newValue, isWritten: isWritten, layer: layer)
            }
        }
    }

    /// Returns the tree after a later one was merged into it, as dictionaries are merged. What is beside a value stays, and
    /// is in a later table that is merged. What the later layer has beside a value is added to earlier tables, which keep
    /// their layer.
    ///
    /// A value that is declared apart from the names that begin with its name is kept beside them, in any order of the
    /// layers.
    ///
    /// - Parameters:
    ///   - later: the later tree.
    ///   - rule: the rule of its layer.
    ///   - isBeside: whether it is beside a value of its layer.
    ///   - apart: the names of the values that are declared apart.
    ///   - name: the path of this tree.
    /// - Returns: the merged tree.
    func merged(
        with later: ModelTree, _ rule: MergeRule, isBeside: Bool = false, _ apart: Set<Name>, at name: [Name] = []
    ) -> ModelTree {
        let isApart = apart.contains(Name(path: name))
        func merged(_ one: [Name: ModelTree], _ other: [Name: ModelTree], isBeside: Bool) -> [Name: ModelTree] {
            var all = one
            for (key, tree) in other {
                all[key] =
                    all[key]?.merged(with: tree, rule, isBeside: isBeside, apart, at: name + [key]) ?? tree
            }
            return all
        }
        switch (self, later) {
        case (.leaf(let value, let beside, let number), .table(let new, let isWritten, _))
        where isApart && (rule == .deep || !isWritten):
            return .leaf(value, beside: merged(beside, new, isBeside: isBeside), layer: number)
        case (_, .leaf(let value, let beside, let layer)):
            let old: [Name: ModelTree] = if case .leaf(_, let old, _) = self { old } else { isApart ? inner : [:] }
            return .leaf(value, beside: merged(old, beside, isBeside: true), layer: layer)
        case (.leaf(let value, let beside, let number), .table(let new, false, _)) where !beside.isEmpty:
            return .leaf(value, beside: merged(beside, new, isBeside: isBeside), layer: number)
        case (_, .table(let new, let isWritten, let layer)) where rule == .deep || !isWritten:
            let isBeside = isBeside && !isWritten
            let merged = merged(inner, new, isBeside: isBeside)
            guard case .table(_, let wasWritten, let earlier) = self else {
                return .table(merged, isWritten: isWritten, layer: layer)
            }
            // A table that one of the sources writes stays one.
            return .table(merged, isWritten: isWritten || wasWritten, layer: isBeside ? earlier : layer)
        default: return later
        }
    }

    /// Returns the tree at a path, or nil. A table that is not written is none beside a value.
    subscript(path: ArraySlice<Name>) -> ModelTree? { tree(at: path, isBeside: false) }

    private func tree(at path: ArraySlice<Name>, isBeside: Bool) -> ModelTree? {
        guard let key = path.first else { return isBeside && isTable && !isWritten ? nil : self }
        let isInside = if case .leaf = self { true } else { isBeside && !isWritten }
        return inner[key]?.tree(at: path.dropFirst(), isBeside: isInside)
    }

    /// The value of a leaf, or an empty table.
    var value: ModelValue {
        switch self {
        case .leaf(let value, _, _): value
        case .table: .table([])
        }
    }

    var isTable: Bool { value.isTable }

    var layer: Int {
        switch self {
        case .leaf(_, _, let layer), .table(_, _, let layer): layer
        }
    }

    /// The paths of all tables and leaves below this name. A table that is not written is none beside a value.
    var paths: [[Name]] { paths(isBeside: false) }

    private func paths(isBeside: Bool) -> [[Name]] {
        let isBeside = if case .leaf = self { true } else { isBeside && !isWritten }
        return inner.flatMap { key, inner in
            (isBeside && inner.isTable && !inner.isWritten ? [] : [[key]])
                + inner.paths(isBeside: isBeside).map { [key] + $0 }
        }
    }

    /// The tables and leaves by their names. If a name has several paths, the path with the shorter first key counts.
    var named: [Name: ModelTree] {
        let sorted = paths.sorted { $0.lexicographicallyPrecedes($1) { $0.text.utf8.count < $1.text.utf8.count } }
        let trees = sorted.compactMap { path in self[path[...]].map { (Name(path: path), $0) } }
        return Dictionary(trees) { first, _ in first }
    }

    /// The names that lead to two tables or leaves.
    var namesWithTwoPaths: [Name] {
        Dictionary(grouping: paths) { Name(path: $0) }.filter { $1.count > 1 }.map(\.key)
    }

    /// Whether a key with dots is beside a value. What is there has the path between its dots, so that the name has two
    /// paths if a table of another source has that key.
    func hasDotsBeside(isBeside: Bool = false) -> Bool {
        let isBeside = if case .leaf = self { true } else { isBeside }
        return inner.contains { isBeside && $0.parts.count > 1 || $1.hasDotsBeside(isBeside: isBeside) }
    }

    private var isWritten: Bool { if case .table(_, false, _) = self { false } else { true } }
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
    /// Whether a name has two paths.
    private(set) var hasTwoPaths = false

    init(_ layers: [ModelTree], _ rules: [MergeRule], apart: Set<Name> = []) {
        for (index, layer) in layers.enumerated() {
            // The root is never replaced as a whole.
            if case .table(let table, _, let number) = layer {
                tree = tree.merged(with: .table(table, isWritten: false, layer: number), rules[index], apart)
            }
            steps.append((layer, tree))
        }
        for path in tree.paths {
            guard let node = tree[path[...]] else { continue }
            let place = Place(path: path, value: node.value, layer: node.layer)
            if places.updateValue(place, forKey: Name(path: path)) != nil { hasTwoPaths = true }
        }
    }

    /// Returns the names directly in a table, without the contents of its inner tables.
    func children(of path: [Name]) -> [Name] {
        places.filter { $1.path.count == path.count + 1 && $1.path.starts(with: path) }.map(\.key)
    }
}

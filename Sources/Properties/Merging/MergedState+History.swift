extension MergedState {
    /// Returns the values that the layers have for a name, the latest first.
    ///
    /// If the name is no longer in the tree, the first entry is the value that removed it: the new value of a table
    /// that contained the name.
    func history(of key: PropertyKey) -> [PropertyEntry] {
        let path = path(of: key)[...]
        var history: [PropertyEntry] = []
        var removal: PropertyEntry?
        let tree = TableBuilder()
        for layer in layers {
            let wasThere = tree.table.node(atSplit: path) != nil
            tree.merge(layer: layer.table.part(at: path), isDeep: layer.merge == .deep, hasDots: layer.hasDots)
            let node = tree.table.node(atSplit: path)
            let own = layer.table.node(atSplit: path)
            // A layer with only names beside a value does not set the value.
            if let own, let node, node.isTable || !own.isTable {
                removal = nil
                history.append(entry(key.rawValue, node))
            } else if wasThere, node == nil {
                removal = layer.table.lastNode(on: path).map {
                    entry(path.prefix($0.depth).joined(separator: "."), $0.node)
                }
            }
        }
        // The current value has its placeholders replaced.
        if removal == nil, !history.isEmpty, let index = find(key) {
            history[history.count - 1] = entry(names.all[index])
        }
        return (history + [removal].compactMap { $0 }).reversed()
    }

    /// Returns the value that removed a name; nil if the name exists or no source had it.
    func removal(of key: PropertyKey) -> PropertyEntry? {
        find(key) == nil ? history(of: key).first : nil
    }

    private func entry(_ name: String, _ node: PropertyNode) -> PropertyEntry {
        PropertyEntry(name: name, node: node.single)
    }
}

extension PropertyTable {
    /// Returns the table with only the value at a path and the values that the path leads through.
    fileprivate func part(at path: ArraySlice<String>) -> PropertyTable {
        // Whether a later table replaces a value depends on all that is beside the value.
        let start = "\(path.first ?? "")."
        let apart = entries.filter { $0.key.begins(with: start) }
        return PropertyTable(entries: inner(at: path).entries + apart)
    }

    /// Returns the node at a path, which may lead through a key of the first level that has dots.
    fileprivate func node(atSplit path: ArraySlice<String>) -> PropertyNode? {
        if let node = node(at: path) { return node }
        for entry in entries where entry.key.contains(byte: .dot) {
            let parts = entry.key.parts(between: ".").map { String($0) }
            guard path.starts(with: parts, by: { $0.isSame(as: $1) }) else { continue }
            let rest = path.dropFirst(parts.count)
            if rest.isEmpty { return entry.node }
            if case .table(let inner) = entry.node.value, let node = inner.node(at: rest) { return node }
        }
        return nil
    }

    private func inner(at path: ArraySlice<String>) -> PropertyTable {
        guard let key = path.first, let index = lastIndex(of: key) else { return PropertyTable() }
        var entry = entries[index]
        if path.count > 1, let inner = entry.node.takeTable() {
            entry.node.value = .table(inner.inner(at: path.dropFirst()))
        }
        return PropertyTable(entries: [entry])
    }

    /// Returns the last node that a path leads to or through, and the number of keys that lead to it.
    fileprivate func lastNode(on path: ArraySlice<String>) -> (depth: Int, node: PropertyNode)? {
        let names = path.indices.map { path[...$0].joined(separator: ".") }
        let apart = entries.compactMap { entry -> (depth: Int, node: PropertyNode)? in
            guard entry.key.contains(byte: .dot), let depth = names.firstIndex(where: entry.key.isSame(as:)) else {
                return nil
            }
            let inner = entry.node.lastNode(on: path.dropFirst(depth + 1))
            return (depth + 1 + inner.depth, inner.node)
        }
        let inner = PropertyNode(.table(self)).lastNode(on: path)
        return ([inner].filter { $0.depth > 0 } + apart).max { $0.depth < $1.depth }
    }
}

extension PropertyNode {
    fileprivate func lastNode(on path: ArraySlice<String>) -> (depth: Int, node: PropertyNode) {
        guard let key = path.first, case .table(let table) = value, let next = table[key] else { return (0, self) }
        let inner = next.lastNode(on: path.dropFirst())
        return (inner.depth + 1, inner.node)
    }
}

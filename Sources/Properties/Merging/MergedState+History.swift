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
            let wasThere = tree.table.node(at: path) != nil
            tree.merge(layer.table.part(at: path), isDeep: layer.merge == .deep)
            let node = tree.table.node(at: path)
            if layer.table.node(at: path) != nil, let node {
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
        guard let key = path.first, let index = lastIndex(of: key) else { return PropertyTable() }
        var entry = entries[index]
        if path.count > 1, let inner = entry.node.takeTable() {
            entry.node.value = .table(inner.part(at: path.dropFirst()))
        }
        return PropertyTable(entries: [entry])
    }

    /// Returns the last node that a path leads to or through, and the number of keys that lead to it.
    fileprivate func lastNode(on path: ArraySlice<String>) -> (depth: Int, node: PropertyNode)? {
        guard let key = path.first, let node = self[key] else { return nil }
        guard path.count > 1, case .table(let inner) = node.value else { return (1, node) }
        return inner.lastNode(on: path.dropFirst()).map { ($0.depth + 1, $0.node) } ?? (1, node)
    }
}

extension PropertySnapshot {
    /// The values that the layers gave a name, the latest first.
    ///
    /// Where the name is not in the tree any more, the first entry is what removed it: a table that it was in, which a
    /// later source replaced.
    func history(of key: PropertyKey) -> [PropertyEntry] {
        let current = find(key)
        var history: [PropertyEntry] = []
        var removal: PropertyEntry?
        var merge = PropertyMerge([])
        for (number, layer) in layers.enumerated() {
            let before = merge.path(to: key)
            // Where a name is at its layer's own path, only the names around it have a say in it.
            merge.add(hasDisplaced ? layer.deduplicated() : layer.related(to: key.rawValue), number: number)
            let index = merge.path(to: key).first
            if let index, merge.tree.elements[index].layer == number {
                removal = nil
                if let current, tree.elements[current].layer == number {
                    history.append(PropertyEntry(self, current))
                } else {
                    let (past, place) = merge.finished(with: index)
                    history.append(PropertyEntry(past, place, isSecret: isSecret(place, of: past)))
                }
            } else if index == nil, let replaced = before.first(where: { merge.tree.elements[$0].layer == number }) {
                removal = entry(merge.tree.name(of: replaced), of: layer)
            }
        }
        return (history + [removal].compactMap { $0 }).reversed()
    }

    /// What removed a name that a source had, or nil where the name is there or no source had it.
    func removal(of key: PropertyKey) -> PropertyEntry? {
        find(key) == nil ? history(of: key).first : nil
    }

    /// A name with the node that one layer has for it.
    private func entry(_ name: String, of layer: PropertyLayer) -> PropertyEntry? {
        guard var node = layer.table.node(named: name.utf8[...]) else { return nil }
        if node.origin.source === PropertySource.unknown, let source = layer.source {
            node.origin = PropertyOrigin(source: source)
        }
        return PropertyEntry(name: name, node: node, isSecret: isSecret(name, node.origin))
    }
}

extension PropertyMerge {
    /// The element of a name and the tables that it is in, from the inside out; empty where the name is not in the tree.
    fileprivate func path(to key: PropertyKey) -> [Int] {
        guard let index = tree.find(key), isInTree(index) else { return [] }
        return Array(
            sequence(first: index) { [tree] index in
                let parent = tree.elements[index].parent
                return parent == PropertyTree.none ? nil : Int(parent)
            })
    }
}

extension PropertyTable {
    /// The node of a flat name, by whatever path; of a key that is twice in a table the last one.
    fileprivate func node(named name: Substring.UTF8View) -> PropertyNode? {
        for entry in reversed() {
            let key = entry.key.utf8
            guard name.starts(with: key) else { continue }
            let rest = name.dropFirst(key.count)
            if rest.isEmpty { return entry.node }
            guard rest.first == UInt8(ascii: "."), case .table(let inner) = entry.node.value else { continue }
            if let node = inner.node(named: rest.dropFirst()) { return node }
        }
        return nil
    }
}

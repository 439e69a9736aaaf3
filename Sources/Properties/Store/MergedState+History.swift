extension MergedState {
    /// Returns the values that the layers have for a name, the latest first.
    ///
    /// If the name is no longer in the tree, the first entry is the value that removed it: the new value of a table
    /// that contained the name.
    func history(of key: PropertyKey) -> [PropertyEntry] {
        let current = find(key)
        var history: [PropertyEntry] = []
        var removal: PropertyEntry?
        var merge = PropertyMerge([])
        for (number, layer) in layers.enumerated() {
            let before = merge.path(to: key)
            // If no layer changed a value at a path other than the layer's own, only related names can affect a name,
            // so all others are left out.
            merge.add(hasDisplaced ? layer.deduplicated() : layer.related(to: key.rawValue), number: number)
            let index = merge.path(to: key).first
            if let index, merge.tree.elements[index].layer == number {
                removal = nil
                if let current, tree.elements[current].layer == number {
                    history.append(entry(at: current))
                } else {
                    let (past, place) = merge.finished(with: index)
                    history.append(
                        PropertyEntry(
                            name: past.name(of: place), node: past.node(at: place),
                            isSecret: isSecret(place, of: past)))
                }
            } else if index == nil, let replaced = before.first(where: { merge.tree.elements[$0].layer == number }) {
                removal = entry(merge.tree.name(of: replaced), of: layer)
            }
        }
        return (history + [removal].compactMap { $0 }).reversed()
    }

    /// Returns the value that removed a name; nil if the name exists or no source had it.
    func removal(of key: PropertyKey) -> PropertyEntry? {
        find(key) == nil ? history(of: key).first : nil
    }

    /// Returns a name with the value that one layer has for it.
    private func entry(_ name: String, of layer: PropertyLayer) -> PropertyEntry? {
        // Removes duplicate keys first, because the name may exist only at the path of the later entry.
        guard var node = layer.deduplicated().table.node(named: name.utf8[...]) else { return nil }
        node.origin = node.origin.known(in: layer.source)
        return PropertyEntry(name: name, node: node, isSecret: isSecret(name, node.origin))
    }
}

extension PropertyMerge {
    /// Returns the element of a name and the tables that it is in, innermost first. The result is empty if the name is
    /// not in the tree.
    fileprivate func path(to key: PropertyKey) -> [Int] {
        guard let index = tree.find(key), isInTree(index) else { return [] }
        return Array(
            sequence(first: index) { [tree] index in
                let parent = tree.elements[index].parent
                return parent == PropertyTree.none ? nil : Int(parent)
            })
    }
}

extension PropertyLayer {
    /// Returns the layer with only the values that can affect a name: its own value, the tables that it is in, and the
    /// values below it.
    fileprivate func related(to name: String) -> PropertyLayer {
        var layer = self
        layer.values = table.related(to: name.utf8[...])
        return layer.deduplicated()
    }
}

extension PropertyTable {
    fileprivate func related(to name: Substring.UTF8View) -> PropertyTable {
        PropertyTable(
            entries: compactMap { entry in
                let key = entry.key.utf8
                if key.starts(with: name) {
                    let isBelow = key.dropFirst(name.count).first == UInt8(ascii: ".")
                    if isBelow || key.count == name.count { return entry }
                }
                guard name.starts(with: key), name.dropFirst(key.count).first == UInt8(ascii: ".") else { return nil }
                guard case .table(let inner) = entry.node.value else { return entry }
                var entry = entry
                entry.node.value = .table(inner.related(to: name.dropFirst(key.count + 1)))
                return entry
            })
    }

    /// Returns the node of a flat name, even if keys on its path contain dots.
    fileprivate func node(named name: Substring.UTF8View) -> PropertyNode? {
        for entry in self {
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

extension PropertyTable {
    /// The table with its keys parted at their dots, at every level: `["api.timeout": 30]` becomes `["api": ["timeout": 30]]`.
    ///
    /// Of a key that is twice in one table the later one counts. Tables in arrays stay as they are: they have no names.
    ///
    /// - Parameter depthLimit: how many tables may be inside each other.
    /// - Throws: a `PropertyLoadError` where two keys lead to one path, one leads through the value of another, or the
    ///   tables are deeper than the limit.
    package func parted(depthLimit: Int) throws(PropertyLoadError) -> PropertyTable {
        guard hasDots(levels: depthLimit) else { return self }
        var parting = NameParting(depthLimit: depthLimit)
        try parting.add(self, to: 0, depth: 1)
        return parting.table(of: 0)
    }

    private func hasDots(levels: Int) -> Bool {
        levels > 0
            && contains { entry in
                if entry.key.utf8.contains(UInt8(ascii: ".")) { return true }
                guard case .table(let inner) = entry.node.value else { return false }
                return inner.hasDots(levels: levels - 1)
            }
    }
}

private struct NameParting {
    private struct Slot {
        let parent: Int
        let key: String
        /// The place of the first key that leads here.
        let keyOrigin: PropertyOrigin
        /// For a table one without entries.
        var node: PropertyNode
        var children: [Int] = []
    }
    private struct Step: Hashable {
        let parent: Int
        let key: [UInt8]
    }

    // The first one is the table itself.
    private var slots = [Slot(parent: 0, key: "", keyOrigin: .unknown, node: PropertyNode([:]))]
    private var indices: [Step: Int] = [:]
    private let depthLimit: Int

    init(depthLimit: Int) {
        self.depthLimit = depthLimit
    }

    /// Adds the entries of a table to the one of a slot.
    mutating func add(_ table: PropertyTable, to parent: Int, depth: Int) throws(PropertyLoadError) {
        guard depth <= depthLimit else { throw tooDeep(table.first?.keyOrigin ?? .unknown) }
        for entry in table.withoutDuplicates {
            let parts = entry.key.parts(between: ".").map { String($0) }
            guard depth + parts.count - 1 <= depthLimit else { throw tooDeep(entry.keyOrigin) }
            var index = parent
            // A table that only the dots make has no place of its own, as in other sources with flat names.
            for part in parts.dropLast() { index = try child(part, of: index, PropertyNode([:]), entry) }
            let key = parts.last ?? ""
            if case .table(let inner) = entry.node.value {
                let node = PropertyNode([:], origin: entry.node.origin)
                try add(inner, to: child(key, of: index, node, entry), depth: depth + parts.count)
            } else {
                _ = try child(key, of: index, entry.node, entry)
            }
        }
    }

    /// The table of a slot with all that was added to it.
    func table(of index: Int) -> PropertyTable {
        PropertyTable(
            entries: slots[index].children.map { child in
                var node = slots[child].node
                if node.isTable { node.value = .table(table(of: child)) }
                return .init(key: slots[child].key, keyPlace: slots[child].keyOrigin.place, node: node)
            })
    }

    private mutating func child(
        _ key: String, of parent: Int, _ node: PropertyNode, _ entry: PropertyTable.Entry
    ) throws(PropertyLoadError) -> Int {
        let step = Step(parent: parent, key: Array(key.utf8))
        if let index = indices[step] {
            guard node.isTable, slots[index].node.isTable else { throw conflict(entry, with: index) }
            if node.origin.source !== PropertySource.unknown { slots[index].node.origin = node.origin }
            return index
        }
        let index = slots.count
        indices[step] = index
        slots.append(Slot(parent: parent, key: key, keyOrigin: entry.keyOrigin, node: node))
        slots[parent].children.append(index)
        return index
    }

    private func conflict(_ entry: PropertyTable.Entry, with index: Int) -> PropertyLoadError {
        let other = slots[index]
        var path = [other.key], parent = other.parent
        while parent != 0 {
            path.append(slots[parent].key)
            parent = slots[parent].parent
        }
        let name = path.reversed().joined(separator: ".")
        return PropertyLoadError(
            .duplicate, "'\(name)' is set twice, or is a value in one place and a table in another",
            at: entry.keyOrigin, remedy: "Leave one of them out",
            notes: [.init("the other is", at: other.keyOrigin)])
    }

    private func tooDeep(_ origin: PropertyOrigin) -> PropertyLoadError {
        PropertyLoadError(
            .limit, "the name has more than \(depthLimit) levels", at: origin, remedy: "Use fewer dots in it")
    }
}

extension PropertyTable {
    /// The entries without the earlier ones of keys that are twice in the table.
    fileprivate var withoutDuplicates: [Entry] {
        var last: [[UInt8]: Int] = [:]
        for (index, entry) in enumerated() { last[Array(entry.key.utf8)] = index }
        return last.count == count ? entries : enumerated().filter { last[Array($1.key.utf8)] == $0 }.map(\.element)
    }
}

extension PropertyLoadError {
    /// The error about a layer that had no source when it was made.
    func inSource(of layer: PropertyLayer) -> PropertyLoadError {
        func known(_ origin: PropertyOrigin) -> PropertyOrigin {
            guard origin.source === PropertySource.unknown, let source = layer.source else { return origin }
            return PropertyOrigin(source: source)
        }
        let notes = notes.map { Note($0.text, at: known($0.origin)) }
        return PropertyLoadError(
            reason, problem, at: known(origin), expected: expected, remedy: remedy, notes: notes)
    }
}

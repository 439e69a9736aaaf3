extension PropertyLayer {
    /// Prepares the values for merging: splits the keys of the first level at their dots, checks the limits, and adds
    /// the source and the ID of the layer to all values.
    ///
    /// - Parameter id: identifies the layer in its store.
    /// - Throws: a `PropertyLoadError` if two keys have the same path, or if the layer exceeds a limit.
    mutating func prepare(id: UInt32) throws(PropertyLoadError) {
        do throws(PropertyLoadError) {
            if let splitFailure { throw splitFailure }
            // The loaders of flat sources have split their names.
            if spelling == .exact { values = try values.splitAtDots(levels: 1) }
        } catch {
            // A line may contain the value of a name that was declared secret.
            throw error.known(in: source).withoutLines()
        }
        try measure()
        markSecret()
        self.id = id
        values.adopt(source ?? .unknown, id)
    }
}

extension PropertyLayer {
    /// Replaces the values of a layer that is prepared by values with other names.
    mutating func setPrepared(_ new: PropertyTable) {
        values = new
        values.adopt(source ?? .unknown, id)
        hasDots = values.hasDots(levels: Self.depthLimit)
    }
}

extension PropertyTable {
    /// Removes all but the last of equal keys, and adds a source and the ID of its layer to all entries. A source
    /// that is already known stays.
    mutating func adopt(_ source: PropertySource, _ id: UInt32) {
        makeUnique { $0.adopt(source, id) }
    }
}

extension PropertyTable.Entry {
    @inline(never)  // Otherwise each level of the recursion needs more stack.
    fileprivate mutating func adopt(_ source: PropertySource, _ id: UInt32) {
        if !isImplied { layer = id }
        node.adopt(source, id)
    }
}

extension PropertyNode {
    @inline(never)  // Otherwise each level of the recursion needs more stack.
    fileprivate mutating func adopt(_ source: PropertySource, _ id: UInt32) {
        if self.source.isUnknown {
            origin = PropertyOrigin(source: self.source.isSecret ? source.limited(to: .masked) : source)
        }
        if var table = takeTable() {
            table.adopt(source, id)
            value = .table(table)
        } else if var nodes = takeArray() {
            for index in nodes.indices { nodes[index].adopt(source, id) }
            value = .array(nodes)
        }
    }
}

extension PropertyLayer {
    /// Puts all values below a name, such as `db.primary`.
    ///
    /// An empty layer does not change: an empty table as the value of the name would override the value of an earlier
    /// source.
    package mutating func put(below name: String) {
        guard !table.isEmpty else { return }
        do throws(PropertyLoadError) {
            // These keys are at the first level no longer, so their dots are split here.
            if spelling == .exact { table = try table.splitAtDots(levels: 1) }
        } catch {
            splitFailure = splitFailure ?? error
        }
        let path = name.parts(between: ".").filter { !$0.isEmpty }.map { String($0) }
        if path.isEmpty { return }
        // A key with dots stands for the path between them, so it stays a key of the first level.
        let apart = table.entries.filter { $0.key.contains(byte: .dot) }.map { entry in
            PropertyTable.Entry(
                key: (path + [entry.key]).joined(separator: "."), keyPlace: entry.keyPlace, node: entry.node)
        }
        let rest = PropertyTable(entries: table.entries.filter { !$0.key.contains(byte: .dot) })
        let nested = path.reversed().reduce(rest) { PropertyTable([($1, .table($0))]) }
        table = PropertyTable(entries: (rest.isEmpty ? [] : nested.entries) + apart)
    }
}

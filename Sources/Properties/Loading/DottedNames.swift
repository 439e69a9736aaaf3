extension PropertyTable {
    /// Returns the table with its keys split at their dots, by default at every level.
    ///
    /// `["api.timeout": 30]` becomes `["api": ["timeout": 30]]`. If a key occurs twice in a table, the later entry is
    /// used. Tables in arrays are not changed, since their keys are not part of a flat name. A name beside a value, as
    /// `log.level` beside `log`, becomes a single key of the first level.
    ///
    /// - Parameters:
    ///   - levels: the number of levels whose keys are split.
    ///   - depthLimit: the maximum number of nested tables.
    /// - Returns: the new table.
    /// - Throws: a `PropertyLoadError` if two keys have the same path, or if the tables are deeper than the limit.
    package func splitAtDots(
        levels: Int = .max, depthLimit: Int = PropertyTable.depthLimit
    ) throws(PropertyLoadError) -> PropertyTable {
        guard hasDots(levels: levels) else { return self }
        let builder = TableBuilder()
        try DottedNames(levels: levels, depthLimit: depthLimit).add(self, to: builder, at: [])
        return builder.table
    }

    /// Whether a key in the first `levels` levels contains a dot.
    func hasDots(levels: Int) -> Bool {
        levels > 0
            && entries.indices.contains { index in
                if entries[index].key.contains(byte: .dot) { return true }
                guard case .table(let inner) = entries[index].node.value else { return false }
                return inner.hasDots(levels: levels - 1)
            }
    }
}

extension PropertyLoadError {
    /// Creates the error that a source has a name twice.
    init(setTwice name: String, at place: PropertyOrigin, other: PropertyOrigin) {
        self.init(
            .duplicate, "'\(name)' is set twice", at: place, remedy: "Leave one of them out",
            notes: [.init("the other is", at: other)])
    }
}

private struct DottedNames {
    /// The number of levels at which keys are split.
    let levels: Int
    let depthLimit: Int

    /// Adds the entries of a table to the table at a path, whose builder is given.
    func add(_ table: PropertyTable, to builder: TableBuilder, at outer: [String]) throws(PropertyLoadError) {
        guard outer.count < depthLimit else { throw tooDeep(table.first?.keyOrigin ?? .unknown) }
        for entry in table.uniqueEntries {
            let keys = outer.count < levels ? entry.key.path : [entry.key]
            guard outer.count + keys.count <= depthLimit else { throw tooDeep(entry.keyOrigin) }
            guard case .table(let inner) = entry.node.value else {
                try insert(entry.node, at: keys, in: builder, outer, entry)
                continue
            }
            let empty = PropertyNode([:], origin: entry.node.origin)
            try add(inner, to: insert(empty, at: keys, in: builder, outer, entry), at: outer + keys)
        }
    }

    @discardableResult
    private func insert(
        _ node: PropertyNode, at keys: [String], in builder: TableBuilder, _ outer: [String],
        _ entry: PropertyTable.Entry
    ) throws(PropertyLoadError) -> TableBuilder {
        do throws(TableBuilder.Conflict) {
            return try builder.insert(node, at: keys, place: entry.keyPlace, isImplied: entry.isImplied)
        } catch {
            let name = (outer + keys.prefix(error.depth)).joined(separator: ".")
            throw PropertyLoadError(setTwice: name, at: entry.keyOrigin, other: error.origin)
        }
    }

    private func tooDeep(_ origin: PropertyOrigin) -> PropertyLoadError {
        PropertyLoadError(
            .limit, "the name has more than \(depthLimit) levels", at: origin, remedy: "Use fewer dots in it")
    }
}

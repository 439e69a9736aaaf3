extension PropertyLayer {
    /// Counts the layer's names, and checks the layer's depth and the sizes of its flat names.
    ///
    /// The parsers have depth limits of their own; this one is for layers that a custom loader makes. Flat names repeat
    /// the keys of the tables that they are in, so without limits the listing of a small file could have any size.
    ///
    /// - Parameter nameLimit: the greatest size of a flat name, in bytes. In sum the names may have a 32nd of it for
    ///   each name, and 1 MB in any case: by default 256 bytes a name.
    /// - Throws: a `PropertyLoadError` if the layer exceeds a limit.
    mutating func measure(nameLimit: Int) throws(PropertyLoadError) {
        var walk = LayerWalk(nameLimit: nameLimit)
        do throws(PropertyLoadError) {
            try walk.measure(table, levels: Self.depthLimit, prefix: 0)
        } catch {
            throw error.known(in: source)
        }
        nameCount = walk.count
        let (sum, isUnlimited) = (nameLimit / 32).multipliedReportingOverflow(by: walk.count)
        let limit = max(sum, 1 << 20)
        guard !isUnlimited, walk.size > limit else { return }
        throw PropertyLoadError(
            .limit, "the flat names of \(walk.count.grouped) keys have \(walk.size.grouped) bytes in sum",
            at: PropertyOrigin.unknown.known(in: source), expected: "at most \(limit.grouped)",
            remedy: "Shorten the keys that hold many others, or raise the limit with limitNames(to:)")
    }
}

/// Walks all names of a layer.
private struct LayerWalk {
    let nameLimit: Int
    /// How many nodes have a name.
    private(set) var count = 0
    /// How many bytes their flat names have.
    private(set) var size = 0

    init(nameLimit: Int) {
        self.nameLimit = nameLimit
    }

    /// Adds the names of a table, in which so many levels of tables and arrays may be nested. The prefix is the size of
    /// the table's flat name with the dot after it.
    mutating func measure(_ table: PropertyTable, levels: Int, prefix: Int) throws(PropertyLoadError) {
        if levels == 0 { throw Self.tooDeep }
        let entries = table.entries
        count += entries.count
        // By index, since copying an entry retains its contents.
        for index in entries.indices {
            let name = prefix + entries[index].key.utf8.count
            guard name <= nameLimit else {
                throw PropertyLoadError(
                    .limit, "this key's flat name has \(name) bytes", at: entries[index].keyOrigin,
                    expected: "at most \(nameLimit)",
                    remedy: "Shorten the keys that it is in, or raise the limit with limitNames(to:)")
            }
            size += name
            switch entries[index].node.value {
            case .table(let inner): try measure(inner, levels: levels - 1, prefix: name + 1)
            case .array: if Self.isDeeper(entries[index].node.value, than: levels - 1) { throw Self.tooDeep }
            default: break
            }
        }
    }

    private static var tooDeep: PropertyLoadError {
        PropertyLoadError(
            .limit, "the values are more than \(PropertyLayer.depthLimit) deep in each other", at: .unknown,
            remedy: "Make them flatter")
    }

    // Values in arrays have no flat names.
    private static func isDeeper(_ value: PropertyValue, than levels: Int) -> Bool {
        switch value {
        case .table(let table):
            let entries = table.entries
            return levels == 0 || entries.indices.contains { isDeeper(entries[$0].node.value, than: levels - 1) }
        case .array(let nodes):
            return levels == 0 || nodes.indices.contains { isDeeper(nodes[$0].value, than: levels - 1) }
        default: return false
        }
    }
}

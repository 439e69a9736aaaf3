extension PropertyLayer {
    /// Checks the depth of the layer and the sizes of its flat names.
    ///
    /// The parsers have depth limits of their own. The limit here is for the layers of custom loaders. Each flat name
    /// repeats the keys of all tables that it is in, so without a limit a small file could produce a listing of any
    /// size.
    ///
    /// - Throws: a `PropertyLoadError` if the layer exceeds a limit.
    func measure() throws(PropertyLoadError) {
        var walk = LayerWalk()
        do throws(PropertyLoadError) {
            try walk.measure(table, levels: Self.depthLimit, prefix: 0)
        } catch {
            throw error.known(in: source)
        }
        let limit = max(walk.count * LayerWalk.meanNameLimit, LayerWalk.leastTotalLimit)
        guard walk.size > limit else { return }
        throw PropertyLoadError(
            .limit, "the flat names of \(walk.count.grouped) keys have \(walk.size.grouped) bytes in sum",
            at: PropertyOrigin.unknown.known(in: source), expected: "at most \(limit.grouped)",
            remedy: "Shorten the keys that hold many others")
    }
}

/// Counts and measures all flat names of a layer.
private struct LayerWalk {
    /// The maximum size of a flat name, in bytes.
    static let nameLimit = 8 << 10
    /// The maximum mean size of the flat names of a layer, in bytes, if their total is more than `leastTotalLimit`.
    static let meanNameLimit = 256
    /// The total size of all flat names that every layer may have, in bytes.
    static let leastTotalLimit = 1 << 20

    /// The number of nodes with a flat name.
    private(set) var count = 0
    /// The total size of all flat names, in bytes.
    private(set) var size = 0

    /// Adds the names in a table. `levels` is the maximum number of nested tables and arrays, including this one.
    /// `prefix` is the size of the table's flat name with the dot after it.
    mutating func measure(_ table: PropertyTable, levels: Int, prefix: Int) throws(PropertyLoadError) {
        if levels == 0 { throw Self.tooDeep }
        let entries = table.entries
        count += entries.count
        // Iterates by index, because copying an entry retains its contents.
        for index in entries.indices {
            let name = prefix + entries[index].key.utf8.count
            guard name <= Self.nameLimit else {
                throw PropertyLoadError(
                    .limit, "this key's flat name has \(name) bytes", at: entries[index].keyOrigin,
                    expected: "at most \(Self.nameLimit)",
                    remedy: "Shorten the keys that it is in")
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

    // Checks only the depth, because values in arrays have no flat names.
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

extension AppliedLayer {
    /// Checks the depth of the layer and the sizes of its flat names, and records whether one of its keys has a dot.
    ///
    /// The parsers have depth limits of their own. The limit here is for the layers of custom loaders. Each flat name
    /// repeats the keys of all tables that it is in, so without a limit a small file could produce a listing of any
    /// size.
    ///
    /// - Throws: a `PropertyLoadError` if the layer exceeds a limit.
    mutating func measure() throws(PropertyLoadError) {
        var walk = LayerWalk()
        do throws(PropertyLoadError) {
            try walk.measure(.table(table), levels: PropertyTable.depthLimit, prefix: 0)
        } catch {
            throw error.known(in: given.source)
        }
        hasDots = walk.hasDots
        let limit = max(walk.count * LayerWalk.meanNameLimit, LayerWalk.leastTotalLimit)
        guard walk.size > limit else { return }
        throw PropertyLoadError(
            .limit, "the flat names of \(walk.count.grouped) keys have \(walk.size.grouped) bytes in sum",
            at: PropertyOrigin.unknown.known(in: given.source), expected: "at most \(limit.grouped)",
            remedy: "Shorten the keys that hold many others")
    }
}

/// Counts and measures all flat names of a layer.
struct LayerWalk {
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
    /// Whether a key in a flat name has a dot.
    private(set) var hasDots = false

    /// Measures a value and everything in it.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - levels: the maximum number of nested tables and arrays, including this one.
    ///   - prefix: the size of the flat name of a table with the dot after it. Nil in an array, whose elements have no flat
    ///     names.
    /// - Throws: a `PropertyLoadError` if the value exceeds a limit.
    mutating func measure(_ value: PropertyValue, levels: Int, prefix: Int?) throws(PropertyLoadError) {
        // Iterates by index, because copying an entry retains its contents.
        switch value {
        case .table(let table):
            if levels == 0 { throw Self.tooDeep }
            for index in table.entries.indices {
                let name = prefix.map { $0 + table.entries[index].key.utf8.count }
                if let name {
                    guard name <= Self.nameLimit else { throw Self.tooLong(name, at: table.entries[index].keyOrigin) }
                    (count, size) = (count + 1, size + name)
                    hasDots = hasDots || table.entries[index].key.contains(byte: .dot)
                }
                if !table.entries[index].node.isContainer { continue }
                try measure(table.entries[index].node.value, levels: levels - 1, prefix: name.map { $0 + 1 })
            }
        case .array(let nodes):
            if levels == 0 { throw Self.tooDeep }
            for index in nodes.indices where nodes[index].isContainer {
                try measure(nodes[index].value, levels: levels - 1, prefix: nil)
            }
        default: break
        }
    }

    private static func tooLong(_ name: Int, at origin: PropertyOrigin) -> PropertyLoadError {
        PropertyLoadError(
            .limit, "this key's flat name has \(name) bytes", at: origin, expected: "at most \(nameLimit)",
            remedy: "Shorten the keys that it is in")
    }

    private static var tooDeep: PropertyLoadError {
        PropertyLoadError(
            .limit, "the values are more than \(PropertyTable.depthLimit) deep in each other", at: .unknown,
            remedy: "Make them flatter")
    }
}

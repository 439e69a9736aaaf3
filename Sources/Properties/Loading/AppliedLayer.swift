/// A layer as a store keeps it: the layer that a loader returned, with its values prepared for the merge.
struct AppliedLayer: Sendable {
    /// The layer that the loader returned, without its values.
    var given: PropertyLayer { box.layer }
    private let box: Box
    /// The values: each has a source, and no table has a key twice.
    var table: PropertyTable
    /// Identifies the layer in its store.
    let id: UInt32
    /// The warnings of the loader, and those about former names in the values.
    var warnings: [PropertyLoadError]
    /// The results of the placeholders' lookups.
    var lookups: PlaceholderLookups?
    /// Whether a key contains a dot, so that its flat name is not enough to find it.
    var hasDots = false

    /// Boxed, because a merge copies its layers: a copy then retains one object.
    private final class Box: Sendable {
        let layer: PropertyLayer
        init(_ layer: PropertyLayer) { self.layer = layer }
    }

    /// The ID of all layers of values that are kept until a restart. No applied source and no implied table has it.
    static let keptID = UInt32.max - 1

    /// Prepares the values of a layer: splits the keys of the first level at their dots, checks the limits, and adds the
    /// source and the ID of the layer to all values. It takes the values out of the layer, so that they are changed in
    /// place.
    ///
    /// - Throws: a `PropertyLoadError` if two keys have the same path, or if the layer exceeds a limit.
    init(
        taking layer: inout PropertyLayer, id: UInt32, lookups: PlaceholderLookups? = nil
    ) throws(PropertyLoadError) {
        layer.markSecret()
        table = layer.takeValues()
        (box, warnings, self.id, self.lookups) = (Box(layer), layer.warnings, id, lookups)
        do throws(PropertyLoadError) {
            if let splitFailure = given.splitFailure { throw splitFailure }
            // The loaders of other sources have split their names, except for an environment without a prefix, whose names
            // `NameMatchingPass` splits.
            if given.spelling == .exact { table = try table.splitAtDots(levels: 1) }
        } catch {
            // A line may contain the value of a name that was declared secret.
            throw error.known(in: given.source).withoutLines()
        }
        try measure()
        table.adopt(given.source ?? .unknown, id)
    }

    /// Replaces the values by values with other names.
    mutating func replaceValues(by new: PropertyTable) {
        table = new
        table.adopt(given.source ?? .unknown, id)
        hasDots = table.hasDots(levels: PropertyTable.depthLimit)
    }
}

extension PropertyTable {
    /// Removes all but the last of equal keys, and adds a source and the ID of its layer to all entries. A source
    /// that is already known stays.
    mutating func adopt(_ source: PropertySource, _ id: UInt32) {
        makeUnique { entry in
            if !entry.isImplied { entry.layer = id }
            entry.node.adopt(source, id)
        }
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

/// The merged layers of a state, before placeholders are replaced.
struct MergedLayers: Sendable {
    let layers: [PropertyLayer]
    let known: KnownNames
    let names: PropertyNames
    /// Whether the result depends on what is declared: by relaxed names, and by marks of secrets.
    private let needsDeclarations: Bool

    init(_ loaded: [PropertyLayer], _ declared: Declarations) {
        // The names of the parents' layers are matched again, since a layer of a child may have a name that the parents
        // do not have.
        var layers = loaded
        known = KnownNames(&layers, declared)
        if declared.holdSecrets { for index in layers.indices { layers[index].markSecrets(declared.root) } }
        let tree = TableBuilder()
        for layer in layers { tree.merge(layer.table, isDeep: layer.merge == .deep) }
        self.layers = layers
        names = PropertyNames(tree.table)
        needsDeclarations = declared.holdSecrets || layers.contains { $0.spelling == .relaxed }
    }

    /// Returns this value if it is also that of the given layers with other declarations, otherwise nil.
    func reused(for loaded: [PropertyLayer], _ declared: Declarations) -> MergedLayers? {
        let isSame = loaded.count == layers.count && zip(loaded, layers).allSatisfy { $0.number == $1.number }
        return isSame && !needsDeclarations && !declared.holdSecrets ? self : nil
    }
}

extension TableBuilder {
    /// Merges a table, which has no key twice, over this one. A later value replaces an earlier value of the same key.
    ///
    /// A table that its source does not write itself, such as `api` of the key `api.timeout`, is always merged.
    ///
    /// - Parameters:
    ///   - table: the later table.
    ///   - isDeep: whether a table is merged with an earlier table, key by key. Otherwise it replaces that.
    func merge(_ table: PropertyTable, isDeep: Bool) {
        if entries.isEmpty { return entries = table.entries }
        for entry in table.entries {
            guard let index = index(of: entry.key) else {
                append(entry)
                continue
            }
            let isMerged = isDeep || entry.isImplied
            if isMerged, entries[index].node.isTable, case .table(let later) = entry.node.value {
                open(index).merge(later, isDeep: isDeep)
            } else {
                inner[index] = nil
            }
            // The key and the origin of a merged table are those of the later entry.
            entries[index] = entry
        }
    }
}

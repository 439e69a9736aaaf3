/// The merged layers of a state, before placeholders are replaced.
struct MergedLayers: Sendable {
    let layers: [AppliedLayer]
    let tree: PropertyTree
    /// The first contradiction, or nil: an ambiguous name, two names of a source that exclude each other, or a name
    /// with two paths.
    let failure: PropertyLoadError?
    /// The known names if a relaxed source was matched with them, otherwise nil.
    let known: KnownNames?
    /// The paths of the declared values that are kept apart from the declared names beside them.
    let beginnings: [[String]]
    /// Whether the result depends on the declarations: because of relaxed names, former names, secrets, or names beside
    /// declared values.
    private let needsDeclarations: Bool

    init(_ loaded: [AppliedLayer], _ declarations: Declarations) {
        // The names of the parents' layers are matched again, since a layer of a child may have a name that the parents
        // do not have.
        let matching = NameMatching(loaded, declarations)
        var layers = matching.layers
        if declarations.holdSecrets { for index in layers.indices { layers[index].markSecrets(declarations.root) } }
        if let known = matching.relaxedNames, !declarations.keys.isEmpty {
            for index in layers.indices where layers[index].given.hasNoPrefix {
                layers[index].markForeignNames(known, declarations.root)
            }
        }
        let builder = TableBuilder()
        beginnings = layers.count > 1 ? declarations.beginnings.map(\.rawValue.path) : []
        for layer in layers { builder.merge(layer, keepingApart: beginnings) }
        self.layers = layers
        known = matching.relaxedNames
        tree = PropertyTree(builder.table)
        failure = matching.failure ?? tree.twoPaths
        needsDeclarations =
            declarations.holdSecrets || declarations.hasFormerNames || known != nil || !beginnings.isEmpty
    }

    /// Returns this value if the given layers with other declarations have the same result, otherwise nil.
    func reused(for loaded: [AppliedLayer], _ declarations: Declarations) -> MergedLayers? {
        let isSame = loaded.count == layers.count && zip(loaded, layers).allSatisfy { $0.id == $1.id }
        return isSame && !needsDeclarations && !declarations.holdSecrets && !declarations.hasFormerNames
            && (layers.count < 2 || declarations.beginnings.isEmpty) ? self : nil
    }

    /// Returns the path of a flat name in the merged tree. A name that is not there is split at its dots.
    func path(of key: PropertyKey) -> [String] { tree.find(key).map { tree.path(of: $0) } ?? key.rawValue.path }
}

/// The tree of one layer, and the merged tree of all layers up to it. Each state makes its steps once, because a report
/// may need the histories of many names.
struct MergeStep: Sendable {
    let layer: PropertyTree
    let merged: PropertyTree
}

extension TableBuilder {
    /// Merges a layer.
    func merge(_ layer: AppliedLayer, keepingApart beginnings: [[String]]) {
        for path in beginnings { keepApart(path) }
        merge(layer: layer.table, isDeep: layer.given.merge == .deep, hasDots: layer.hasDots)
    }
}

extension PropertyTree {
    /// Returns the path of a property, with the keys of the first level split at their dots.
    fileprivate func path(of index: Int) -> [String] {
        let keys = sequence(first: index) { all[$0].parent < 0 ? nil : Int(all[$0].parent) }.map { all[$0].entry.key }
        return (keys.last.map { $0.path } ?? []) + keys.dropLast().reversed()
    }

    /// The error that a name has two paths, or nil.
    fileprivate var twoPaths: PropertyLoadError? {
        guard duplicates.count > 1 else { return nil }
        let pair = (all[duplicates[0]].entry.keyOrigin, all[duplicates[1]].entry.keyOrigin)
        // The path with a dot in a key is the other path.
        let isFirst = path(of: duplicates[0]).contains { $0.contains(byte: .dot) }
        return PropertyLoadError(
            .duplicate, "two keys have the flat name '\(all[duplicates[0]].name)'", at: isFirst ? pair.1 : pair.0,
            remedy: "Write the name in one way only", notes: [.init("the other is at", at: isFirst ? pair.0 : pair.1)])
    }
}

/// Gives the names of one flat layer the paths that they have in other layers and in the declarations.
struct LayerRespelling {
    /// A value with its path in the spelling of the others.
    private struct NamedValue {
        let node: PropertyNode
        let path: [String]
        let entry: PropertyTable.Entry
    }

    private let original: PropertyLayer
    private let known: KnownNames
    private let declared: DeclaredNode
    /// The names that relaxed spellings are matched with. Nil if the layer is not relaxed.
    private let relaxed: RelaxedNames?
    private let builder = TableBuilder()
    /// Whether a name has become a single key with dots.
    private var hasKeptApart = false
    /// The first contradiction, or nil.
    private(set) var failure: PropertyLoadError?
    /// A warning about each variable of another program that is not loaded.
    private(set) var warnings: [PropertyLoadError] = []

    init(of layer: PropertyLayer, _ known: KnownNames, _ declared: DeclaredNode, _ relaxed: RelaxedNames?) {
        (original, self.known, self.declared, self.relaxed) = (layer, known, declared, relaxed)
    }

    /// Returns the layer with the other paths.
    mutating func layer() -> PropertyLayer {
        var values: [NamedValue] = []
        collect(original.table, at: [], into: &values)
        // Shorter names first, because a name inside a value may become a single key.
        let groups = Dictionary(grouping: values, by: \.path.count).sorted { $0.key < $1.key }
        for value in groups.flatMap(\.value) { insert(value) }
        var layer = original
        layer.values = builder.table
        layer.hasDots = layer.hasDots || hasKeptApart
        layer.values.adopt(layer.source ?? .unknown, layer.number)
        return layer
    }

    private mutating func collect(_ table: PropertyTable, at path: [String], into values: inout [NamedValue]) {
        for entry in table.entries {
            // The loader of an environment without a prefix writes `a.b` as one key if the variable `a` exists, too. Here
            // it has two levels again, because `a` may not be loaded.
            let path =
                path + (original.mayBeForeign ? entry.key.parts(between: ".").map { String($0) } : [entry.key])
            guard case .table(let inner) = entry.node.value, !inner.isEmpty else {
                values.append(value(entry.node, at: path, entry))
                continue
            }
            if !entry.isImplied {
                values.append(value(PropertyNode([:], origin: entry.node.origin), at: path, entry))
            }
            collect(inner, at: path, into: &values)
        }
    }

    private mutating func value(_ node: PropertyNode, at path: [String], _ entry: PropertyTable.Entry) -> NamedValue {
        do throws(PropertyLoadError) {
            let path = try relaxed?.path(of: path, at: entry.keyOrigin, known) ?? known.path(of: path)
            return NamedValue(node: node, path: path, entry: entry)
        } catch {
            // The value keeps its own spelling. It is masked, because the name that was meant may be secret.
            failure = failure ?? error
            var marker = SecretMarker()
            return NamedValue(node: marker.node(node, levels: PropertyLayer.depthLimit), path: path, entry: entry)
        }
    }

    private mutating func insert(_ value: NamedValue) {
        let (node, path, entry) = (value.node, value.path, value.entry)
        if original.mayBeForeign, let warning = relaxed?.replacedTable(by: node, at: path, entry.keyOrigin) {
            return warnings.append(warning)
        }
        do throws(TableBuilder.Conflict) {
            try builder.insert(node, at: path, place: entry.keyPlace)
        } catch {
            let name = path.joined(separator: "."), isInside = error.depth < path.count
            if isInside, isKeptApart(path, from: path.prefix(error.depth)),
                (try? builder.insert(node, at: [name], place: entry.keyPlace)) != nil
            {
                return hasKeptApart = true
            }
            let failed = PropertyLoadError(
                .duplicate,
                "'\(name)' is set twice" + (isInside ? ", or is a value in one place and a table in another" : ""),
                at: entry.keyOrigin, remedy: "Leave one of them out", notes: [.init("the other is", at: error.origin)])
            failure = failure ?? failed
        }
    }

    /// Whether a name inside that of a value becomes a single key with dots: if both are declared, as `ca.pub` beside
    /// `ca`, or if they may be variables of other programs.
    private func isKeptApart(_ path: [String], from outer: ArraySlice<String>) -> Bool {
        original.mayBeForeign || isKey(path[...]) && isKey(outer)
    }

    private func isKey(_ path: ArraySlice<String>) -> Bool { path.reduce(declared) { $0.child($1) }.isKey }
}

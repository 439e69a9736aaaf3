/// The names of all sources, with which the names of flat sources are converted to paths.
///
/// A flat source, such as the environment, has names and no paths: each dot starts a new table. If another source has
/// the name, or the first part of it, at a path with dots in its keys, the flat source uses that path. The names of
/// relaxed sources, whose spelling is `.relaxed`, are also matched as `RelaxedName` says. The layers of both are changed
/// before all are merged, so the order in which sources were applied does not matter.
struct KnownNames {
    private struct DottedPath {
        let path: [String]
        let origin: PropertyOrigin
    }

    /// The paths with a dot in one of their keys, by their flat names. All other names are split at each dot.
    private var dotted: [PropertyKey: DottedPath] = [:]
    /// The first contradiction, or nil: a name with two paths, a relaxed name that matches several others, or two names
    /// of a source of which only one can be set.
    private(set) var failure: PropertyLoadError?
    /// A warning about each variable of another program that is not loaded.
    private(set) var warnings: [PropertyLoadError] = []

    /// Finds the paths of all names.
    ///
    /// - Parameters:
    ///   - layers: the layers. The names in flat layers are changed to the paths that other layers have for them.
    ///   - declared: what is declared. Relaxed names are matched with it, too.
    init(_ layers: inout [PropertyLayer], _ declared: Declarations) {
        addDotted(in: layers)
        if !dotted.isEmpty { respell(&layers, declared.root) { $0.spelling == .flat } }
        if layers.contains(where: { $0.spelling == .relaxed }) {
            var relaxed = RelaxedNames(in: layers, declared)
            respell(&layers, declared.root, relaxed) { $0.spelling == .relaxed && !$0.mayBeForeign }
            // The variables of other programs are last, because those in place of a table of this one are not loaded.
            if layers.contains(where: \.mayBeForeign) {
                relaxed.addTables(of: layers)
                respell(&layers, declared.root, relaxed) { $0.spelling == .relaxed && $0.mayBeForeign }
            }
            // A name that has become a single key with dots, such as `ca.pub` beside `ca`, has that path in all layers.
            for layer in layers where layer.spelling == .relaxed && layer.hasDots {
                addDotted(layer.table, at: [], isDotted: false)
            }
        }
        if !dotted.isEmpty { for layer in layers { checkPaths(layer.table, at: []) } }
    }

    /// Gives the names of some layers the paths that they have elsewhere.
    private mutating func respell(
        _ layers: inout [PropertyLayer], _ declared: DeclaredNode, _ relaxed: RelaxedNames? = nil,
        where isIncluded: (PropertyLayer) -> Bool
    ) {
        for index in layers.indices where isIncluded(layers[index]) {
            var respelling = LayerRespelling(of: layers[index], self, declared, relaxed)
            layers[index] = respelling.layer()
            failure = failure ?? respelling.failure
            warnings += respelling.warnings
        }
    }

    /// Returns the path of a flat name. If no source has the name, it is split at its dots, after the longest part of it
    /// that a source has.
    func path(of name: String) -> [String] { path(of: name.parts(between: ".").map { String($0) }) }

    /// Returns the path of a flat name that was split at each of its dots.
    func path(of parts: [String]) -> [String] {
        if dotted.isEmpty { return parts }
        for count in parts.indices.map({ $0 + 1 }).reversed() {
            let name = PropertyKey(parts.prefix(count).joined(separator: "."))
            if let start = dotted[name] { return start.path + parts.dropFirst(count) }
        }
        return parts
    }
}

// MARK: - Paths with dots

extension KnownNames {
    /// Finds the paths that have a dot in one of their keys. Those in sources that are not flat are preferred. A variable
    /// of another program gives no other name its path.
    private mutating func addDotted(in layers: [PropertyLayer]) {
        if !layers.contains(where: \.hasDots) { return }
        let preferred = layers.filter { $0.spelling == .exact }
        for layer in layers.filter({ $0.spelling != .exact }) + preferred where layer.hasDots && !layer.mayBeForeign {
            addDotted(layer.table, at: [], isDotted: false)
        }
    }

    private mutating func addDotted(_ table: PropertyTable, at path: [String], isDotted: Bool) {
        for entry in table.entries {
            let isDotted = isDotted || entry.key.contains(byte: .dot)
            let path = path + [entry.key]
            if isDotted {
                dotted[PropertyKey(path.joined(separator: "."))] = DottedPath(path: path, origin: entry.keyOrigin)
            }
            if case .table(let inner) = entry.node.value { addDotted(inner, at: path, isDotted: isDotted) }
        }
    }

    /// Finds the names that have another path with dots in its keys.
    private mutating func checkPaths(_ table: PropertyTable, at path: [String]) {
        for entry in table.entries {
            let path = path + [entry.key], name = path.joined(separator: ".")
            if let other = dotted[PropertyKey(name)], other.path != path {
                failure =
                    failure
                    ?? PropertyLoadError(
                        .duplicate, "two keys have the flat name '\(name)'", at: entry.keyOrigin,
                        remedy: "Write the name in one way only", notes: [.init("the other is at", at: other.origin)])
            }
            if case .table(let inner) = entry.node.value { checkPaths(inner, at: path) }
        }
    }
}

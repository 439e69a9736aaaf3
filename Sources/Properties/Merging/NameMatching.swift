/// Replaces the names in the layers of a state by the paths of the known names that they mean, and former names by
/// current names.
struct NameMatching {
    /// The layers with these paths and names, and with layers of the declared variables.
    private(set) var layers: [AppliedLayer]
    /// The first contradiction, or nil.
    private(set) var failure: PropertyLoadError?
    private var known: KnownNames
    private let declarations: Declarations
    private let hasRelaxedLayer: Bool

    /// The known names if there is a relaxed layer, otherwise nil.
    var relaxedNames: KnownNames? { hasRelaxedLayer ? known : nil }

    init(_ layers: [AppliedLayer], _ declarations: Declarations) {
        (self.layers, self.declarations) = (layers, declarations)
        hasRelaxedLayer = layers.contains { $0.given.spelling == .relaxed }
        known = KnownNames(declarations, isRelaxed: hasRelaxedLayer)
        // The names of exact layers, such as those of files, are paths.
        for index in layers.indices where layers[index].given.spelling == .exact { rename(index) }
        if layers.allSatisfy({ $0.given.spelling == .exact }) { return }
        matchFlatLayers()
        if hasRelaxedLayer { matchRelaxedLayers() }
    }

    /// The names of flat layers mean paths of the exact layers, wherever these are in the order. Flat names are entered for
    /// relaxed layers only.
    private mutating func matchFlatLayers() {
        for layer in layers where layer.given.spelling == .exact { known.add(layer) }
        for index in layers.indices where layers[index].given.spelling == .flat {
            if !known.hasPlainPaths || layers[index].hasDots { match(index) } else { rename(index) }
            known.add(layers[index])
        }
    }

    /// The names of relaxed layers mean names of all other layers, and declared names.
    private mutating func matchRelaxedLayers() {
        known.addDeclaredNames()
        for index in layers.indices where layers[index].given.spelling == .relaxed { match(index) }
        if !declarations.variables.isEmpty { insertOwnVariables() }
    }

    /// Inserts the declared variables of a source as a layer before its other variables, because the spelling with the
    /// prefix overrides them.
    private mutating func insertOwnVariables() {
        for index in layers.indices.reversed() {
            do throws(PropertyLoadError) {
                guard let own = try layers[index].own(declarations, known) else { continue }
                layers.insert(own, at: index)
                rename(index)
            } catch {
                failure = failure ?? error
            }
        }
    }

    private mutating func match(_ index: Int) {
        var pass = NameMatchingPass(layers[index], declarations)
        layers[index] = pass.layer(&known)
        failure = failure ?? pass.failure
        rename(index)
    }

    /// Replaces the former names in a layer by the current names.
    private mutating func rename(_ index: Int) {
        if !declarations.hasFormerNames { return }
        var pass = Renaming(of: layers[index], declarations)
        layers[index] = pass.layer()
        failure = failure ?? pass.failure
    }
}

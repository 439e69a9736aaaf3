import SharedState

/// An immutable state of a store, which includes the state of its parents.
///
/// It is made from the layers of all sources. `MergedLayers` does steps 1 to 5, and the initializer the rest:
///
/// 1. Names. `NameMatchingPass` gives the names of the flat layers, and after them of the relaxed layers, the paths of the
///    known names that they mean. `KnownNames` has the names of the layers before, and for relaxed layers the declared
///    and the former names, too. In each layer, `Renaming` then gives former names the names that they have now.
/// 2. The declared variables, such as `PORT`, become a layer before the layer of their source.
/// 3. `markSecrets` marks the values that are declared secret, in each layer.
/// 4. `TableBuilder` merges the tables of the layers, in the order of the application of the sources.
/// 5. `PropertyTree` finds the properties of the merged tree by their flat names. A name with two paths is an error.
/// 6. `MisplacedValue` finds the values of single layers that stand in place of a declared table, and empty dictionaries
///    that remove nothing.
/// 7. `Placeholders` replaces the placeholders in the merged values.
/// 8. `failure` is the first error of steps 1, 2, 5 and 7.
///
/// `PropertyStore` makes a state for each change, and publishes it if `failure` and the checks accept it. If a setting
/// must keep its value until a restart, `keepingStartValues` then makes a second state, with that value as the last
/// layer and the first state as `stateAfterRestart`.
///
/// Every later step reads the result: the reads in `Reading` and the checks in `Store`. In each of these steps, a
/// `DeclaredNode` has the declarations at a path.
final class MergedState: Sendable {
    /// The contents of the store itself.
    let contents: StoreContents
    /// The state of the parent, which this state is based on.
    let parentState: MergedState?
    /// The state without the values that this store keeps until a restart, or nil if it keeps none. The values that a
    /// parent keeps are still in it. Checks, rules and the report of the waiting settings need all values that a restart
    /// would bring, so they are a whole state.
    let stateAfterRestart: MergedState?
    /// The identity of `parentState`, which is compared without retaining the state.
    let parentIdentity: ObjectIdentifier?
    /// The layers as loaded: the layers of the parents, the layers of this store, and the values that it keeps until a
    /// restart.
    let loaded: [AppliedLayer]
    let merged: MergedLayers
    /// The merged tree, with all placeholders replaced.
    let tree: PropertyTree
    /// The declarations of this store and its parents.
    let declarations: Declarations
    /// The values of single sources that stand in place of a declared table or array.
    private let misplacedValues: [MisplacedValue]
    /// The values of the settings types that were read in this state.
    let settings = SettingsValues()
    /// The first contradiction between the layers, or nil: a name with two paths, an ambiguous name, two names of one
    /// setting in one source, or a placeholder without a value.
    ///
    /// A change of this store's layers that causes a failure is refused. A declaration or a change of a parent may also
    /// cause one, but cannot be refused. That state is published, and `warnings` and `verify` report the failure.
    var failure: PropertyLoadError? {
        (merged.failure ?? (causes.isEmpty ? nil : ownCauses.first)).map { declarations.shown($0) }
    }
    /// The errors of properties without a value because of a failure, and of the tables that contain them, by index.
    private let causes: [Int: PropertyLoadError]
    /// The merge, layer by layer, for the histories of names.
    let mergeSteps = Lazily<[MergeStep]>()
    /// The names of variables and arguments that no known name has. They are found when they are first asked for.
    let unusedNames = Lazily<[PropertyKey: (origin: PropertyOrigin, layer: Int)]>()
    /// The foreign names. They are found when they are first asked for.
    private let madeForeignNames = Lazily<Set<PropertyKey>>()
    /// The warnings about placeholders with former names.
    private let renamedReferences: [PropertyLoadError]

    /// The state of a store without sources or settings. If the store has a parent, reads go to the parent instead.
    static let empty = MergedState(StoreContents())

    /// Creates a state.
    ///
    /// - Parameters:
    ///   - contents: the contents of the store itself.
    ///   - parentState: the current state of its parent.
    ///   - former: an earlier state. Its unchanged parts are used again.
    ///   - kept: the values that are kept until a restart, as the last layers.
    ///   - stateAfterRestart: the state after that restart.
    init(
        _ contents: StoreContents, parentState: MergedState? = nil, after former: MergedState? = nil,
        kept: [AppliedLayer] = [], stateAfterRestart: MergedState? = nil
    ) {
        self.contents = contents
        self.parentState = parentState
        self.stateAfterRestart = stateAfterRestart
        parentIdentity = parentState.map { ObjectIdentifier($0) }
        let declarations =
            former?.declarations.reused(contents.declared, above: parentState?.declarations)
            ?? Declarations(contents.declared, above: parentState?.declarations)
        self.declarations = declarations
        var loaded = parentState?.loaded ?? []
        for source in contents.sources { loaded.append(source.layer) }
        loaded += kept
        self.loaded = loaded
        // Layers are compared by their IDs. All layers of values that a parent keeps until a restart have the same ID,
        // so the states of the parents are compared, too.
        let merged =
            former.flatMap { $0.parentState === parentState ? $0.merged.reused(for: loaded, declarations) : nil }
            ?? MergedLayers(loaded, declarations)
        self.merged = merged
        misplacedValues = MisplacedValue.all(in: merged, declarations)
        let placeholders = Placeholders(
            merged.tree, merged.layers.map { ($0.id, $0.lookups) },
            conflict: merged.tree.duplicates.isEmpty ? nil : merged.failure,
            currentName: declarations.currentName, declaredDefault: declarations.declaredDefault)
        renamedReferences = placeholders.renamed
        tree = placeholders.tree
        causes = placeholders.causes
    }

    /// The layers as they are merged: with the paths of the known names and the current names, without the unknown
    /// variables of an environment without a prefix, and with secret values marked.
    var layers: [AppliedLayer] { merged.layers }

    /// The known names if a relaxed source was matched with them, otherwise nil.
    var known: KnownNames? { merged.known }

    /// Returns other errors together with the errors about values of single sources in place of a declared table or
    /// array.
    ///
    /// - Parameters:
    ///   - table: the name of a table of settings; only the errors in it and around it are returned. Nil for all.
    ///   - others: the other errors. Errors about the same names are left out, and so are errors about settings that
    ///     are missing only because a value is in place of their table.
    /// - Returns: the errors.
    func addingMisplaced(at table: PropertyKey? = nil, to others: [PropertyError]) -> [PropertyError] {
        if misplacedValues.isEmpty { return others }
        let found = misplacedValues.filter { value in
            table.map { $0.rawValue.isAt(value.name) || value.name.isAt($0.rawValue) } ?? true
        }
        let names = Set(found.map { PropertyKey($0.name) })
        // A later source may have the table again.
        let mistakes = names.filter { node($0)?.isTable == false }
        return found.map { PropertyError($0.error, at: $0.name, self) }
            + others.filter { error in
                let name = PropertyKey(error.name)
                let isConsequence = error.reason == .missing || error.reason == .brokenRule
                let isInside = isConsequence && !mistakes.isDisjoint(with: name.tables)
                return !isInside && !names.contains(name)
            }
    }

    /// The foreign names: names in sources without a prefix that are neither declared nor in a source of another kind.
    /// They may be variables of other programs: compose reads the `.env` file, too.
    var foreignNames: Set<PropertyKey> {
        madeForeignNames.value {
            let names = layers.filter(\.given.hasNoPrefix).flatMap { layer in
                layer.table.values().filter { value in
                    // A value in the JSON of a table is not a variable.
                    guard case .text = value.node.value else { return false }
                    return !value.isInTable
                        || !value.path.indices.contains { isTableOfSettings(value.path[..<$0]) }
                }.map { $0.path.joined(separator: ".") }
            }
            return Set(
                names.filter { known?.isForeign($0, declarations.root.descendant($0)) == true }.map { PropertyKey($0) })
        }
    }

    private func isTableOfSettings(_ path: ArraySlice<String>) -> Bool {
        path.reduce(declarations.root) { $0.child($1) }.isTableOfSettings
    }

    /// Whether a property has a foreign name, and its value is from a source without a prefix.
    func isForeign(_ index: Int) -> Bool {
        if foreignNames.isEmpty { return false }
        return foreignNames.contains(tree.all[index].key) && layer(of: index)?.given.hasNoPrefix == true
    }

    /// The failure, if there is one, followed by likely mistakes in the sources.
    var warnings: [PropertyLoadError] {
        let warnings =
            (failure.map { [$0] } ?? []) + layers.flatMap { [$0.given.outage].compactMap(\.self) + $0.warnings }
            + overriddenWords + renamedReferences
        return warnings.map { declarations.shown($0) }
    }
}

// MARK: - Reading

extension MergedState {
    /// The index of the property with a flat name, or nil.
    func find(_ key: PropertyKey) -> Int? { tree.find(key) }

    /// Returns the node of a flat name: nil if there is none, a null node if a null hides the value.
    func node(_ key: PropertyKey) -> PropertyNode? { tree.node(key) }

    /// Returns the node of the value of a flat name, or nil if it is missing or null.
    ///
    /// A table that is in place of a declared value only because of declared names beside that value does not count:
    /// `log` has no value in a source that has only `log.level`.
    @inline(__always)
    func valueNode(_ key: PropertyKey) -> PropertyNode? {
        guard let node = node(key), !node.isNull else { return nil }
        return node.isTable && isBeside(node, key) ? nil : node
    }

    @inline(never)
    private func isBeside(_ node: PropertyNode, _ key: PropertyKey) -> Bool {
        let declared = declarations.node(key)
        return declared.isKey && declared.hasNames(in: node) && !declared.rules.contains { $0.takesKind(of: node) }
    }

    /// Returns the node of a name as `ReadLog` records it: all properties as a table for nil.
    func node(read key: PropertyKey?) -> PropertyNode? { key.map { node($0) } ?? PropertyNode(.table(tree.root)) }

    /// Returns a property as a store lists it.
    func entry(_ key: PropertyKey, _ node: PropertyNode) -> PropertyEntry {
        PropertyEntry(name: key.rawValue, node: node.single)
    }

    /// Returns the node of a name, or all properties as a table for the name nil. The result is nil if the name is
    /// missing or null.
    func nodeOrRoot(_ name: String?) -> PropertyNode? {
        node(read: name.map { PropertyKey($0) }).flatMap { $0.isNull ? nil : $0 }
    }

    /// Returns the value of a flat name, or nil if it is missing or null.
    func read<T>(_ key: PropertyKey, as type: T.Type) throws(PropertyError) -> T? {
        guard let node = node(key), !node.isNull else { return nil }
        do throws(PropertyError) {
            return try Conversion.convert(node, to: type)
        } catch {
            if error.reason == .wrongType, !error.isInside, valueNode(key) == nil { return nil }
            throw error
        }
    }

    /// If a placeholder in a property, or in a value inside it, has no value, returns the error. A nil key means all
    /// properties.
    func cause(of key: PropertyKey?) -> PropertyLoadError? {
        if causes.isEmpty { return nil }
        let cause =
            if let key { find(key).flatMap { causes[$0] } } else { causes.min { $0.key < $1.key }?.value }
        return cause.map { declarations.shown($0) }
    }

    /// The failure, and the errors of all placeholders without a value. An error may occur repeatedly.
    var allFailures: [PropertyLoadError] {
        [failure].compactMap(\.self) + ownCauses.map { declarations.shown($0) }
    }

    /// The errors of placeholders, in the order of the properties, without those in the values of foreign names.
    private var ownCauses: [PropertyLoadError] {
        if causes.isEmpty || declarations.keys.isEmpty { return causes.sorted { $0.key < $1.key }.map(\.value) }
        var own: [PropertyLoadError] = [], isNextForeign = false
        for (index, cause) in causes.sorted(by: { $0.key > $1.key }) {
            // A table has the first error of its contents, which follow it.
            let hasContents = index + 1 < tree.all.count && tree.all[index + 1].parent == index
            if !hasContents { isNextForeign = isForeign(index) }
            if !isNextForeign { own.append(cause) }
        }
        return own.reversed()
    }

    /// Whether a name, or a table around it, could not be checked because a placeholder has no value.
    func isUnchecked(_ name: String) -> Bool {
        if causes.isEmpty { return false }
        let key = PropertyKey(name)
        return ([key] + key.tables).contains { node($0)?.isNull == true && cause(of: $0) != nil }
    }

    /// Throws if a property, or a value nested in it, contains a placeholder that could not be replaced. A nil key
    /// checks all properties.
    ///
    /// The error is thrown even if the caller has a default: it replaces a missing property, not an invalid one.
    func checkPlaceholders(
        _ key: PropertyKey?, expected: @autoclosure () -> String, isSecret: Bool = false
    ) throws(PropertyError) {
        guard let cause = cause(of: key) else { return }
        // Redacted, because a line of the source may contain the value.
        throw PropertyError(isSecret ? cause.redacted() : cause, at: key?.rawValue, expected: expected(), self)
    }

    /// Runs a conversion of the value of a name, or of all properties for nil, and completes its error. Fails before that if
    /// a placeholder in the value could not be replaced.
    @inline(__always)
    func converting<T>(
        _ key: PropertyKey?, expected: @autoclosure () -> String, isSecret: Bool = false,
        _ convert: () throws(PropertyError) -> T
    ) throws(PropertyError) -> T {
        try checkPlaceholders(key, expected: expected(), isSecret: isSecret)
        do throws(PropertyError) {
            return try convert()
        } catch {
            throw PropertyError(error, at: key?.rawValue, self, isSecret: isSecret)
        }
    }

    /// Returns the value of a flat name, or nil if it is missing or null. Throws the `PropertyError` that the reader
    /// receives.
    func value<T>(_ key: PropertyKey, as type: T.Type) throws(PropertyError) -> T? {
        try converting(key, expected: TypeName.noun(type)) { () throws(PropertyError) in try read(key, as: type) }
    }
}

extension Declarations {
    /// Returns the default of a declared name as the remedy of a placeholder has it: `…` if there is none that it may show.
    /// Nil if the name is not declared.
    fileprivate func declaredDefault(_ name: String) -> String? {
        let node = root.descendant(name)
        guard let rule = node.rule else { return nil }
        // A brace would end the placeholder.
        let text = node.isSecret ? nil : rule.openDefault?.plainText.flatMap { $0.contains("}") ? nil : $0 }
        return text ?? "…"
    }

    /// Returns an error as it may be shown. If a name is secret, a line of a source may contain its value.
    fileprivate func shown(_ error: PropertyLoadError) -> PropertyLoadError {
        holdSecrets ? error.withoutLines() : error
    }
}

extension MergedState: CustomReflectable {
    /// Empty, because a dump of an object that refers to a state would otherwise show the secrets in it.
    var customMirror: Mirror { Mirror(self, children: []) }
}

// MARK: - Declared keys

extension MergedState {
    /// The values in force of all declared keys and of the settings inside them, sorted by name.
    var values: [PropertyEntry] {
        declarations.keys.compactMap { key in value(of: key).map { key.form.settings(in: $0) } }.joined()
            .sorted(byName: \.name)
    }

    /// Returns the value in force of a declared key, or nil if it has none. Tables of settings in it have their defaults.
    func value(of declaration: DeclaredKey) -> PropertyEntry? {
        let name = declaration.key.rawValue
        if !isMissing(declaration.key), let node = node(declaration.key) {
            let shown = declaration.form.shown(node)
            return PropertyEntry(name: name, node: declaration.isSecret ? shown.markedSecret : shown)
        }
        // Of a name that was only declared secret, nothing is known unless a source has it.
        if declaration.isRequired || !declaration.isDescribed { return nil }
        var shown = declaration.form.shown(declaration.defaultEntry.node)
        if keeps(declaration.key), let kept = node(declaration.key) { shown.origin = kept.origin }
        return PropertyEntry(name: name, node: shown)
    }

    /// Returns what is declared of a flat name, also inside a dictionary, an array or an optional table: `servers[2].port`.
    /// Nil if nothing but its secrecy is.
    func declaration(at name: String) -> DeclaredKey? {
        let node = declarations.root.descendant(path: name)
        guard let rule = node.rule else { return nil }
        return declarations.noted(node.key(name, node.rules.isEmpty ? [rule] : node.rules))
    }

    /// Returns the value in force of a setting inside the value of a declared key, or nil if its table is not there.
    func value(inside name: String) -> PropertyEntry? {
        for key in declarations.keys where name.isAt(key.key.rawValue) && key.form.hasSettings {
            guard let outer = value(of: key) else { continue }
            return key.form.tables(in: outer).first { $0.name.isSame(as: name) }
        }
        return nil
    }

    /// Whether no source has a value for a name. A value that cannot be read is not missing.
    func isMissing(_ key: PropertyKey) -> Bool { valueNode(key) == nil && cause(of: key) == nil }
}

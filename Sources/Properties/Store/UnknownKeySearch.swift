/// Finds the keys of the sources that are neither declared nor read.
private struct UnknownKeySearch {
    let state: MergedState
    /// The names of all declared keys.
    let names: [String]
    /// The indices of the properties that were read.
    let read: Set<Int>
    /// The names of the tables that contain read names.
    let readTables: Set<PropertyKey>
    let inSettingsOnly: Bool
    /// The IDs of the layers with relaxed spellings.
    let relaxedLayers: Set<UInt32>
    private(set) var errors: [PropertyError] = []
    /// The errors about foreign names.
    private(set) var foreign: [PropertyError] = []

    init(_ state: MergedState, read: Set<PropertyKey>, inSettingsOnly: Bool) {
        self.state = state
        self.inSettingsOnly = inSettingsOnly
        relaxedLayers = Set(state.layers.filter { $0.given.spelling == .relaxed }.map(\.id))
        names = (state.declarations.keys.map(\.key) + read).map(\.rawValue).sorted(byName: \.self)
        self.read = Set(read.compactMap { state.find($0) })
        readTables = Set(read.flatMap { key in key.tables })
    }

    /// Visits all properties. A table precedes its contents.
    mutating func search() {
        let all = state.tree.all
        // For each property, its declarations, and whether it, or the undeclared table around it, is in a table of
        // settings.
        var nodes: [(declared: DeclaredNode, isInSettings: Bool)] = []
        nodes.reserveCapacity(all.count)
        for index in all.indices {
            let named = all[index], parent = named.parent < 0 ? nil : nodes[Int(named.parent)]
            let outer = parent?.declared ?? state.declarations.root, declared = outer.child(named.entry.key)
            let isInSettings =
                parent.map { $0.declared.isEmpty ? $0.isInSettings : $0.declared.isTableOfSettings } ?? false
            nodes.append((declared, isInSettings))
            guard named.isLeaf else { continue }
            // Only names below it are declared. A value in place of a table of settings has an error of its own.
            let isValueBesideNames =
                declared.forms.isEmpty && !declared.mustBeTable && !named.node.isTable && !named.node.isNull
            if declared.isEmpty || isValueBesideNames {
                add(index, outer, isInSettings)
            } else if !declared.isOpen {
                addUnknown(in: named.node.list, declared, named.name, "")
            }
        }
    }

    private mutating func add(_ index: Int, _ outer: DeclaredNode, _ isInSettings: Bool) {
        let named = state.tree.all[index]
        if !isInSettings, inSettingsOnly || state.tree.isInside(index, read) { return }
        // An empty table, or null, that contains read names is a section without settings.
        if named.node.isTable || named.node.isNull, readTables.contains(PropertyKey(named.name)) { return }
        let source = named.entry.keyOrigin.source
        let isRelaxed = relaxedLayers.contains(named.entry.layer)
        let candidates = Candidates(
            written: named.name, names: candidates(outer, named), isRelaxed: isRelaxed
        ) { [state] name in
            // A candidate is allowed if no source has it, or if another source has its value or the first key of its
            // table.
            state.find(PropertyKey(name)).map {
                !state.tree.all[$0].entry.keyOrigin.source.name.isSame(as: source.name)
            }
                ?? true
        }
        let error = PropertyError(
            unknown: named.name, at: named.entry.keyOrigin, isInSettings: isInSettings, candidates, state)
        if state.isForeign(index) { foreign.append(error) } else { errors.append(error) }
    }

    /// Returns the names that may be meant: the settings in the same table if the key is inside a declared value,
    /// otherwise all names.
    private func candidates(_ outer: DeclaredNode, _ named: PropertyTree.Named) -> [String] {
        guard !outer.hasNames, outer.isTableOfSettings, named.parent >= 0 else { return names }
        let table = state.tree.all[Int(named.parent)].name
        return outer.settingKeys.sorted(byName: \.self).map { "\(table).\($0)" }
    }

    /// Adds the errors about keys inside an array, which have no flat names.
    private mutating func addUnknown(in node: PropertyNode, _ declared: DeclaredNode, _ name: String, _ path: String) {
        switch node.value {
        case .array(let nodes):
            for (index, node) in nodes.enumerated() {
                addUnknown(in: node, declared.element, name, "\(path)[\(index)]")
            }
        case .table(let table):
            let present = Set(table.entries.map { PropertyKey($0.key) })
            let absent = declared.settingKeys.filter { !present.contains(PropertyKey($0)) }
            for entry in table.uniqueEntries {
                let child = declared.child(entry.key)
                if child.isEmpty {
                    let error = PropertyError.unknown(entry, others: absent).inside("\(path).\(entry.key)")
                    errors.append(PropertyError(error, at: name, state))
                } else if !child.isOpen {
                    addUnknown(in: entry.node, child, name, "\(path).\(entry.key)")
                }
            }
        default: break
        }
    }
}

extension MergedState {
    /// Returns an error for each property that is neither declared nor read.
    ///
    /// - Parameters:
    ///   - checks: the names that were read.
    ///   - inSettingsOnly: whether to find only the keys in tables of settings, which nobody reads by name.
    /// - Returns: the errors, in the order of the properties.
    func unknownKeys(_ checks: ChangeChecks, _ inSettingsOnly: Bool) -> [PropertyError] {
        search(checks, inSettingsOnly).errors
    }

    /// Returns a warning for each unknown name of a `.env` file without a prefix that is probably a misspelt known name.
    /// Its other unknown names belong to other programs.
    func misspeltNames(_ checks: ChangeChecks) -> [PropertyLoadError] {
        if foreignNames.isEmpty { return [] }
        return search(checks, false).foreign.compactMap(\.warningAboutSpelling)
    }

    private func search(_ checks: ChangeChecks, _ inSettingsOnly: Bool) -> UnknownKeySearch {
        // A reader has read all properties.
        let inSettingsOnly = inSettingsOnly || checks.knownKeys.contains(nil)
        var search = UnknownKeySearch(
            self, read: Set(checks.knownKeys.compactMap(\.self)), inSettingsOnly: inSettingsOnly)
        search.search()
        return search
    }
}

extension PropertyStore {
    /// Likely mistakes in the sources that are not errors, such as a JSON key that occurs twice, or a name in a `.env` file
    /// without a prefix that is similar to a declared name.
    ///
    /// The first warning may be an error that a declaration or a change of the parent has caused after the sources were
    /// applied: an ambiguous name, or a placeholder whose property is gone. `verify` throws that error.
    public var warnings: [PropertyLoadError] {
        let state = current
        return state.warnings + state.misspeltNames(ownChecks)
    }
}

/// The contents of a store itself, without its parents: its sources, declarations and settings.
struct StoreContents: Sendable {
    /// The sources, in the order of their application and of the merge.
    private(set) var sources: [AppliedSource] = []
    /// What was declared.
    private(set) var declaredTree = DeclaredTree() { didSet { declarationsVersion = AppliedSource.nextLogicalTime() } }
    /// The settings types that were declared.
    private(set) var tables: [SettingsDeclaration] = []
    /// The former flat names that were declared apart from settings types.
    private(set) var formerNames: [FormerPath] = []
    /// Identifies what was declared.
    private(set) var declarationsVersion: UInt64 = 0
    /// How placeholders are replaced in sources that have no rules of their own.
    var placeholders: PropertyPlaceholders?
    /// The values of the settings that need a restart, at the start of the service.
    var startValues: [PropertyKey: StartValue] = [:]
    /// How many states the store has published, and when it published the last one.
    var revision: (count: Int, time: ContinuousClock.Instant?) = (0, nil)

    /// Whether a key is declared, and not only the secrecy of a name.
    var declaresKeys: Bool { declaredTree.holds(.keys) }

    /// Declares the rule of a name, in addition to earlier rules of the same name.
    mutating func declare(_ name: PropertyKey, _ rule: any Rule) {
        DeclaredKey(name, DeclaredNode(root: declaredTree).descendant(name.rawValue).rules, isSecret: false).check(rule)
        declaredTree.add(.init(rules: [rule]), at: name)
    }

    /// Declares a name as secret.
    mutating func declareSecret(_ name: PropertyKey) { declaredTree.add(.init(isSecret: true), at: name) }

    /// Declares former flat names of properties.
    mutating func declare(former names: [FormerPath]) {
        formerNames += names
        declarationsVersion = AppliedSource.nextLogicalTime()
    }

    /// Declares a settings type. If it is declared at the same name already, nothing happens, or the process ends if the
    /// declarations differ.
    mutating func declare(_ table: SettingsDeclaration) {
        if let earlier = tables.first(where: { $0.type == table.type && $0.name == table.name }) {
            return earlier.check(table)
        }
        let root = DeclaredNode(root: declaredTree)
        for key in table.schema.keys(at: table.name?.rawValue) {
            let earlier = DeclaredKey(key.key, root.descendant(key.key.rawValue).rules, isSecret: false)
            for rule in key.rules { earlier.check(rule) }
        }
        declaredTree.add(.init(tables: [table.schema]), at: table.name)
        tables.append(table)
    }

    /// Adds sources after the existing sources, and removes existing sources with the same identities. Values that the
    /// program has set stay the last.
    mutating func apply(_ new: [AppliedSource]) {
        if !sources.isEmpty { remove(Set(new.compactMap(\.key))) }
        let isSet = new.allSatisfy { $0.layer.source?.isSet == true }
        let end = isSet ? sources.count : sources.firstIndex { $0.layer.source?.isSet == true } ?? sources.count
        sources.insert(contentsOf: new, at: end)
    }

    /// Removes the sources with some identities.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    mutating func remove(_ keys: Set<PropertyKey>) -> Bool {
        let count = sources.count
        sources.removeAll { $0.key.map { keys.contains($0) } ?? false }
        return sources.count < count
    }

    /// Replaces sources by new versions, by their IDs.
    mutating func replace(_ new: [UInt64: AppliedSource]) { sources = sources.map { new[$0.id] ?? $0 } }

    /// Removes sources that were applied, and restores the sources that they replaced, in the old order, and the values
    /// that are kept until a restart. Sources that were applied or reloaded since then stay as they are.
    ///
    /// - Parameters:
    ///   - applied: the sources to remove.
    ///   - before: the contents before they were applied.
    mutating func takeBack(_ applied: [AppliedSource], to before: StoreContents) {
        startValues.merge(before.startValues) { $1 }
        let former = before.sources
        let replacing = Set(applied.compactMap(\.key)), removed = Set(applied.map(\.id))
        var rest = Dictionary(uniqueKeysWithValues: sources.map { ($0.id, $0) })
        for id in removed { rest[id] = nil }
        let later = Set(rest.values.compactMap(\.key))
        let restored = former.compactMap { source in
            let isReplaced = source.key.map { replacing.contains($0) && !later.contains($0) } ?? false
            return rest.removeValue(forKey: source.id) ?? (isReplaced ? source : nil)
        }
        let all = restored + sources.filter { rest[$0.id] != nil }
        sources = all.filter { $0.layer.source?.isSet != true } + all.filter { $0.layer.source?.isSet == true }
    }
}

extension DeclaredKey {
    /// Ends the process if another rule of the name cannot be declared in addition to these rules.
    fileprivate func check(_ rule: any Rule) {
        if !rule.acceptsDefault {
            fatalError("The default of '\(key)' is not \(rule.noun). Correct the default, or the limits of the key.")
        }
        for earlier in rules where earlier !== rule {
            if earlier.attributes.isSetting, rule.attributes.isSetting, !earlier.isSame(as: rule) {
                fatalError(
                    "'\(key)' is declared as \(earlier.noun) and as \(rule.noun). Give both settings the same "
                        + "attributes.")
            }
            if let one = earlier.openDefault, let other = rule.openDefault, !PropertyValue.isSame(one, other) {
                fatalError("'\(key)' is declared with two different defaults. Declare it with one.")
            }
        }
    }
}

import SharedState

/// All declarations of a store and its parents.
final class Declarations: Sendable {
    let tree: DeclaredTree
    /// The kinds of declarations that the store and its parents have.
    let traits: DeclaredTraits
    /// The declarations of the store itself.
    private let own: StoreDeclarations
    private let above: Declarations?
    /// The settings types of this store and of its parents, in the order of their declarations.
    let tables: [SettingsDeclaration]
    /// The former flat names that were declared apart from settings types.
    private let renamed: [FormerPath]
    private let madeKeys = Lazily<[DeclaredKey]>()
    private let madeNotes = Lazily<[PropertyKey: DeclaredKey.Notes]>()
    private let madeTableNames = Lazily<[PropertyKey]>()
    private let madeBeginnings = Lazily<[PropertyKey]>()
    private let madeTypes = Lazily<[ObjectIdentifier: [SettingsDeclaration]]>()

    /// Combines the declarations of a store (`own`) with the declarations of its parents (`above`).
    init(_ own: StoreDeclarations, above: Declarations?) {
        (self.own, self.above) = (own, above)
        tree = above.map { $0.tree.combined(with: own.tree) } ?? own.tree
        traits = tree.traits
        tables = (above?.tables ?? []) + own.tables
        renamed = (above?.renamed ?? []) + own.renamed
        movedNames = tables.compactMap(\.move) + renamed
        hasFormerNames = traits.contains(.formerNames) || !movedNames.isEmpty
    }

    /// Returns this object if it was made from the same declarations, otherwise nil.
    func reused(_ own: StoreDeclarations, above: Declarations?) -> Declarations? {
        self.own.version == own.version && self.above === above ? self : nil
    }

    /// The declared names with their rules, sorted by name.
    var keys: [DeclaredKey] { madeKeys.value { root.keys().map(noted).sorted(byName: \.key.rawValue) } }

    /// Returns a declared key with the notes on its flat name.
    func noted(_ key: DeclaredKey) -> DeclaredKey {
        guard let known = notes[key.key] else { return key }
        return key.changing { notes in
            notes.variable = known.variable
            if !known.formerNames.isEmpty { notes.formerNames = known.formerNames }
            if !known.settingsRules.isEmpty { notes.settingsRules = known.settingsRules }
        }
    }

    /// Returns the settings of a table by their names in it. `name` is the name of the table, or nil in an array or a
    /// dictionary, whose settings have no flat names.
    func settings(of schema: Schema, at name: String?) -> [DeclaredKey] {
        schema.keys(at: nil).map { key in
            let known = name.flatMap { notes[PropertyKey("\($0).\(key.key)")] }
            return key.changing { $0.variable = known?.variable }
        }
    }

    /// The notes on each setting, by its flat name.
    private var notes: [PropertyKey: DeclaredKey.Notes] {
        madeNotes.value {
            var notes: [PropertyKey: DeclaredKey.Notes] = [:]
            for variable in variables.reversed() { notes[variable.setting, default: .init()].variable = variable.name }
            for former in formerNames {
                notes[PropertyKey(former.newName), default: .init()].formerNames.append(former.oldName)
            }
            for table in tables where table.schema.traits.contains(.settingsRules) {
                for key in table.schema.keys(at: table.name?.rawValue) {
                    notes[key.key, default: .init()].settingsRules += key.notes.settingsRules
                }
            }
            return notes
        }
    }

    /// The names of the tables around the declared names, sorted.
    var tableNames: [PropertyKey] {
        madeTableNames.value {
            var tables: Set<PropertyKey> = []
            var last: Substring?
            for key in keys {
                let name = key.key.rawValue, outer = name.utf8.lastIndex(of: .dot).map { name[..<$0] }
                // Many keys in a row are in the same table.
                if outer != nil, outer != last { tables.formUnion(key.key.tables) }
                last = outer
            }
            return tables.sorted(byName: \.rawValue)
        }
    }

    /// The declared values that have declared names beside them: `log`, if `log.level` is declared, too.
    var beginnings: [PropertyKey] {
        madeBeginnings.value {
            tableNames.filter { name in
                let rules = node(name).rules
                return !rules.isEmpty && !rules.contains { $0.takesKind(of: PropertyNode([:])) }
            }
        }
    }

    /// The declared variables. A setting may be declared again in a child.
    var variables: [DeclaredVariable] {
        var known: Set<[PropertyKey]> = []
        return tables.flatMap(\.variables).filter { known.insert([$0.setting, PropertyKey($0.name)]).inserted }
    }

    /// The former names whose paths begin at the root: those of tables of settings, and those that were declared
    /// without a settings type.
    let movedNames: [FormerPath]

    /// The former flat names of settings.
    var formerNames: [FormerPath] { tables.flatMap(\.formerNames) + renamed }

    /// Whether a setting or a table has a former name.
    let hasFormerNames: Bool

    /// Returns the tables of a settings type, in the order of their declarations.
    func tables(of type: ObjectIdentifier) -> [SettingsDeclaration] { tablesByType[type] ?? [] }

    /// Made when it is first asked for, because most states of a store that declares many types are never read.
    private var tablesByType: [ObjectIdentifier: [SettingsDeclaration]] {
        madeTypes.value {
            var names: [ObjectIdentifier: Set<PropertyKey?>] = [:]
            let distinct = tables.filter { names[$0.type, default: []].insert($0.name).inserted }
            return Dictionary(grouping: distinct, by: \.type)
        }
    }

    /// The node of all properties.
    var root: DeclaredNode { DeclaredNode(root: tree) }

    /// Returns the node of a flat name.
    func node(_ key: PropertyKey) -> DeclaredNode { root.descendant(key.rawValue) }

    /// Whether a value is secret because of its name or a setting.
    var holdSecrets: Bool { traits.contains(.secrets) }
}

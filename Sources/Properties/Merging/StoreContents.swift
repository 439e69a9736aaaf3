/// The contents of a store itself, without those of its parents: its sources, declarations and settings.
struct StoreContents: Sendable {
    /// The sources, in the order in which they were applied and are merged.
    private(set) var sources: [AppliedSource] = []
    /// What was declared.
    var declared = DeclaredTree() { didSet { declaredNumber = AppliedSource.now() } }
    /// The settings types that were declared.
    private(set) var settingsTypes: [SettingsDeclaration] = [] { didSet { declaredNumber = AppliedSource.now() } }
    /// Identifies `declared` and `settingsTypes`.
    private(set) var declaredNumber: UInt64 = 0
    /// How placeholders are replaced in sources that have no rules of their own.
    var placeholders: PropertyPlaceholders?
    /// The values of the settings that need a restart, at the start of the service.
    var startValues: [PropertyKey: StartValue] = [:]
    /// How many states the store has published, and when it published the last one.
    var revision: (number: Int, time: ContinuousClock.Instant?) = (0, nil)

    /// Whether a key is declared, and not only the secrecy of a name.
    var declaresKeys: Bool { declared.declaresKeys || !settingsTypes.isEmpty }

    /// Adds a declaration, combining it with earlier ones of the same name.
    mutating func declare(_ key: DeclaredKey) {
        if let earlier = declared[key.key], earlier.hasOtherDefault(than: key) {
            fatalError("'\(key.key)' is declared with two different defaults. Declare it with one.")
        }
        declared.add(key)
    }

    /// Adds a settings type. Nothing happens if it is declared at the same name already.
    mutating func declare(_ type: SettingsDeclaration) {
        if settingsTypes.contains(where: { $0.type == type.type && $0.table == type.table }) { return }
        for key in type.keys {
            if let earlier = declared[key.key], earlier.isSettingThatDiffers(from: key) {
                fatalError(
                    "'\(key.key)' is declared as \(earlier.expected) and as \(key.expected). Give both "
                        + "settings the same attributes.")
            }
            declare(key)
        }
        for name in type.tables { declared.addTable(name) }
        settingsTypes.append(type)
    }

    /// Adds sources after the existing ones, and removes existing ones with the same identities.
    mutating func apply(_ new: [AppliedSource]) {
        if !sources.isEmpty { remove(Set(new.compactMap(\.key))) }
        sources += new
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

    /// Replaces sources by new versions, by their numbers.
    mutating func replace(_ new: [UInt64: AppliedSource]) { sources = sources.map { new[$0.number] ?? $0 } }

    /// Removes sources that were applied, and restores those that they replaced, in the former order, and the values that
    /// are kept until a restart. Sources that were applied or reloaded since then stay as they are.
    ///
    /// - Parameters:
    ///   - applied: the sources to remove.
    ///   - before: the contents before they were applied.
    mutating func takeBack(_ applied: [AppliedSource], to before: StoreContents) {
        startValues.merge(before.startValues) { $1 }
        let former = before.sources
        let replacing = Set(applied.compactMap(\.key)), removed = Set(applied.map(\.number))
        var rest = Dictionary(uniqueKeysWithValues: sources.map { ($0.number, $0) })
        for number in removed { rest[number] = nil }
        let later = Set(rest.values.compactMap(\.key))
        let restored = former.compactMap { source in
            let isReplaced = source.key.map { replacing.contains($0) && !later.contains($0) } ?? false
            return rest.removeValue(forKey: source.number) ?? (isReplaced ? source : nil)
        }
        sources = restored + sources.filter { rest[$0.number] != nil }
    }
}

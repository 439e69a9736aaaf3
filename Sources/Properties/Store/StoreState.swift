import Synchronization

/// The state of a store itself, without its parents: its sources, declarations and settings.
struct StoreState: Sendable {
    /// The sources without those of `set`, in the order in which they were applied.
    var sources: [AppliedSource] = []
    /// The sources of `set` by their identities. Nil for a value that was removed.
    private var setValues = GrowingDictionary<PropertyKey, AppliedSource?>()
    /// Whether all sources are so simple that they cannot contradict each other: no keys with dots, relaxed names or
    /// placeholders.
    private(set) var isSimple = true
    /// The declarations by name. Several declarations of one name are combined.
    private(set) var declarations = GrowingDictionary<PropertyKey, DeclaredKey>()
    /// The settings types that were declared.
    private(set) var settingsTypes: [SettingsDeclaration] = []
    /// The names that must be tables: those of settings types.
    private(set) var tables: Set<PropertyKey> = []
    /// The names that were declared secret.
    private(set) var secretKeys: Set<PropertyKey> = []
    /// How placeholders are replaced in sources that have no rules of their own.
    var placeholders: PropertyPlaceholders?
    /// The values of the settings that need a restart, at the start of the service.
    var startValues: [PropertyKey: StartValue] = [:]
    /// How many states the store has published, and when it published the last one.
    var published: (count: Int, time: ContinuousClock.Instant?) = (0, nil)

    /// All sources, in the order in which they are merged.
    var allSources: [AppliedSource] {
        if setValues.isEmpty { return sources }
        return (sources + setValues.all.values.compactMap(\.self)).sorted { $0.number < $1.number }
    }

    /// Whether a key is declared, and not only the secrecy of a name.
    var declaresKeys: Bool { declarations.all.values.contains { $0.isDescribed } }

    /// Adds a declaration, combining it with earlier ones of the same name.
    mutating func declare(_ declaration: DeclaredKey) {
        var combined = declaration
        if let earlier = declarations[declaration.key] {
            if earlier.hasOtherDefault(than: declaration) {
                fatalError("'\(declaration.key)' is declared with two different defaults. Declare it with one.")
            }
            combined = earlier
            combined.add(declaration)
        }
        declarations.set(declaration.key, to: combined)
        if declaration.isSecret { secretKeys.insert(declaration.key) }
    }

    /// Adds a settings type. Nothing happens if it is declared at the same name already.
    mutating func declare(_ type: SettingsDeclaration) {
        if settingsTypes.contains(where: { $0.type == type.type && $0.table == type.table }) { return }
        for declaration in type.keys {
            if let earlier = declarations[declaration.key], earlier.isSettingThatDiffers(from: declaration) {
                fatalError(
                    "'\(declaration.key)' is declared as \(earlier.expected) and as \(declaration.expected). Give both "
                        + "settings the same attributes.")
            }
            declare(declaration)
        }
        declare(tables: type.tables)
        settingsTypes.append(type)
    }

    /// Adds names that must be tables.
    mutating func declare(tables names: [PropertyKey]) { tables.formUnion(names) }

    /// Adds sources after the existing ones, and removes existing ones with the same identities.
    mutating func apply(_ new: [AppliedSource]) {
        for source in new { isSimple = isSimple && source.isSimple }
        for case (let source, let key?) in new.map({ ($0, $0.setKey) }) { setValues.set(key, to: source) }
        let others = new.filter { $0.setKey == nil }, keys = Set(others.compactMap(\.key))
        if others.isEmpty { return }
        sources.removeAll { $0.key.map { keys.contains($0) } ?? false }
        sources += others
    }

    /// Replaces sources by new versions, by their numbers.
    mutating func replace(_ new: [UInt64: AppliedSource]) {
        for source in new.values { isSimple = isSimple && source.isSimple }
        sources = sources.map { new[$0.number] ?? $0 }
    }

    /// Removes the values of `set` for names.
    ///
    /// - Returns: whether there was one.
    mutating func unset(_ names: [String]) -> Bool {
        let keys = names.map { PropertyKey(AppliedSource.settingPrefix + $0) }.filter { setValues[$0] ?? nil != nil }
        for key in keys { setValues.set(key, to: nil) }
        return !keys.isEmpty
    }
}

/// A source in a store: its last layer, and the loader that reloads it.
struct AppliedSource: Sendable {
    /// Identifies this application of the source. It stays the same when the source is reloaded.
    let number: UInt64
    /// The logical time at which the layer was loaded.
    let clock: UInt64
    /// The time at which the layer was loaded.
    let loaded = ContinuousClock.now
    let layer: PropertyLayer
    /// The source's identity, or nil if it has none. A `PropertyKey` is compared by bytes, as the names of files are.
    let key: PropertyKey?
    let loader: any PropertyLoader
    private let placeholders: PropertyPlaceholders?

    /// The beginning of the identity of a source of `set`. It contains a zero byte, so that no file has the same one.
    static let settingPrefix = "\0set "
    /// The identity of a source of `set`, or nil for any other source.
    var setKey: PropertyKey? { key.flatMap { $0.rawValue.begins(with: Self.settingPrefix) ? $0 : nil } }
    var isSimple: Bool { !layer.hasDots && layer.spelling != .loose && layer.lookups == nil }

    /// Loads a source for the first time, with the placeholder rules of a store.
    init(_ loader: any PropertyLoader, for state: StoreState) throws {
        try self.init(loader, state.placeholders, number: Self.now())
    }

    /// Loads the source again.
    func loadedAgain() throws -> AppliedSource {
        try AppliedSource(loader, placeholders, number: number)
    }

    private init(_ loader: any PropertyLoader, _ placeholders: PropertyPlaceholders?, number: UInt64) throws {
        self.number = number
        self.loader = loader
        self.placeholders = placeholders
        var layer = try loader.namedLayer()
        clock = Self.now()
        try layer.prepare(number: UInt32(clock % UInt64(UInt32.max)))
        layer.lookups = (layer.placeholders ?? placeholders).map { PlaceholderLookups($0, for: layer.table) }
        self.layer = layer
        key = (layer.source?.identity).map { PropertyKey($0) }
    }

    /// Returns the next logical time: a number that is greater than all earlier ones.
    static func now() -> UInt64 {
        counter.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
    }

    private static let counter = Atomic<UInt64>(0)
}

/// The results of loading several sources. Loading continues after a failure, so that all failures are reported.
package struct LoadedSources: Sendable {
    private(set) var sources: [AppliedSource] = []
    /// The errors of the loaders that failed.
    private(set) var failures: [any Error] = []
    /// The logical time at which the first load began.
    let began = AppliedSource.now()

    /// Loads sources for the first time.
    init(_ loaders: [any PropertyLoader], for state: StoreState) {
        for loader in loaders { add(loader) { try AppliedSource(loader, for: state) } }
    }

    /// Loads sources again.
    init(again sources: [AppliedSource]) {
        for source in sources { add(source.loader) { try source.loadedAgain() } }
    }

    /// Returns the sources, or throws the failures.
    func get() throws(ConfigurationErrors) -> [AppliedSource] {
        if !failures.isEmpty { throw ConfigurationErrors(failures) }
        return sources
    }

    private mutating func add(_ loader: any PropertyLoader, _ load: () throws -> AppliedSource) {
        do {
            sources.append(try load())
        } catch {
            failures.append(LoaderFailure.located(error, loader.typeName))
        }
    }
}

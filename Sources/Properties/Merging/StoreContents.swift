import Synchronization
import TextBasics

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

    /// Removes sources that were applied, and restores those that they replaced, in the former order. Sources that were
    /// applied, reloaded or removed since then stay as they are.
    ///
    /// - Parameters:
    ///   - applied: the sources to remove.
    ///   - former: all sources before.
    mutating func takeBack(_ applied: [AppliedSource], to former: [AppliedSource]) {
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

    /// Loads a source for the first time, with the placeholder rules of a store.
    init(_ loader: any PropertyLoader, for contents: StoreContents) throws {
        try self.init(loader, contents.placeholders, number: Self.now())
    }

    /// Loads the source again.
    ///
    /// - Throws: the error of the loader, or the error about a file or a directory that has no properties any more.
    func loadedAgain() throws -> AppliedSource {
        let new = try AppliedSource(loader, placeholders, number: number)
        try new.layer.refuseEmptied(layer)
        return new
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

extension PropertyLayer {
    /// Throws if the source is a file or a directory without properties, and had some in its former layer. A full disk or
    /// a writer that is not done leaves such a file, and all settings in it would get their defaults.
    fileprivate func refuseEmptied(_ former: PropertyLayer) throws(PropertyLoadError) {
        guard !files.isEmpty, !isAbsent, table.leafCount == 0 else { return }
        let count = former.table.leafCount
        if count == 0 { return }
        throw PropertyLoadError(
            .emptied, "this is empty; it had \(count.grouped) \(count == 1 ? "property" : "properties")",
            at: PropertyOrigin.unknown.known(in: source), remedy: "Restart the service if that is meant")
    }
}

extension PropertyTable {
    /// The number of values that are not tables.
    fileprivate var leafCount: Int {
        entries.indices.reduce(0) { count, index in
            guard case .table(let inner) = entries[index].node.value else { return count + 1 }
            return count + inner.leafCount
        }
    }
}

/// The results of loading several sources. Loading continues after a failure, so that all failures are reported.
package struct LoadedSources: Sendable {
    private(set) var sources: [AppliedSource] = []
    /// The errors of the loaders that failed.
    private(set) var failures: [any Error] = []
    /// The logical time at which the first load began.
    let began = AppliedSource.now()

    /// Loads sources for the first time.
    init(_ loaders: [any PropertyLoader], for contents: StoreContents) {
        for loader in loaders { add(loader) { try AppliedSource(loader, for: contents) } }
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

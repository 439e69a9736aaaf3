import Synchronization

/// The state of a store itself, without its parents: its sources, declarations and settings.
struct StoreState: Sendable {
    /// The sources, in the order in which they are merged.
    var sources: [AppliedSource] = []
    private(set) var declarations = Declarations()
    /// The names that were declared secret.
    private(set) var secretKeys: Set<PropertyKey> = []
    /// How placeholders are replaced in sources that have no rules of their own.
    var placeholders: PropertyPlaceholders?
    /// The maximum size of a flat name, in bytes.
    var nameLimit = PropertyStore.defaultNameLimit

    /// Whether a table that replaces a plain value, or the reverse, is an error.
    var refusesKindChanges = false

    /// The maximum size of a key of a dictionary, in bytes. If it is nil, the limit of the parent applies.
    var keyLimit: Int?

    /// The layers of the sources.
    var layers: [PropertyLayer] { sources.map(\.layer) }

    /// Adds a declaration.
    mutating func declare(_ declaration: KeyDeclaration) {
        declarations.add(declaration)
        if declaration.isSecret { secretKeys.insert(declaration.key) }
    }

    /// Adds sources after the existing ones, and removes existing ones with the same identities.
    mutating func apply(_ new: [AppliedSource]) {
        let keys = Set(new.compactMap(\.key))
        sources.removeAll { $0.key.map { keys.contains($0) } ?? false }
        sources += new
    }
}

/// A source in a store: its last layer, and the loader that reloads it.
struct AppliedSource: Sendable {
    /// Identifies this application of the source. It stays the same when the source is reloaded.
    let number: UInt64
    /// The logical time at which the layer was loaded.
    let clock: UInt64
    let layer: PropertyLayer
    /// The source's identity, or nil if it has none. A `PropertyKey` is compared by bytes, as the names of files are.
    let key: PropertyKey?
    let loader: any PropertyLoader
    private let placeholders: PropertyPlaceholders?
    private let nameLimit: Int

    /// Loads a source for the first time, with the placeholder rules and the name limit of a store.
    init(_ loader: any PropertyLoader, for state: StoreState) throws {
        try self.init(loader, state.placeholders, nameLimit: state.nameLimit, number: Self.now())
    }

    /// Loads the source again.
    func loadedAgain() throws -> AppliedSource {
        try AppliedSource(loader, placeholders, nameLimit: nameLimit, number: number)
    }

    private init(
        _ loader: any PropertyLoader, _ placeholders: PropertyPlaceholders?, nameLimit: Int, number: UInt64
    ) throws {
        self.number = number
        self.loader = loader
        self.placeholders = placeholders
        self.nameLimit = nameLimit
        var layer = try loader.namedLayer()
        clock = Self.now()
        try layer.prepare(number: UInt32(clock % UInt64(UInt32.max)), nameLimit: nameLimit)
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
struct LoadedSources {
    private(set) var sources: [AppliedSource] = []
    /// The errors of the loaders that failed.
    private(set) var failures: [any Error] = []

    /// Loads sources for the first time.
    init(_ loaders: [any PropertyLoader], for state: StoreState) {
        for loader in loaders { add(loader) { try AppliedSource(loader, for: state) } }
    }

    /// Loads sources again.
    init(again sources: [AppliedSource]) {
        for source in sources { add(source.loader) { try source.loadedAgain() } }
    }

    /// Returns the sources, or throws the failures.
    func get() throws -> [AppliedSource] {
        if failures.count > 1 { throw ConfigurationErrors(failures) }
        if let failure = failures.first { throw (failure as? LoaderFailure)?.error ?? failure }
        return sources
    }

    private mutating func add(_ loader: any PropertyLoader, _ load: () throws -> AppliedSource) {
        do {
            sources.append(try load())
        } catch let error where error is PropertyLoadError || error is any CompositeError {
            failures.append(error)
        } catch {
            failures.append(LoaderFailure(place: loader.typeName, error: error))
        }
    }
}

/// The sources of a store, loaded again and not yet published.
package struct ReloadedSources: Sendable {
    let sources: [AppliedSource]
    /// The logical time at which the first load began.
    let began: UInt64

    init(_ sources: [AppliedSource]) throws {
        began = AppliedSource.now()
        self.sources = try LoadedSources(again: sources).get()
    }
}

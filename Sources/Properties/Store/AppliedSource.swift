import Synchronization

/// A source in a store: what it said, and who can say it again.
struct AppliedSource: Sendable {
    /// Which application it is, whatever it says by now.
    let number: UInt64
    /// When the load that gave the layer was over.
    let clock: UInt64
    let layer: PropertyLayer
    /// What identifies it when it is applied again, compared by bytes as file names are; nil where nothing does.
    let key: PropertyKey?
    private let loader: any PropertyLoader
    private let placeholders: PropertyPlaceholders?
    private let nameLimit: Int

    /// Loads a source for the first time.
    ///
    /// - Parameter state: says how placeholders are replaced where the source does not, and how long a name may be.
    init(_ loader: any PropertyLoader, for state: StoreState) throws {
        try self.init(loader, state.placeholders, nameLimit: state.nameLimit, number: Self.now())
    }

    /// Loads the source anew.
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
        if let failure = layer.partingFailure { throw failure.known(in: layer.source) }
        try layer.measure(nameLimit: nameLimit)
        layer.markSecret()
        layer.lookups = (layer.placeholders ?? placeholders).map { PlaceholderLookups($0, for: layer.table) }
        self.layer = layer
        key = (layer.source?.identity).map { PropertyKey($0) }
        clock = Self.now()
    }

    /// A number that is greater than all before it.
    static func now() -> UInt64 {
        counter.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
    }

    private static let counter = Atomic<UInt64>(0)
}

/// The sources of a store, loaded again and not yet in place.
package struct ReloadedSources: Sendable {
    let sources: [AppliedSource]
    /// When the first load began.
    let began: UInt64

    init(_ sources: [AppliedSource]) throws {
        began = AppliedSource.now()
        self.sources = try sources.map { try $0.loadedAgain() }
    }
}

import Synchronization

/// A source in a store: what it said, and who can say it again.
struct AppliedSource: Sendable {
    /// Which application it is, whatever it says by now.
    let number: UInt64
    /// When the load that gave the layer was over.
    let clock: UInt64
    let layer: PropertyLayer
    /// What makes it the same source when it is applied again; it compares by bytes, as file names do.
    let key: PropertyKey
    private let loader: any PropertyLoader
    private let placeholders: PropertyPlaceholders?

    /// Loads a source for the first time.
    ///
    /// - Parameter placeholders: how they are replaced where the source does not say it.
    init(_ loader: any PropertyLoader, _ placeholders: PropertyPlaceholders?) throws {
        try self.init(loader, placeholders, number: Self.now())
    }

    /// Loads the source anew.
    func loadedAgain() throws -> AppliedSource {
        try AppliedSource(loader, placeholders, number: number)
    }

    private init(_ loader: any PropertyLoader, _ placeholders: PropertyPlaceholders?, number: UInt64) throws {
        self.number = number
        self.loader = loader
        self.placeholders = placeholders
        var layer = try loader.namedLayer()
        try layer.measure()
        layer.seal()
        layer.lookups = (layer.placeholders ?? placeholders).map { Lookups($0, for: layer.table) }
        self.layer = layer
        key = PropertyKey(layer.source?.identity ?? "")
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

extension PropertyLoader {
    /// Loads the layer; one without a source gets one with the name of the loader's type.
    package func namedLayer() throws -> PropertyLayer {
        var layer = try load()
        if layer.source == nil { layer.source = PropertySource(name: String(describing: type(of: self))) }
        return layer
    }
}

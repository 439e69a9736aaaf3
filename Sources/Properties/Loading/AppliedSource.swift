import Synchronization
import TextBasics

/// A source in a store: its last layer, and the loader that reloads it.
struct AppliedSource: Sendable {
    /// Identifies this application of the source. It stays the same when the source is reloaded.
    let id: UInt64
    /// The logical time at which the layer was loaded.
    let clock: UInt64
    /// The time at which the layer was loaded.
    let loaded = ContinuousClock.now
    let layer: AppliedLayer
    /// The source's identity, or nil if it has none. A `PropertyKey` is compared by bytes, as the names of files are.
    let key: PropertyKey?
    let loader: any PropertyLoader
    /// Whether it is a value that the program sets, which stays the last source.
    var isSet: Bool { layer.given.source?.isSet == true }
    private let placeholders: PropertyPlaceholders?

    /// Loads the source again.
    ///
    /// - Throws: the error of the loader, or the errors about files that have no properties or no text any more.
    func loadedAgain() throws -> AppliedSource {
        let new = try AppliedSource(loader, placeholders, id: id)
        try new.layer.refuseEmptied(layer)
        return new
    }

    /// Loads a source.
    ///
    /// - Parameters:
    ///   - loader: the loader of the source.
    ///   - placeholders: the rules of the store, for a layer without rules of its own.
    ///   - id: the ID of a source that is loaded again.
    /// - Throws: the error of the loader.
    init(
        _ loader: any PropertyLoader, _ placeholders: PropertyPlaceholders?, id: UInt64 = nextLogicalTime()
    ) throws {
        self.id = id
        self.loader = loader
        self.placeholders = placeholders
        var loaded = try loader.namedLayer()
        clock = Self.nextLogicalTime()
        var layer = try AppliedLayer(taking: &loaded, id: 1 + UInt32(clock % UInt64(AppliedLayer.keptID - 1)))
        layer.lookups = (layer.given.placeholders ?? placeholders).map { PlaceholderLookups($0, for: layer.table) }
        layer.warnings += layer.lookups?.warnings ?? []
        self.layer = layer
        key = (layer.given.source?.identity).map { PropertyKey($0) }
    }

    /// Returns the next logical time: a number that is greater than all earlier numbers.
    static func nextLogicalTime() -> UInt64 {
        counter.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
    }

    private static let counter = Atomic<UInt64>(0)
}

extension AppliedLayer {
    /// Throws if a source has lost its contents: a file or a directory that had properties has none now, or a file
    /// whose whole text is a value is blank now.
    ///
    /// A full disk or an unfinished writer leaves an empty file, and all of its settings would get their defaults.
    fileprivate func refuseEmptied(_ former: AppliedLayer) throws(ConfigurationErrors) {
        let texts = allTexts, formerTexts = former.allTexts
        var errors = texts.filter { $0.value && formerTexts[$0.key] == false }.map { file, _ in
            Self.emptied("a value", PropertySource(name: file.rawValue))
        }
        let count = former.table.leafCount
        if !given.files.isEmpty, !given.isAbsent, table.leafCount == 0, count > 0 {
            errors.append(
                Self.emptied("\(count.grouped) \(count == 1 ? "property" : "properties")", given.source ?? .unknown))
        }
        if !errors.isEmpty { throw ConfigurationErrors(errors) }
    }

    /// The files whose whole text is a value, including the files of placeholders, and whether that text is blank.
    private var allTexts: [PropertyKey: Bool] { given.texts.merging(lookups?.texts ?? [:]) { $1 } }

    private static func emptied(_ contents: String, _ source: PropertySource) -> PropertyLoadError {
        PropertyLoadError(
            .emptied, "this is empty; it had \(contents)", at: PropertyOrigin(source: source),
            remedy: "If that is meant, restart the service. The start fails if a required setting then has no value")
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
    let began = AppliedSource.nextLogicalTime()

    /// Loads sources for the first time.
    ///
    /// - Parameters:
    ///   - loaders: the loaders of the sources.
    ///   - placeholders: the rules of the store, for layers without rules of their own.
    init(_ loaders: [any PropertyLoader], _ placeholders: PropertyPlaceholders?) {
        for loader in loaders { add(loader) { try AppliedSource(loader, placeholders) } }
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

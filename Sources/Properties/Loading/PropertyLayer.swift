/// The result of loading a source: its values, and how the store is to treat them.
public struct PropertyLayer: Sendable {
    /// The values. Keys are kept as they are, with their dots. Setting the values of a secret layer marks them as
    /// secret.
    public var table: PropertyTable {
        get { values }
        set {
            values = newValue
            markSecret()
        }
    }
    var values: PropertyTable
    /// The source of the values; nil stands for a source with the name of the loader's type.
    public var source: PropertySource?
    /// How tables are merged with those of earlier sources.
    public var merge: MergeRule
    /// How names are matched with those of other sources.
    public var spelling: NameSpelling
    /// Whether the values are masked in every description.
    public var isSecret: Bool { didSet { markSecret() } }
    /// How placeholders in the values are replaced; nil leaves that to the store.
    public var placeholders: PropertyPlaceholders?
    /// The results of the placeholders' lookups.
    var lookups: PlaceholderLookups?
    /// How many nodes of the table have a flat name, if they were counted; otherwise 0.
    var nameCount = 0
    /// Why the keys of a literal cannot be split at their dots, in which case the store refuses the layer.
    var partingFailure: PropertyLoadError?
    /// The files that were read, by path.
    public var files: [String]
    /// Likely mistakes that are not errors, such as a JSON key that occurs twice.
    public var warnings: [PropertyLoadError]

    /// How many tables and arrays may be nested: code that walks them is recursive.
    static let depthLimit = 1024

    /// Makes a layer.
    ///
    /// - Parameters:
    ///   - table: the values.
    ///   - source: the source of the values; nil stands for a source with the name of the loader's type.
    ///   - merge: how tables are merged with those of earlier sources.
    ///   - spelling: how names are matched with those of other sources.
    ///   - isSecret: whether the values are masked in every description.
    ///   - files: the files that were read, by path.
    ///   - warnings: likely mistakes that are not errors.
    public init(
        _ table: PropertyTable, source: PropertySource? = nil, merge: MergeRule = .deep,
        spelling: NameSpelling = .exact, isSecret: Bool = false, files: [String] = [],
        warnings: [PropertyLoadError] = []
    ) {
        values = table
        self.source = source
        self.merge = merge
        self.spelling = spelling
        self.isSecret = isSecret
        self.files = files
        self.warnings = warnings
        markSecret()
    }

    /// The layer without keys that occur twice in a table: the later one counts.
    func deduplicated() -> PropertyLayer {
        var layer = self
        layer.values = values.deduplicated()
        return layer
    }

    /// Gives the layer secret sources throughout if it is secret and its sources are not.
    mutating func markSecret() {
        guard isSecret else { return }
        var marker = SecretMarker(outer: source)
        values = marker.table(values, levels: Self.depthLimit)
        warnings = warnings.map { $0.redacted(by: &marker) }
        source = source.map { marker.source($0) }
    }
}

extension PropertyLayer: ExpressibleByDictionaryLiteral {
    /// Makes a layer of literal values without a source of its own.
    ///
    /// A key with dots is split into the keys of nested tables, at every level: `["api.timeout": 30]` is
    /// `["api": ["timeout": 30]]`. If two keys lead to the same path, the store refuses the layer.
    public init(dictionaryLiteral elements: (String, PropertyValue)...) {
        let table = PropertyTable(elements)
        do throws(PropertyLoadError) {
            self.init(try table.parted(depthLimit: Self.depthLimit))
        } catch {
            self.init(table)
            partingFailure = error
        }
    }
}

extension PropertyLayer: CustomStringConvertible, CustomReflectable {
    /// The source and the number of keys.
    public var description: String { "\(source?.description ?? "a layer") of \(table.count) keys" }

    /// The description alone.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// How the tables of a source are merged with those of earlier sources.
public enum MergeRule: Sendable, Hashable {
    /// A value at the first level replaces the earlier one with all its contents.
    case firstLevel
    /// Tables are merged key by key at every depth. All other values are replaced.
    case deep
}

/// How the names of a source are matched with those of other sources.
public enum NameSpelling: Sendable, Hashable {
    /// By their exact spelling.
    case exact
    /// Loosely, for sources such as the environment that cannot spell all names.
    ///
    /// When sources are merged, a name becomes that name of the other sources which differs from it only in case, `_`
    /// and `-`: `api.base_url` becomes `api.baseURL`. A name that another source spells in the same way stays. A name
    /// that matches several others is an error.
    case loose
}

/// What one load of one source gave: its values, and what the source says of itself.
public struct PropertyLayer: Sendable {
    /// The values, whose keys are kept as they are, dots included. Those of a secret layer are masked as soon as they are in it.
    public var table: PropertyTable {
        get { values }
        set {
            values = newValue
            markSecret()
        }
    }
    var values: PropertyTable
    /// What they came from; nil stands for a source that has the name of the loader's type.
    public var source: PropertySource?
    /// How the tables meet those of earlier sources.
    public var merge: MergeRule
    /// How the names are to be taken.
    public var spelling: NameSpelling
    /// Whether the values are masked in every description.
    public var isSecret: Bool { didSet { markSecret() } }
    /// How placeholders in the values are replaced, or nil where they are not, unless the store does.
    public var placeholders: PropertyPlaceholders?
    /// What the placeholders lead to outside the store.
    var lookups: PlaceholderLookups?
    /// How many nodes of the table have a name of their own, where that was counted.
    var nameCount = 0
    /// Why the keys of a literal cannot be parted at their dots; the layer must then be refused.
    var partingFailure: PropertyLoadError?
    /// The files that were read, by path.
    public var files: [String]
    /// What is not wrong enough to be an error, such as a JSON key that stands twice.
    public var warnings: [PropertyLoadError]

    /// How many tables and arrays may be inside each other: all code that walks them calls itself once a level.
    static let depthLimit = 1024

    /// Makes a layer.
    ///
    /// - Parameters:
    ///   - table: the values.
    ///   - source: what they came from; nil stands for a source that has the name of the loader's type.
    ///   - merge: how the tables meet those of earlier sources.
    ///   - spelling: how the names are to be taken.
    ///   - isSecret: whether the values are masked in every description.
    ///   - files: the files that were read, by path.
    ///   - warnings: what is worth a word but no error.
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
    /// A layer of literal values, without a source of its own.
    ///
    /// A dot in a key parts it into a table and a key in it, at every level: `["api.timeout": 30]` is
    /// `["api": ["timeout": 30]]`. Where two keys lead to one path, the store refuses the layer.
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
    /// Where it comes from and how much it says.
    public var description: String { "\(source?.description ?? "a layer") of \(table.count) keys" }

    /// The description alone.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// How a source's tables meet the tables that earlier sources left.
public enum MergeRule: Sendable, Hashable {
    /// A first-level value replaces the earlier one whole, and what that held is gone.
    case firstLevel
    /// Tables are merged key by key, at every depth; everything else is replaced.
    case deep
}

/// How the names of a source are to be taken.
public enum NameSpelling: Sendable, Hashable {
    /// As they are written.
    case exact
    /// As names from a place that cannot spell all of them, such as the environment.
    ///
    /// When sources are merged, each name becomes the one of the other sources that differs from it by case, `_` and
    /// `-` alone: `api.base_url` becomes `api.baseURL`. A name that is there as it is written stays; one that fits
    /// several others is an error.
    case loose
}

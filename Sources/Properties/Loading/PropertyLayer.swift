/// The result of loading a source: its values, and how the store handles them.
public struct PropertyLayer: Sendable {
    /// The values. Keys may contain dots. If the layer is secret, values that are set are marked as secret.
    public var table: PropertyTable {
        get { values }
        set {
            values = newValue
            markSecret()
        }
    }
    private var values: PropertyTable
    /// The source of the values. If it is nil, the store uses a source with the name of the loader's type.
    public var source: PropertySource?
    /// How tables are merged with tables of earlier sources.
    public var merge: MergeRule
    /// How names are matched with names of other sources.
    public var spelling: NameSpelling
    /// Whether the values are masked in every description.
    public var isSecret: Bool { didSet { markSecret() } }
    /// How placeholders in the values are replaced. If it is nil, the rules of the store are used.
    public var placeholders: PropertyPlaceholders?
    /// Whether this is an environment without a prefix, in which most names belong to other programs. Only its known
    /// names are loaded. Each of its keys is a whole name, which has not been split at dots.
    package var mayBeForeign = false
    /// The files whose whole text is a value, by the names of their sources, and whether that text is blank.
    package var texts: [PropertyKey: Bool] = [:]
    /// Whether this is an environment or a `.env` file without a prefix, so that other programs may read its variables,
    /// too. Text in place of a declared table belongs to one of them, unless it is JSON, and so do names that nothing
    /// declares or reads.
    package var hasNoPrefix = false
    /// Whether the source does not exist, and its loader allows that.
    package var isAbsent = false
    /// Returns how the source would set a property, for the advice about a missing property: "in config.toml", "as
    /// APP_PORT". It returns nil if the source cannot set the property. If there is no function, the advice names the
    /// source.
    ///
    /// The parameters are the flat name, and whether it is declared, so that relaxed spellings of it are understood.
    public var howToSet: (@Sendable (_ name: String, _ isDeclared: Bool) -> String?)?
    /// Returns why the source does not set a property, or its declared variable: "APP_PORT is empty, so unset". Nil if
    /// there is no such reason.
    package var unset: (@Sendable (_ name: String, _ variable: String?) -> String?)?
    /// Finds variables by their whole names, in a source of variables. Nil in all other sources.
    package var variables: VariableLookup?
    /// The options of the program itself in a source of arguments. They are not properties.
    package var options: [String] = []
    /// Where its values are, for the advice on where to put a missing secret.
    package var medium = Medium.file
    package enum Medium: Sendable { case file, variables, arguments }
    /// The error that occurred when the keys of a dictionary literal were split at their dots. The store throws it when
    /// it applies the layer.
    package var splitFailure: PropertyLoadError?
    /// The files that were read, by path.
    public var files: [String]
    /// Likely mistakes that are not errors, such as a JSON key that occurs twice.
    public var warnings: [PropertyLoadError]
    /// Text that the loader accepts and other programs may not, such as a trailing comma in JSON. A service does not
    /// report it; the command `properties check` does.
    package var remarks: [PropertyLoadError] = []
    /// The reason why these are older values of the source; nil if the source was read.
    ///
    /// A loader that falls back to a copy, such as a file of the last good values, sets it. It is one of the warnings of
    /// the store, and `StoreStatus` has it as the last failure of the source.
    public var outage: PropertyLoadError?
    /// Is called when a state with this layer has passed all checks and was published, with no lock held.
    package var onPublish: (@Sendable () -> Void)?

    /// Creates a layer.
    ///
    /// - Parameters:
    ///   - table: the values.
    ///   - source: the source of the values. If it is nil, the store uses a source with the name of the loader's type.
    ///   - merge: how tables are merged with tables of earlier sources.
    ///   - spelling: how names are matched with names of other sources.
    ///   - isSecret: whether the values are masked in every description.
    ///   - files: the files that were read, by path.
    ///   - warnings: likely mistakes that are not errors.
    public init(
        _ table: PropertyTable, source: PropertySource? = nil, merge: MergeRule = .deep,
        spelling: NameSpelling = .exact, isSecret: Bool = false, files: [String] = [],
        warnings: [PropertyLoadError] = []
    ) {
        (values, self.source, self.merge, self.spelling) = (table, source, merge, spelling)
        (self.isSecret, self.files, self.warnings) = (isSecret, files, warnings)
        markSecret()
    }

    /// Removes the values, and returns them.
    mutating func takeValues() -> PropertyTable {
        let taken = values
        values = PropertyTable()
        return taken
    }

    /// If the layer is secret, replaces the sources of all its values, warnings and remarks by secret copies.
    mutating func markSecret() {
        guard isSecret else { return }
        var marker = SecretMarker(outer: source)
        values = marker.table(values, levels: PropertyTable.depthLimit)
        warnings = warnings.map { $0.redacted(by: &marker) }
        remarks = remarks.map { $0.redacted(by: &marker) }
        outage = outage.map { $0.redacted(by: &marker) }
        source = source.map { marker.source($0) }
    }
}

extension PropertyLayer: ExpressibleByDictionaryLiteral {
    /// Creates a layer from a dictionary literal, without a source of its own.
    ///
    /// A key with dots is split into the keys of nested tables, at every level.
    ///
    /// `["api.timeout": 30]` becomes `["api": ["timeout": 30]]`. If two keys result in the same path, the store refuses
    /// the layer.
    public init(dictionaryLiteral elements: (String, PropertyValue)...) {
        let table = PropertyTable(elements)
        do throws(PropertyLoadError) {
            self.init(try table.splitAtDots(), spelling: .flat)
        } catch {
            self.init(table, spelling: .flat)
            splitFailure = error
        }
    }
}

extension PropertyLayer: DescriptionOnly {
    /// The source and the number of keys at the first level.
    public var description: String { "\(source?.description ?? "a layer") of \(table.count) keys" }
}

/// Finds variables by their whole names, whatever the prefix of the source.
package struct VariableLookup: Sendable {
    /// Returns the value of a variable, or nil if it is not set.
    let find: @Sendable (_ name: String) -> PropertyNode?
    /// Returns how a variable is set, for the advice about a missing setting: "as PORT".
    let howToSet: @Sendable (_ name: String) -> String

    package init(
        howToSet: @escaping @Sendable (_ name: String) -> String,
        find: @escaping @Sendable (_ name: String) -> PropertyNode?
    ) {
        (self.howToSet, self.find) = (howToSet, find)
    }
}

/// How the tables of a source are merged with tables of earlier sources.
public enum MergeRule: Sendable, Hashable {
    /// A value at the first level replaces the earlier value of the same key, including everything in it.
    case firstLevel
    /// Tables are merged key by key at every depth. All other values are replaced.
    case deep
}

/// How the names of a source are matched with names of other sources.
public enum NameSpelling: Sendable, Hashable {
    /// The source has tables, such as JSON. A dot in a key of the first level separates two levels. Other keys with
    /// dots stay as they are.
    case exact
    /// The source has flat names, which have been split at their dots. If another source has a name at a path with dots
    /// in its keys, the name takes that path.
    case flat
    /// Flat names that people type, for sources that cannot express some names, such as the environment.
    ///
    /// The loader removes the prefix of a variable and the dashes of an argument. In a variable, it also turns each `__`
    /// between two words into a dot: the name of `APP_API__BASE_URL` is `api.base_url` here.
    ///
    /// Before sources are merged, a name that is not known as it is takes the spelling of the known name that has the
    /// same letters, whatever their case. Known names are those in sources of another kind, and the declared names.
    /// Each dot of it must be a dot of the known name. A `_` or `-` may be anywhere, also in place of a dot. So
    /// `API_BASE_URL`, `API__BASE_URL`, `APIBASEURL` and `--api-base-url` all set `api.baseURL`. If several known names
    /// have the same letters, that is an error.
    case relaxed
}

public import Properties

/// Loads the stored properties of a Swift value, by reflection.
///
///     struct AppConfig {
///         struct API { let baseURL = "https://api.example.com", timeout = 30 }
///         let api = API()
///     }
///     try container.applyPropertyLoader(StructPropertyLoader(AppConfig()))     // api.baseURL, api.timeout
///
/// A struct, a class (with the properties of its superclasses), a tuple and a dictionary with string keys become tables.
/// Everything else is one value and reads back as its own type: the types of the standard library and Foundation, enums,
/// `RawRepresentable` types, sets, and every array with an element that is not a plain value, such as an array of structs.
/// A closure reads back from an array or a dictionary; reflection cannot read one that is a stored property.
///
/// A dot in a dictionary's key separates a table and a key in it: `["api.timeout": 30]` is `["api": ["timeout": 30]]`. Two
/// keys with the same path are an error.
///
/// A nil optional is skipped, and so is a lazy property that has not been read. A wrapped property has its own name and
/// the wrapper's stored `wrappedValue`. The mirror of a `CustomReflectable` type decides which properties it has.
public struct StructPropertyLoader: PropertyLoader, NamedSource {
    private let instance: OpaqueValue
    private let name: String
    private let identity: String?
    private let merge: MergeRule
    private let limits: ReflectionLimits

    /// Makes a loader of a `Sendable` value.
    ///
    /// Reflection takes no lock: a class that protects its state with one must not change while it is loaded.
    ///
    /// - Parameters:
    ///   - instance: a struct, a class, a tuple or a dictionary with string keys; each load reads it again.
    ///   - name: the name for messages; another value of this name replaces this one in a store. By default messages show
    ///     the name of the type, and the value is a new source each time that it is applied.
    ///   - merge: how its tables are merged into those of earlier sources.
    ///   - limits: the limits on its depth and its number of values.
    public init(
        _ instance: some Sendable, name: String? = nil, merge: MergeRule = .deep,
        limits: ReflectionLimits = ReflectionLimits()
    ) {
        self.init(OpaqueValue(instance), name: name, merge: merge, limits: limits)
    }

    /// Makes a loader of a value that need not be `Sendable`.
    ///
    /// The caller must ensure that nothing changes the value, or what it refers to, while the loader or a store holds it.
    ///
    /// - Parameters:
    ///   - instance: a struct, a class, a tuple or a dictionary with string keys; each load reads it again.
    ///   - name: the name for messages; another value of this name replaces this one in a store. By default messages show
    ///     the name of the type, and the value is a new source each time that it is applied.
    ///   - merge: how its tables are merged into those of earlier sources.
    ///   - limits: the limits on its depth and its number of values.
    public init(
        unchecked instance: Any, name: String? = nil, merge: MergeRule = .deep,
        limits: ReflectionLimits = ReflectionLimits()
    ) {
        self.init(OpaqueValue(unchecked: instance), name: name, merge: merge, limits: limits)
    }

    private init(_ instance: OpaqueValue, name: String?, merge: MergeRule, limits: ReflectionLimits) {
        self.instance = instance
        self.name = name ?? String(describing: type(of: instance.value))
        identity = name
        self.merge = merge
        self.limits = limits
    }

    package var sourceName: String { name }

    /// Reads the stored properties.
    ///
    /// - Returns: a table of them. Origins show the property's path: `AppConfig api.timeout`.
    /// - Throws: a `PropertyLoadError` if the value is not a table, contains itself, or exceeds a limit.
    public func load() throws -> PropertyLayer {
        var reflector = Reflector(name: name, limits: limits)
        let table = try reflector.table(of: instance.value)
        let source = PropertySource(name: name, identity: identity, labels: reflector.labels)
        let parted = try table.placed(in: source).parted(depthLimit: limits.depth)
        return PropertyLayer(parted, source: source, merge: merge)
    }
}

/// The limits on a Swift value that is loaded.
public struct ReflectionLimits: Sendable, Hashable {
    /// How deep tables may be nested, 1 to 512. Each level takes some 4 KiB of stack.
    public let depth: Int
    /// The limit on the number of values, array elements included. An instance in two places counts twice.
    public let values: Int

    // A stack of 2 MiB has room for it; a thread on Linux has 8.
    private static let greatestDepth = 512

    /// Makes limits. A number outside its range is clamped to it.
    ///
    /// - Parameters:
    ///   - depth: how deep tables may be nested, 1 to 512; each level takes some 4 KiB of stack.
    ///   - values: the limit on the number of values, array elements included.
    public init(depth: Int = 64, values: Int = 1_000_000) {
        self.depth = min(max(depth, 1), Self.greatestDepth)
        self.values = max(values, 0)
    }
}

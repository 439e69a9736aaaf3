public import Properties

/// Loads the stored properties of a Swift value, by reflection.
///
///     struct AppConfig {
///         struct API { let baseURL = "https://api.example.com", timeout = 30 }
///         let api = API()
///     }
///     try container.applyPropertyLoader(StructPropertyLoader(AppConfig()))     // api.baseURL, api.timeout
///
/// What has properties becomes a table: a struct, a class (with what its superclasses store), a tuple, a dictionary
/// with string keys. Everything else is one value and reads back as its own type: what the standard library and
/// Foundation declare, enums, `RawRepresentable` types, sets, and every array whose elements are no plain values, such as
/// an array of structs. (Closures do so from arrays and dictionaries; Swift's reflection cannot hand over one that is a
/// stored property.)
///
/// A dot in a dictionary's key parts it into a table and a key in it: `["api.timeout": 30]` is `["api": ["timeout": 30]]`.
/// Two keys that lead to one path are an error.
///
/// A nil optional is skipped, and so is a lazy property that nobody has read. A wrapped property has its own name and the
/// wrapper's stored `wrappedValue`. A type decides for itself what it shows where it is `CustomReflectable`.
public struct StructPropertyLoader: PropertyLoader, NamedSource {
    private let instance: OpaqueValue
    private let name: String
    private let identity: String?
    private let merge: MergeRule
    private let limits: ReflectionLimits

    /// Makes a loader of a value that can be shared between threads.
    ///
    /// Reflection takes no lock: a class that guards its state with one must not change while it is loaded.
    ///
    /// - Parameters:
    ///   - instance: a struct, a class, a tuple or a dictionary with string keys; each load reads it anew.
    ///   - name: the name for messages, which also identifies the source when it is applied again; left out, messages show
    ///     the name of its type, and it is a new source each time.
    ///   - merge: how its tables meet those of earlier sources.
    ///   - limits: how much it may ask for.
    public init(
        _ instance: some Sendable, name: String? = nil, merge: MergeRule = .deep,
        limits: ReflectionLimits = ReflectionLimits()
    ) {
        self.init(OpaqueValue(instance), name: name, merge: merge, limits: limits)
    }

    /// Makes a loader of a value whose safety the caller vouches for: nobody changes it, or what it refers to, while the
    /// loader or a store holds it.
    ///
    /// - Parameters:
    ///   - instance: a struct, a class, a tuple or a dictionary with string keys; each load reads it anew.
    ///   - name: the name for messages, which also identifies the source when it is applied again; left out, messages show
    ///     the name of its type, and it is a new source each time.
    ///   - merge: how its tables meet those of earlier sources.
    ///   - limits: how much it may ask for.
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
    /// - Returns: a table of them, whose origins say the property's path: `AppConfig api.timeout`.
    /// - Throws: a `PropertyLoadError` where the value is no table, holds itself, or is over a limit.
    public func load() throws -> PropertyLayer {
        var reflector = Reflector(name: name, limits: limits)
        let table = try reflector.table(of: instance.value)
        let source = PropertySource(name: name, identity: identity, labels: reflector.labels)
        let parted = try table.placed(in: source).parted(depthLimit: limits.depth)
        return PropertyLayer(parted, source: source, merge: merge)
    }
}

/// How much a Swift value may ask of its loader.
public struct ReflectionLimits: Sendable, Hashable {
    /// How many tables may stand inside each other, 1 to 512; each takes some 4 KiB of stack.
    public let depth: Int
    /// The greatest number of values, array elements included. An instance in two places counts twice.
    public let values: Int

    // What a stack of 2 MiB has room for: Linux gives a thread 8.
    private static let greatestDepth = 512

    /// Makes limits. A number out of its range counts as the nearest one in it.
    ///
    /// - Parameters:
    ///   - depth: how many tables may stand inside each other, 1 to 512; each takes some 4 KiB of stack.
    ///   - values: the greatest number of values, array elements included.
    public init(depth: Int = 64, values: Int = 1_000_000) {
        self.depth = min(max(depth, 1), Self.greatestDepth)
        self.values = max(values, 0)
    }
}

public import Properties

/// Loads the stored properties of a Swift value, by reflection.
///
///     struct AppConfig {
///         struct API { let baseURL = "https://api.example.com", timeout = 30 }
///         let api = API()
///     }
///     try container.applyPropertyLoader(StructPropertyLoader(AppConfig()))     // api.baseURL, api.timeout
///
/// A struct, a class (with the properties of its superclasses), a tuple and a dictionary with string keys become
/// tables. `Bool`, integers, `Float`, `Double`, `String`, `Data`, and arrays and dictionaries of these become the same
/// values as from a file. Every other value becomes one value that reads back only as its own type: other types of the
/// standard library and Foundation, enums, `RawRepresentable` types, sets, and every array with another kind of
/// element, such as an array of structs. A closure in an array or a dictionary reads back; one that is a stored
/// property is skipped.
///
/// A dot in a dictionary's key separates a table and a key in it: `["api.timeout": 30]` is `["api": ["timeout": 30]]`.
/// Two keys with the same path are an error.
///
/// A nil optional is skipped, and so is a lazy property that has not been read. A wrapped property has its own name,
/// and its value is the stored `wrappedValue` of the wrapper. If a type is `CustomReflectable`, its mirror determines
/// its properties.
public struct StructPropertyLoader: PropertyLoader, NamedSource {
    private let instance: OpaqueValue
    private let name: String
    private let identity: String?
    private let merge: MergeRule
    private let limits: ReflectionLimits

    /// Creates a loader of a `Sendable` value.
    ///
    /// Reflection takes no lock. If a class protects its state by a lock, its instances must not change while they are
    /// loaded.
    ///
    /// - Parameters:
    ///   - instance: a struct, a class, a tuple or a dictionary with string keys. Each load reads it again.
    ///   - name: the name for messages. If another value of this name is applied to a store, it replaces this one. By
    ///     default messages show the name of the type, and applying the loader again adds a new source.
    ///   - merge: the rule for merging its tables into those of earlier sources.
    ///   - limits: the limits on the depth and the number of values.
    public init(
        _ instance: some Sendable, name: String? = nil, merge: MergeRule = .deep,
        limits: ReflectionLimits = ReflectionLimits()
    ) {
        self.init(OpaqueValue(instance), name: name, merge: merge, limits: limits)
    }

    /// Creates a loader of a value that need not be `Sendable`.
    ///
    /// The caller must ensure that nothing changes the value, or what it refers to, while the loader or a store holds
    /// it.
    ///
    /// - Parameters:
    ///   - instance: a struct, a class, a tuple or a dictionary with string keys. Each load reads it again.
    ///   - name: the name for messages. If another value of this name is applied to a store, it replaces this one. By
    ///     default messages show the name of the type, and applying the loader again adds a new source.
    ///   - merge: the rule for merging its tables into those of earlier sources.
    ///   - limits: the limits on the depth and the number of values.
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
    /// - Returns: the properties. Their origins have the form `AppConfig api.timeout`: a name and a path.
    /// - Throws: a `PropertyLoadError` if the value does not become a table, contains itself, or exceeds a limit.
    public func load() throws -> PropertyLayer {
        var reflector = Reflector(name: name, limits: limits)
        let table = try reflector.table(of: instance.value)
        let source = PropertySource(name: name, identity: identity, labels: reflector.labels)
        let parted = try table.placed(in: source).parted(depthLimit: limits.depth)
        return PropertyLayer(parted, source: source, merge: merge, spelling: .flat)
    }
}

/// The limits on a Swift value that is loaded.
public struct ReflectionLimits: Sendable, Hashable {
    /// The maximum depth of nested tables, 1 to 512. Each level needs about 4 KiB of stack.
    public let depth: Int
    /// The maximum number of values, array elements included. An instance in two places counts twice.
    public let values: Int

    // 512 levels of 4 KiB fit on a stack of 2 MiB. A thread on Linux has 8 MiB.
    private static let greatestDepth = 512

    /// Creates limits. A number outside of its range is clamped to it.
    ///
    /// - Parameters:
    ///   - depth: the maximum depth of nested tables, 1 to 512. Each level needs about 4 KiB of stack.
    ///   - values: the maximum number of values, array elements included.
    public init(depth: Int = 64, values: Int = 1_000_000) {
        self.depth = min(max(depth, 1), Self.greatestDepth)
        self.values = max(values, 0)
    }
}

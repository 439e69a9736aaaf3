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
/// values as from a file. Every other value becomes one value that reads back only as its own type. These are other
/// types of the standard library and Foundation, enums, `RawRepresentable` types, sets, and every array with another
/// kind of element, such as an array of structs. A closure in an array or a dictionary reads back. A closure in a
/// stored property is skipped.
///
/// A dot in a dictionary's key separates a table and a key in it: `["api.timeout": 30]` is `["api": ["timeout": 30]]`.
/// Two keys with the same path are an error.
///
/// A nil optional is skipped, and so is a lazy property that has not been read. A wrapped property has its own name,
/// and its value is the stored `wrappedValue` of the wrapper. If a type is `CustomReflectable`, its mirror determines
/// its properties.
///
/// Tables may be nested 64 levels deep, and there may be 50,000 values, array elements included.
public struct StructPropertyLoader: PropertyLoader, NamedSource {
    private let instance: OpaqueValue
    private let name: String
    private let identity: String?

    /// Creates a loader of a `Sendable` value.
    ///
    /// Reflection takes no lock. If a class protects its state by a lock, its instances must not change while they are
    /// loaded.
    ///
    /// - Parameters:
    ///   - instance: a struct, a class, a tuple or a dictionary with string keys. Each load reads it again.
    ///   - name: the name for messages. A later value of this name replaces this value in a store. By default messages
    ///     show the name of the type, and applying the loader again adds a new source.
    public init(_ instance: some Sendable, name: String? = nil) {
        self.init(OpaqueValue(instance), name: name)
    }

    /// Creates a loader of a value that need not be `Sendable`.
    ///
    /// The caller must ensure that nothing changes the value, or what it refers to, while the loader or a store holds
    /// it.
    ///
    /// - Parameters:
    ///   - instance: a struct, a class, a tuple or a dictionary with string keys. Each load reads it again.
    ///   - name: the name for messages. A later value of this name replaces this value in a store. By default messages
    ///     show the name of the type, and applying the loader again adds a new source.
    public init(unchecked instance: Any, name: String? = nil) {
        self.init(OpaqueValue(unchecked: instance), name: name)
    }

    private init(_ instance: OpaqueValue, name: String?) {
        self.instance = instance
        self.name = name ?? String(describing: type(of: instance.value))
        identity = name
    }

    package var sourceName: String { name }

    /// Reads the stored properties.
    ///
    /// - Returns: the properties. Their origins have the form `AppConfig api.timeout`: a name and a path.
    /// - Throws: a `PropertyLoadError` if the value does not become a table, contains itself, or exceeds a limit.
    public func load() throws -> PropertyLayer {
        var reflector = Reflector(name: name, identity: identity)
        let table = try reflector.table(of: instance.value).splitAtDots(depthLimit: Reflector.depthLimit)
        var layer = PropertyLayer(table, source: PropertySource(name: name, identity: identity), spelling: .flat)
        // Its values are set in the program.
        layer.howToSet = { _, _ in nil }
        return layer
    }
}

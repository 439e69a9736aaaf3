import SharedState
import Synchronization

/// The form of a declared value: how it contains other values.
indirect enum Form: Sendable {
    /// A table of settings.
    case table(SchemaReference)
    /// A value that may be absent.
    case optional(Form)
    case array(Form)
    /// A table with keys of any name, and the type of these keys.
    case dictionary(Form, keys: Any.Type)
    /// A value without declarations inside it.
    case value(Any.Type)

    /// Finds the form of a type.
    init(of type: Any.Type) {
        switch type {
        // A metatype is tested, because a cast of a value looks into an optional.
        case let settings as any Settings.Type: self = .table(.of(settings))
        case let container as any ContainerType.Type: self = container.form
        default: self = .value(type)
        }
    }

    /// The form without the optionals around it.
    var unwrapped: Form {
        if case .optional(let form) = self { form.unwrapped } else { self }
    }

    /// Whether it is a list, which has the elements of all values of a repeated argument.
    var isList: Bool {
        if case .array = unwrapped { true } else { false }
    }

    /// Whether a settings type is in it.
    var hasSettings: Bool {
        switch self {
        case .table: true
        case .optional(let form), .array(let form), .dictionary(let form, _): form.hasSettings
        case .value: false
        }
    }

    /// The schemas of the tables in it, without those in their settings.
    var references: [SchemaReference] {
        switch self {
        case .table(let reference): [reference]
        case .optional(let form), .array(let form), .dictionary(let form, _): form.references
        case .value: []
        }
    }

    /// Whether a setting inside it is secret.
    var holdsSecret: Bool { references.contains { $0.schema.attributes.holdsSecret } }

    /// Whether a setting inside it needs a restart.
    var needsRestart: Bool { references.contains { $0.schema.attributes.needsRestart } }
}

/// A type whose values contain values of another type.
protocol ContainerType {
    static var form: Form { get }
    /// The value without contents.
    static var empty: Self { get }
    /// Returns a value that contains one other value, or an empty one if that cannot be made.
    static func containing(_ value: (Any.Type) throws -> Any) throws -> Self
}

extension Optional: ContainerType {
    static var form: Form { .optional(Form(of: Wrapped.self)) }
    static var empty: Self { nil }
    static func containing(_ value: (Any.Type) throws -> Any) throws -> Self { try value(Wrapped.self) as? Wrapped }
}

extension Array: ContainerType {
    static var form: Form { .array(Form(of: Element.self)) }
    static var empty: Self { [] }
    static func containing(_ value: (Any.Type) throws -> Any) throws -> Self {
        [try value(Element.self) as? Element].compactMap(\.self)
    }
}

extension Set: ContainerType {
    static var form: Form { .array(Form(of: Element.self)) }
    static var empty: Self { [] }
    static func containing(_ value: (Any.Type) throws -> Any) throws -> Self {
        Set([try value(Element.self) as? Element].compactMap(\.self))
    }
}

extension Dictionary: ContainerType {
    static var form: Form { .dictionary(Form(of: Value.self), keys: Key.self) }
    static var empty: Self { [:] }
    static func containing(_ value: (Any.Type) throws -> Any) throws -> Self {
        guard let key = "" as? Key, let value = try value(Value.self) as? Value else { return [:] }
        return [key: value]
    }
}

/// Refers to a schema, which is made when it is first asked for. So a settings type may contain itself.
final class SchemaReference: Sendable {
    private let made = AtomicLazyReference<SettingsSchema>()
    private let make: @Sendable () -> SettingsSchema

    init(_ make: @escaping @Sendable () -> SettingsSchema) { self.make = make }

    /// Refers to a schema that is known already.
    convenience init(_ schema: SettingsSchema) { self.init { schema } }

    // Made without a lock, because it runs the initializer of the type.
    var schema: SettingsSchema { made.load() ?? made.storeIfNil(make()) }

    /// The references to all types that were declared or decoded in this process. They are never freed, like the
    /// metadata of the types.
    private static let cache = Guarded<[ObjectIdentifier: SchemaReference]>([:])

    /// Returns the reference to the schema of a type with the defaults of the type. A type that cannot be a settings
    /// type ends the process when the schema is made.
    static func of(_ type: any Settings.Type) -> SchemaReference {
        cache.withLock { cache in
            let key = ObjectIdentifier(type)
            if let known = cache[key] { return known }
            let new = SchemaReference { SettingsSchema(type) }
            cache[key] = new
            return new
        }
    }
}

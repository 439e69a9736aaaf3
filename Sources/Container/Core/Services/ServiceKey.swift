/// A name that distinguishes registrations of the same type, or no name.
///
///     extension Qualifier {
///         static let replica: Qualifier = "replica"
///     }
///
/// The parameter `name` of `register` and `resolve` is the same name as a `String?`.
public struct Qualifier: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The qualifier of a registration that has no name.
    public static let `default` = Qualifier(name: nil)

    /// The name, or nil for the default qualifier.
    public let name: String?

    /// Creates a qualifier.
    ///
    /// - Parameter name: the case-sensitive name, or nil for the default qualifier.
    public init(name: String?) { self.name = name }

    /// Creates a qualifier from a string literal, which is its name.
    public init(stringLiteral value: String) { self.init(name: value) }

    /// The name in quotation marks, or `default`.
    public var description: String { name.map { "\"\($0)\"" } ?? "default" }
}

/// The key of a registration: its service type, the types of its runtime arguments, and its qualifier.
@usableFromInline
package struct ServiceKey: Hashable, Sendable {
    package let service: Any.Type
    /// `Void` for a factory without runtime arguments, the type of the argument if there is one, and otherwise the tuple
    /// of their types.
    let arguments: Any.Type
    let qualifier: Qualifier

    @usableFromInline
    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(service))
        if let name = qualifier.name { hasher.combine(name) }
    }

    /// Converts between the services of this key's registration and their stored form.
    var cast: any ServiceCast.Type {
        if let product = arguments as? any ServiceCast.Type { return product }
        func cast<Service>(of type: Service.Type) -> any ServiceCast.Type { Cast<Service>.self }
        return cast(of: service)
    }

    /// Returns the service that an instance of this key's registration stores.
    func value(in instance: StoredInstance) -> Any {
        if let product = arguments as? any ServiceCast.Type { return product.value(in: instance) }
        func value<Service>(as type: Service.Type) -> Any { instance.service(as: type) }
        return value(as: service)
    }

    /// Whether the key is hidden: no caller can resolve the service by it.
    var isHidden: Bool { arguments is any ServiceCast.Type }

    var hasNoArguments: Bool { ObjectIdentifier(arguments) == ObjectIdentifier(Void.self) }

    func hasService(of other: ServiceKey) -> Bool {
        ObjectIdentifier(service) == ObjectIdentifier(other.service) && qualifier == other.qualifier
    }

    @usableFromInline
    package static func == (one: ServiceKey, other: ServiceKey) -> Bool {
        one.hasService(of: other) && ObjectIdentifier(one.arguments) == ObjectIdentifier(other.arguments)
    }
}

extension ServiceKey {
    /// Creates the key of a service without runtime arguments.
    @usableFromInline
    init(_ service: Any.Type, _ name: String?) {
        self.init(service: service, arguments: Void.self, qualifier: Qualifier(name: name))
    }

    /// Creates a hidden key: the key of the registration that builds a service which callers resolve only by other
    /// types. It is derived from one of these types.
    init(hiding product: any ServiceCast.Type, for type: Any.Type, _ qualifier: Qualifier) {
        self.init(service: type, arguments: product, qualifier: qualifier)
    }
}

// MARK: - Names

extension ServiceKey: CustomStringConvertible {
    /// The type, followed by the qualifier unless it is the default qualifier.
    @usableFromInline
    package var description: String { qualifier == .default ? "\(service)" : "\(service) \(qualifier)" }

    /// The key by which callers resolve the service of a hidden key.
    var visible: ServiceKey {
        isHidden ? ServiceKey(service: service, arguments: Void.self, qualifier: qualifier) : self
    }

    /// Returns the types of arguments in parentheses, such as `(Int, String)`.
    static func argumentList(_ list: String) -> String {
        list.hasPrefix("(") && list.hasSuffix(")") ? list : "(\(list))"
    }

    /// Whether the name of one type begins or ends with the name of the other, as with `SystemClock` and `any Clock`,
    /// so that a caller may have confused them.
    func resembles(_ other: ServiceKey) -> Bool {
        let (one, two) = (plainName, other.plainName)
        let (short, long) = one.count < two.count ? (one, two) : (two, one)
        return long.hasPrefix(short) || long.hasSuffix(short)
    }

    /// The last word of the type's name, without `any`.
    private var plainName: Substring { "\(service)".split(separator: " ").last ?? "" }
}

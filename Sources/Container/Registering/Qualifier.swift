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

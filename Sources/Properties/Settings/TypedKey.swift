/// A property's name with its type, default, check and other attributes, declared once.
///
///     enum Keys {
///         static let port = TypedKey("server.port", default: 8080, in: 1...65535, expected: "a port")
///     }
///     let port = r.property(Keys.port)
///
/// A key that is stored is made once. A computed property makes it at each read.
public struct TypedKey<Value: Sendable>: Sendable {
    /// The flat name.
    public let key: PropertyKey
    @usableFromInline let rule: KeyRule<Value>
    /// The value to use if the property is missing, or nil.
    public var defaultValue: Value? { rule.defaultValue }
    /// Whether the value is secret. It is masked in the errors of reads by this key, and everywhere in a store that
    /// declares the key.
    public var isSecret: Bool { rule.isSecret }

    /// Declares a key.
    ///
    /// - Parameters:
    ///   - name: the flat name: the path's elements joined with dots.
    ///   - default: the value to use if the property is missing. It is not used if the value is wrong.
    ///   - isSecret: whether the value is masked in every description, dump and error.
    ///   - summary: the purpose of the property.
    ///   - expected: the noun for "expected …" in messages; by default the name of the type.
    ///   - check: returns whether a value of the type is valid.
    ///   - expecting: returns nil for a valid value, and otherwise the expected value, as a noun: "a power of two". The
    ///     limits of a range are added. The noun must not quote the value.
    public init(
        _ name: String, default: Value, isSecret: Bool = false, summary: String? = nil, expected: String? = nil,
        check: (@Sendable (Value) -> Bool)? = nil, expecting: (@Sendable (Value) -> String?)? = nil
    ) {
        key = PropertyKey(name)
        rule = KeyRule(
            RuleAttributes(isSecret: isSecret, summary: summary, expected: expected), default: `default`, check: check,
            expecting: expecting)
    }

    /// Declares a key that a source must have.
    ///
    /// - Parameters:
    ///   - name: the flat name: the path's elements joined with dots.
    ///   - isSecret: whether the value is masked in every description, dump and error.
    ///   - summary: the purpose of the property.
    ///   - expected: the noun for "expected …" in messages; by default the name of the type.
    ///   - check: returns whether a value of the type is valid.
    ///   - expecting: returns nil for a valid value, and otherwise the expected value, as a noun: "a power of two". The
    ///     limits of a range are added. The noun must not quote the value.
    public init(
        _ name: String, isSecret: Bool = false, summary: String? = nil, expected: String? = nil,
        check: (@Sendable (Value) -> Bool)? = nil, expecting: (@Sendable (Value) -> String?)? = nil
    ) {
        key = PropertyKey(name)
        rule = KeyRule(
            RuleAttributes(isSecret: isSecret, summary: summary, expected: expected), check: check, expecting: expecting
        )
    }

    init(_ key: PropertyKey, _ rule: KeyRule<Value>) { (self.key, self.rule) = (key, rule) }

    /// The noun for the valid values.
    var noun: String { rule.noun }
}

extension TypedKey where Value: Comparable {
    /// Declares a key whose values are in a range.
    ///
    ///     TypedKey("server.port", default: 8080, in: 1...65535, expected: "a port")
    ///
    /// - Parameters:
    ///   - name: the flat name: the path's elements joined with dots.
    ///   - default: the value to use if the property is missing. It is not used if the value is wrong.
    ///   - range: the valid values.
    ///   - isSecret: whether the value is masked in every description, dump and error.
    ///   - summary: the purpose of the property.
    ///   - expected: the noun for "expected …" in messages, to which the limits are added; by default the name of the
    ///     type.
    ///   - check: returns whether a value in the range is valid.
    ///   - expecting: returns nil for a valid value, and otherwise the expected value, as a noun: "a power of two". The
    ///     limits of a range are added. The noun must not quote the value.
    public init(
        _ name: String, default: Value, in range: some RangeExpression<Value> & Sendable,
        isSecret: Bool = false, summary: String? = nil, expected: String? = nil,
        check: (@Sendable (Value) -> Bool)? = nil, expecting: (@Sendable (Value) -> String?)? = nil
    ) {
        key = PropertyKey(name)
        rule = KeyRule(
            RuleAttributes(isSecret: isSecret, summary: summary, expected: expected, bounds: KeyBounds(range)),
            default: `default`, check: { range.contains($0) && check?($0) ?? true }, expecting: expecting)
    }

    /// Declares a key that a source must have, whose values are in a range.
    ///
    /// - Parameters:
    ///   - name: the flat name: the path's elements joined with dots.
    ///   - range: the valid values.
    ///   - isSecret: whether the value is masked in every description, dump and error.
    ///   - summary: the purpose of the property.
    ///   - expected: the noun for "expected …" in messages, to which the limits are added; by default the name of the
    ///     type.
    ///   - check: returns whether a value in the range is valid.
    ///   - expecting: returns nil for a valid value, and otherwise the expected value, as a noun: "a power of two". The
    ///     limits of a range are added. The noun must not quote the value.
    public init(
        _ name: String, in range: some RangeExpression<Value> & Sendable, isSecret: Bool = false,
        summary: String? = nil, expected: String? = nil, check: (@Sendable (Value) -> Bool)? = nil,
        expecting: (@Sendable (Value) -> String?)? = nil
    ) {
        key = PropertyKey(name)
        rule = KeyRule(
            RuleAttributes(isSecret: isSecret, summary: summary, expected: expected, bounds: KeyBounds(range)),
            check: { range.contains($0) && check?($0) ?? true }, expecting: expecting)
    }
}

// MARK: - Text

extension TypedKey: DescriptionOnly {
    /// `server.port: a port from 1 to 65535, 8080 by default`, with the default of a secret masked.
    public var description: String {
        let fallback = defaultValue.map { ", \(isSecret ? ValueText.mask : URLSecrets.masked("\($0)")) by default" }
        return "\(key): \(noun)\(fallback ?? "")"
    }
}

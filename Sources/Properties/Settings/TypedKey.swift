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
    let rule: KeyRule<Value>
    /// The value to use if the property is missing, or nil.
    public var defaultValue: Value? { rule.defaultValue }
    /// Whether the value is secret. It is masked in the errors of reads by this key, and everywhere in a store in which
    /// the key is declared.
    public var isSecret: Bool { rule.isSecret }

    /// Declares a key.
    ///
    /// - Parameters:
    ///   - name: the flat name: the path's elements joined with dots.
    ///   - default: the value to use if the property is missing. It is not used if the value is wrong.
    ///   - isSecret: whether the value is masked in every description, dump and error.
    ///   - summary: what the property is for.
    ///   - expected: the noun for "expected …" in messages; by default the name of the type.
    ///   - check: returns whether a value of the type is valid.
    public init(
        _ name: String, default: Value? = nil, isSecret: Bool = false, summary: String? = nil, expected: String? = nil,
        check: (@Sendable (Value) -> Bool)? = nil
    ) {
        key = PropertyKey(name)
        rule = KeyRule(
            defaultValue: `default`, isSecret: isSecret, summary: summary, expected: expected, check: check)
    }

    init(_ key: PropertyKey, _ rule: KeyRule<Value>) { (self.key, self.rule) = (key, rule) }

    /// Whether the check accepts a value.
    func accepts(_ value: Value) -> Bool { rule.check?(value) ?? true }

    /// Returns the value, or nil if it is missing.
    func read(_ state: MergedState) throws(PropertyError) -> Value? {
        if let cause = state.cause(of: key) {
            // Redacted, because a line of the source may contain the value.
            throw PropertyError(isSecret ? cause.redacted() : cause, at: key.rawValue, expected: noun, state)
        }
        do throws(PropertyError) {
            guard let value = try state.read(key, as: Value.self) else { return nil }
            try rule.convert?(value)
            guard accepts(value) else {
                throw PropertyError(.refused, state.node(key) ?? PropertyNode(nil), expected: noun)
            }
            return value
        } catch {
            let known = error.path.isEmpty ? error.expecting(noun) : error
            throw PropertyError(known, at: key.rawValue, state, isSecret: isSecret)
        }
    }

    /// Returns the value, or the default if it is missing.
    func require(_ state: MergedState) throws(PropertyError) -> Value {
        if let value = try read(state) ?? defaultValue { return value }
        throw PropertyError(missing: key.rawValue, expected: noun, state, isSecret: isSecret)
    }

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
    ///   - summary: what the property is for.
    ///   - expected: the noun for "expected …" in messages, to which the limits are added; by default the name of the
    ///     type.
    public init(
        _ name: String, default: Value? = nil, in range: some RangeExpression<Value> & Sendable,
        isSecret: Bool = false, summary: String? = nil, expected: String? = nil
    ) {
        key = PropertyKey(name)
        rule = KeyRule(
            defaultValue: `default`, isSecret: isSecret, summary: summary, expected: expected, in: range
        ) { range.contains($0) }
    }
}

extension TypedKey<PropertyNode> {
    /// Creates the key of a service of which only the schema is known. It reads the value unchanged.
    ///
    /// - Parameters:
    ///   - name: the flat name.
    ///   - expected: the noun for "expected …" in messages.
    ///   - isRequired: whether a source must have a value.
    ///   - defaultValue: the default, or nil if it is not known.
    ///   - isSecret: whether the value is masked.
    ///   - convert: converts a value as the service does, and throws the error of the conversion.
    package init(
        _ name: String, expected: String, isRequired: Bool, default defaultValue: PropertyValue?, isSecret: Bool,
        convert: @escaping @Sendable (PropertyNode) throws(PropertyError) -> Void
    ) {
        let rule = KeyRule(
            defaultValue: isRequired ? nil : PropertyNode(defaultValue ?? .null), isSecret: isSecret,
            expected: expected, convert: convert)
        self.init(PropertyKey(name), rule)
    }

    /// The same key, which no source must have.
    package var withoutRequirement: TypedKey {
        var rule = rule
        rule.defaultValue = rule.defaultValue ?? PropertyNode(nil)
        return TypedKey(key, rule)
    }
}

extension PropertyReading {
    /// Returns the value of a property, or the key's default if it is missing. Returns nil if the value is wrong, or
    /// missing without a default.
    public func property<Value>(_ key: TypedKey<Value>) -> Value? {
        try? require(key)
    }

    /// Returns the value of a property, or the key's default if it is missing.
    ///
    /// - Parameter key: the property's key.
    /// - Returns: the value or the default.
    /// - Throws: a `PropertyError` if the value is missing and the key has no default, if it has another type, or if
    ///   the check refuses it.
    public func require<Value>(_ key: TypedKey<Value>) throws(PropertyError) -> Value {
        try properties.logging(key.key) { (state) throws(PropertyError) in try key.require(state) }
    }
}

// MARK: - Text

extension TypedKey: CustomStringConvertible, CustomReflectable {
    /// `server.port: a port from 1 to 65535, 8080 by default`, with the default of a secret masked.
    public var description: String {
        let fallback = defaultValue.map { ", \(isSecret ? ValueText.mask : "\($0)") by default" }
        return "\(key): \(noun)\(fallback ?? "")"
    }

    /// Contains only the description, because a dump of the stored properties would show the default of a secret.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

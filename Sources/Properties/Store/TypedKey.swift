/// A property's name with its type, default, check and other attributes, declared once.
///
///     extension TypedKey<Int> {
///         static var port: Self { TypedKey("server.port", default: 8080, in: 1...65535, expected: "a port") }
///     }
///     let port = r.property(.port)
public struct TypedKey<Value: Sendable>: Sendable {
    /// The flat name.
    public let key: PropertyKey
    let rule: KeyRule<Value>
    /// The value to use if the property is missing, or nil.
    public var defaultValue: Value? { rule.defaultValue }
    /// The unit of a number, such as "seconds", or nil.
    public var unit: String? { rule.unit }
    /// Whether the value is secret. It is masked in the errors of reads by this key, and everywhere in a store in which
    /// the key is declared.
    public var isSecret: Bool { rule.isSecret }
    /// What the property is for, for the people who run the service.
    public var summary: String? { rule.summary }

    /// Declares a key.
    ///
    /// - Parameters:
    ///   - name: the flat name: the path's elements joined with dots.
    ///   - default: the value to use if the property is missing. It is not used if the value is wrong.
    ///   - unit: the unit of a number, in the plural, such as "seconds".
    ///   - isSecret: whether the value is masked in every description, dump and error.
    ///   - summary: what the property is for.
    ///   - expected: the noun for "expected …" in messages; by default the name of the type.
    ///   - check: returns whether a value of the type is valid.
    public init(
        _ name: String, default: Value? = nil, unit: String? = nil, isSecret: Bool = false, summary: String? = nil,
        expected: String? = nil, check: (@Sendable (Value) -> Bool)? = nil
    ) {
        key = PropertyKey(name)
        rule = KeyRule(
            defaultValue: `default`, unit: unit, isSecret: isSecret, summary: summary, expected: expected, check: check)
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

    /// Returns the errors about keys in the elements of the value that are not settings.
    func unknownKeys(in state: MergedState) -> [PropertyError] {
        guard let node = state.node(key), let elements = rule.elements else { return [] }
        return elements.unknownKeys(inElementsOf: node, at: key.rawValue).map { unknown in
            // Elements of an array that a loader created from literals have no source.
            let origin = unknown.origin.source.isUnknown ? node.origin : unknown.origin
            return PropertyError(unknown: unknown.name, at: origin, unknown.candidates, state)
        }
    }

    /// Returns the value, or the default if it is missing.
    func require(_ state: MergedState) throws(PropertyError) -> Value {
        if let value = try read(state) ?? defaultValue { return value }
        throw PropertyError(missing: key.rawValue, expected: noun, state, isSecret: isSecret)
    }

    /// The attributes that all declarations of a setting must have.
    var identity: KeyIdentity {
        KeyIdentity(
            type: ObjectIdentifier(Value.self), expected: noun, isRequired: defaultValue == nil, isSecret: isSecret)
    }

    /// The noun for the valid values, with the unit.
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
    ///   - unit: the unit of a number, in the plural, such as "seconds".
    ///   - isSecret: whether the value is masked in every description, dump and error.
    ///   - summary: what the property is for.
    ///   - expected: the noun for "expected …" in messages, to which the limits are added; by default the name of the
    ///     type.
    public init(
        _ name: String, default: Value? = nil, in range: some RangeExpression<Value> & Sendable, unit: String? = nil,
        isSecret: Bool = false, summary: String? = nil, expected: String? = nil
    ) {
        key = PropertyKey(name)
        rule = KeyRule(
            defaultValue: `default`, unit: unit, isSecret: isSecret, summary: summary, expected: expected,
            in: range
        ) { range.contains($0) }
    }
}

extension PropertyReading {
    /// Returns the value of a property, or the key's default if it is missing. Returns nil if the value is wrong, or
    /// missing without a default.
    public func property<Value>(_ key: TypedKey<Value>) -> Value? {
        try? require(key)
    }

    /// Returns the value of a property, or a default if it is missing. A wrong value is an error.
    ///
    /// - Parameters:
    ///   - key: the property's key. Its own default is not used.
    ///   - default: the value to use if the property is missing.
    /// - Returns: the value or the default.
    /// - Throws: a `PropertyError` if the value has another type, or if the key's check refuses it.
    public func property<Value>(
        _ key: TypedKey<Value>, default: @autoclosure () -> Value
    ) throws(PropertyError) -> Value {
        try properties.recording(key.key) { (state) throws(PropertyError) in try key.read(state) } ?? `default`()
    }

    /// Returns the value of a property, or the key's default if it is missing.
    ///
    /// - Parameter key: the property's key.
    /// - Returns: the value or the default.
    /// - Throws: a `PropertyError` if the value is missing and the key has no default, if it has another type, or if
    ///   the check refuses it.
    public func require<Value>(_ key: TypedKey<Value>) throws(PropertyError) -> Value {
        try properties.recording(key.key) { (state) throws(PropertyError) in try key.require(state) }
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

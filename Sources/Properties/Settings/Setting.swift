/// A property of a settings type: its type, default, limits and description.
///
/// The initial value of a setting is its default. A setting without an initial value is required, unless its type is an
/// optional.
@propertyWrapper
public struct Setting<Value: Decodable & Sendable>: Sendable {
    @usableFromInline var value: Value?
    @usableFromInline let isSecret: Bool
    /// Returns the declarations of the property, or nil for a setting that was decoded. It is made on demand, because
    /// each value of a settings type, and each decoding, creates all its settings. For the same reason, the
    /// initializers are compiled where they are called, for the type of the value.
    @usableFromInline let rule: (@Sendable () -> KeyRule<Value>)?

    /// The value. Reading a required setting that was never set ends the process.
    public var wrappedValue: Value {
        @inlinable get {
            if let value { return value }
            missing()
        }
        set { value = newValue }
    }

    /// The setting itself, by which a ``SettingsRule`` names it: `\.$port`.
    public var projectedValue: Setting {
        get { self }
        set { self = newValue }
    }

    @usableFromInline
    func missing() -> Never {
        let rule = rule?()
        let summary = rule?.attributes.summary.map { " (\($0))" } ?? ""
        let noun = rule?.noun ?? "a value"
        fatalError("A required setting\(summary) was not set; expected \(noun). Set it where the value is made.")
    }

    // Not in an extension: `@Setting var name: String` finds this initializer only in the type itself.
    /// Declares a setting that a source must have, or a setting of an optional type, which is nil if no source has it.
    ///
    ///     @Setting("Signs the tokens", isSecret: true) var signingKey: String
    ///
    /// - Parameters:
    ///   - summary: the purpose of the setting.
    ///   - unit: the unit of a bare number, for a duration. Text such as `1m30s` has its own units.
    ///   - key: the key, in place of the name of the property.
    ///   - environment: a variable that sets it too, whatever the prefix of the environment, such as `PORT`.
    ///   - formerly: the name that the setting had in an earlier version, which begins at the table of this type: a key,
    ///     or a path such as `http.base_url`. Sources may still use it, with a warning.
    ///   - expected: the noun for "expected …" in messages; by default the name of the type.
    ///   - isSecret: whether the value is masked in every description, dump and error.
    ///   - needsRestart: whether the value at the start of the service is kept until a restart.
    ///   - check: returns whether a value of the type is valid. For an optional type, it gets the optional, and also the nil
    ///     of the default.
    ///   - expecting: returns nil for a valid value, and otherwise the expected value, as a noun: "a power of two". The
    ///     limits of a range are added. The noun must not quote the value.
    @inlinable
    public init(
        _ summary: String? = nil, unit: SettingUnit<Value>? = nil, key: String? = nil, environment: String? = nil,
        formerly: String? = nil, expected: String? = nil, isSecret: Bool = false, needsRestart: Bool = false,
        check: (@Sendable (Value) -> Bool)? = nil, expecting: (@Sendable (Value) -> String?)? = nil
    ) {
        self.init(Self.initial, isSecret: isSecret) {
            KeyRule(
                RuleAttributes(
                    key: key, unit: unit?.unit, variable: environment, formerName: formerly, isSecret: isSecret,
                    needsRestart: needsRestart, summary: summary, expected: expected),
                default: Self.initial, check: check, expecting: expecting)
        }
    }

    /// Creates a setting that was read.
    init(read value: Value?, isSecret: Bool) { (self.value, self.isSecret, rule) = (value, isSecret, nil) }

    @inlinable
    init(_ value: Value?, isSecret: Bool, _ rule: @escaping @Sendable () -> KeyRule<Value>) {
        (self.value, self.isSecret, self.rule) = (value, isSecret, rule)
    }

    /// The value of a setting without an initial value: nil for an optional, and otherwise none.
    @usableFromInline static var initial: Value? { (Value.self as? any OptionalValue.Type)?.nilValue as? Value }
}

// MARK: - Declarations

extension Setting {
    /// Declares a setting with a default.
    ///
    ///     @Setting("The address to listen on") var host = "0.0.0.0"
    ///
    /// - Parameters:
    ///   - wrappedValue: the value if no source has one. It is not used if the value is wrong.
    ///   - summary: the purpose of the setting.
    ///   - unit: the unit of a bare number, for a duration. Text such as `1m30s` has its own units.
    ///   - key: the key, in place of the name of the property.
    ///   - environment: a variable that sets it too, whatever the prefix of the environment, such as `PORT`.
    ///   - formerly: the name that the setting had in an earlier version, which begins at the table of this type: a key,
    ///     or a path such as `http.base_url`. Sources may still use it, with a warning.
    ///   - expected: the noun for "expected …" in messages; by default the name of the type.
    ///   - isSecret: whether the value is masked in every description, dump and error.
    ///   - needsRestart: whether the value at the start of the service is kept until a restart.
    ///   - check: returns whether a value of the type is valid. For an optional type, it gets the optional, and also the nil
    ///     of the default.
    ///   - expecting: returns nil for a valid value, and otherwise the expected value, as a noun: "a power of two". The
    ///     limits of a range are added. The noun must not quote the value.
    @inlinable
    public init(
        wrappedValue: Value, _ summary: String? = nil, unit: SettingUnit<Value>? = nil, key: String? = nil,
        environment: String? = nil, formerly: String? = nil, expected: String? = nil, isSecret: Bool = false,
        needsRestart: Bool = false, check: (@Sendable (Value) -> Bool)? = nil,
        expecting: (@Sendable (Value) -> String?)? = nil
    ) {
        self.init(wrappedValue, isSecret: isSecret) {
            KeyRule(
                RuleAttributes(
                    key: key, unit: unit?.unit, variable: environment, formerName: formerly, isSecret: isSecret,
                    needsRestart: needsRestart, summary: summary, expected: expected),
                default: wrappedValue, check: check, expecting: expecting)
        }
    }

    /// Declares a setting of an optional type whose value, if a source has one, is in a range.
    ///
    ///     @Setting("The most connections", in: 1...) var limit: Int?
    ///
    /// - Parameters:
    ///   - summary: the purpose of the setting.
    ///   - range: the valid values.
    ///   - unit: the unit of a bare number, for a duration. Text such as `1m30s` has its own units.
    ///   - key: the key, in place of the name of the property.
    ///   - environment: a variable that sets it too, whatever the prefix of the environment, such as `PORT`.
    ///   - formerly: the name that the setting had in an earlier version, which begins at the table of this type: a key,
    ///     or a path such as `http.base_url`. Sources may still use it, with a warning.
    ///   - expected: the noun for "expected …" in messages, to which the limits are added.
    ///   - isSecret: whether the value is masked in every description, dump and error.
    ///   - needsRestart: whether the value at the start of the service is kept until a restart.
    ///   - check: returns whether a value in the range is valid.
    ///   - expecting: returns nil for a valid value, and otherwise the expected value, as a noun: "a power of two". The
    ///     limits of a range are added. The noun must not quote the value.
    @inlinable
    public init<Bound: Comparable & Sendable>(
        _ summary: String? = nil, in range: some RangeExpression<Bound> & Sendable, unit: SettingUnit<Bound>? = nil,
        key: String? = nil, environment: String? = nil, formerly: String? = nil, expected: String? = nil,
        isSecret: Bool = false, needsRestart: Bool = false,
        check: (@Sendable (Bound) -> Bool)? = nil, expecting: (@Sendable (Bound) -> String?)? = nil
    ) where Value == Bound? {
        self.init(.some(nil), isSecret: isSecret) {
            KeyRule(
                RuleAttributes(
                    key: key, unit: unit?.unit, variable: environment, formerName: formerly, isSecret: isSecret,
                    needsRestart: needsRestart, summary: summary, expected: expected, bounds: KeyBounds(range)),
                default: .some(nil), check: { $0.map { range.contains($0) && check?($0) ?? true } ?? true },
                expecting: { $0.flatMap { expecting?($0) } })
        }
    }
}

extension Setting where Value: Comparable {
    /// Declares a setting with a default, whose values are in a range.
    ///
    ///     @Setting("Where clients connect", in: 1...65535) var port = 8080
    ///
    /// - Parameters:
    ///   - wrappedValue: the value if no source has one. It is not used if the value is wrong.
    ///   - summary: the purpose of the setting.
    ///   - range: the valid values.
    ///   - unit: the unit of a bare number, for a duration. Text such as `1m30s` has its own units.
    ///   - key: the key, in place of the name of the property.
    ///   - environment: a variable that sets it too, whatever the prefix of the environment, such as `PORT`.
    ///   - formerly: the name that the setting had in an earlier version, which begins at the table of this type: a key,
    ///     or a path such as `http.base_url`. Sources may still use it, with a warning.
    ///   - expected: the noun for "expected …" in messages, to which the limits are added.
    ///   - isSecret: whether the value is masked in every description, dump and error.
    ///   - needsRestart: whether the value at the start of the service is kept until a restart.
    ///   - check: returns whether a value in the range is valid.
    ///   - expecting: returns nil for a valid value, and otherwise the expected value, as a noun: "a power of two". The
    ///     limits of a range are added. The noun must not quote the value.
    @inlinable
    public init(
        wrappedValue: Value, _ summary: String? = nil, in range: some RangeExpression<Value> & Sendable,
        unit: SettingUnit<Value>? = nil, key: String? = nil, environment: String? = nil, formerly: String? = nil,
        expected: String? = nil, isSecret: Bool = false, needsRestart: Bool = false,
        check: (@Sendable (Value) -> Bool)? = nil, expecting: (@Sendable (Value) -> String?)? = nil
    ) {
        self.init(wrappedValue, isSecret: isSecret) {
            KeyRule(
                RuleAttributes(
                    key: key, unit: unit?.unit, variable: environment, formerName: formerly, isSecret: isSecret,
                    needsRestart: needsRestart, summary: summary, expected: expected, bounds: KeyBounds(range)),
                default: wrappedValue, check: { range.contains($0) && check?($0) ?? true }, expecting: expecting)
        }
    }

    /// Declares a setting that a source must have, whose values are in a range.
    ///
    ///     @Setting("The price in cents", in: 1...100_000) var price: Int
    ///
    /// - Parameters:
    ///   - summary: the purpose of the setting.
    ///   - range: the valid values.
    ///   - unit: the unit of a bare number, for a duration. Text such as `1m30s` has its own units.
    ///   - key: the key, in place of the name of the property.
    ///   - environment: a variable that sets it too, whatever the prefix of the environment, such as `PORT`.
    ///   - formerly: the name that the setting had in an earlier version, which begins at the table of this type: a key,
    ///     or a path such as `http.base_url`. Sources may still use it, with a warning.
    ///   - expected: the noun for "expected …" in messages, to which the limits are added.
    ///   - isSecret: whether the value is masked in every description, dump and error.
    ///   - needsRestart: whether the value at the start of the service is kept until a restart.
    ///   - check: returns whether a value in the range is valid.
    ///   - expecting: returns nil for a valid value, and otherwise the expected value, as a noun: "a power of two". The
    ///     limits of a range are added. The noun must not quote the value.
    @inlinable
    public init(
        _ summary: String? = nil, in range: some RangeExpression<Value> & Sendable, unit: SettingUnit<Value>? = nil,
        key: String? = nil, environment: String? = nil, formerly: String? = nil, expected: String? = nil,
        isSecret: Bool = false, needsRestart: Bool = false,
        check: (@Sendable (Value) -> Bool)? = nil, expecting: (@Sendable (Value) -> String?)? = nil
    ) {
        self.init(nil, isSecret: isSecret) {
            KeyRule(
                RuleAttributes(
                    key: key, unit: unit?.unit, variable: environment, formerName: formerly, isSecret: isSecret,
                    needsRestart: needsRestart, summary: summary, expected: expected, bounds: KeyBounds(range)),
                default: nil, check: { range.contains($0) && check?($0) ?? true }, expecting: expecting)
        }
    }
}

// MARK: - Conformances

extension Setting: Decodable {
    /// Decodes the value without its default and its limits, which only a store knows.
    public init(from decoder: any Decoder) throws {
        self.init(read: try decoder.singleValueContainer().decode(Value.self), isSecret: false)
    }
}

extension Setting: Equatable where Value: Equatable {
    /// Whether both settings have the same value. Their declarations do not matter.
    public static func == (one: Setting, other: Setting) -> Bool { one.value == other.value }
}

extension Setting: DescriptionOnly {
    /// The value, masked if it is secret.
    public var description: String {
        guard let value else { return "not set" }
        // An optional without a value has nothing to hide.
        if let optional = value as? any OptionalValue, optional.content == nil { return "nil" }
        return isSecret ? ValueText.mask : URLSecrets.masked("\(value)")
    }
}

/// The attributes of a property with a type: those of a typed key or of a setting, without its name.
struct KeyRule<Value: Sendable>: Sendable {
    /// The key of a setting in place of the name of its property, or nil.
    var key: String?
    /// The value to use if the property is missing.
    var defaultValue: Value?
    /// Whether the value is masked.
    var isSecret = false
    /// Whether the value at the start of the service is kept until a restart.
    var needsRestart = false
    /// What the property is for.
    var summary: String?
    /// The noun for "expected …" in messages, or nil for that of the type.
    var expected: String?
    /// The limits of the value.
    var bounds: KeyBounds?
    /// The check of values that have the right type.
    var check: (@Sendable (Value) -> Bool)?
    /// Converts the value in addition to the conversion of its type.
    var convert: (@Sendable (Value) throws(PropertyError) -> Void)?
    /// The settings of each element if the value is an array of a settings type.
    var elements: SettingsSchema?
    /// Whether it is the rule of a setting.
    var isSetting = false

    /// The noun for the valid values.
    var noun: String { expected ?? TypeName.noun(Value.self) }
}

extension KeyRule {
    /// Creates the rule of values in a range.
    init<Bound: Comparable & Sendable>(
        key: String? = nil, defaultValue: Value?, isSecret: Bool, needsRestart: Bool = false, summary: String?,
        expected: String?, in range: some RangeExpression<Bound>, check: @escaping @Sendable (Value) -> Bool
    ) {
        let bounds = KeyBounds(range)
        self.init(
            key: key, defaultValue: defaultValue, isSecret: isSecret, needsRestart: needsRestart, summary: summary,
            expected: (expected ?? Self.kind(of: Bound.self)) + bounds.text, bounds: bounds, check: check)
    }

    /// The noun for the values, without the limits that follow from the type.
    private static func kind(of type: Any.Type) -> String {
        if type is any BinaryInteger.Type { return "an integer" }
        return type == Duration.self ? "a duration" : TypeName.noun(type)
    }
}

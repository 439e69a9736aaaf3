/// The attributes of a property with a type: those of a typed key or of a setting, without its name.
// @unchecked is safe: the value of a typed key and of a `@Setting` is Sendable. The other defaults are values of stored
// properties of a settings type, which is Sendable.
struct KeyRule<Value>: @unchecked Sendable {
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
    /// Whether it is the rule of a setting.
    var isSetting = false
    /// The form of the value.
    let form = Form(of: Value.self)
    /// Identifies a setting while the properties of its type are matched with the coding keys.
    var mark: Int?

    /// The noun for the valid values.
    var noun: String { expected ?? TypeName.noun(Value.self) }

    /// Returns the value that empty text of an untyped source stands for. For an optional type, that is its nil, and a
    /// required property throws `.missing`. Returns nil for a property with a default, whose text is converted as
    /// usual.
    func value(ofEmpty node: PropertyNode) throws(PropertyError) -> Value? {
        if let optional = Value.self as? any OptionalValue.Type { return optional.nilValue as? Value }
        if defaultValue == nil { throw PropertyError(.missing, node, expected: noun) }
        return nil
    }

    /// The default as a source would contain it, or nil if there is none.
    var sourceDefault: PropertyValue? { defaultValue.map { PropertyValue(default: $0) } }
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

/// A rule with the flat name of its property.
struct NamedRule<Value>: Sendable {
    let key: PropertyKey
    let rule: KeyRule<Value>

    /// Whether the check accepts a value.
    func accepts(_ value: Value) -> Bool { rule.check?(value) ?? true }

    /// Returns the value, or nil if it is missing.
    func read(_ state: MergedState) throws(PropertyError) -> Value? {
        if let cause = state.cause(of: key) {
            // Redacted, because a line of the source may contain the value.
            let shown = rule.isSecret ? cause.redacted() : cause
            throw PropertyError(shown, at: key.rawValue, expected: rule.noun, state)
        }
        do throws(PropertyError) {
            guard let node = state.node(key), !node.isNull else { return nil }
            if node.isEmptyText(in: rule.form), let value = try rule.value(ofEmpty: node.single) { return value }
            return try convert(node)
        } catch {
            let known = error.path.isEmpty ? error.expecting(rule.noun) : error
            throw PropertyError(known, at: key.rawValue, state, isSecret: rule.isSecret)
        }
    }

    /// Converts and checks a value.
    private func convert(_ node: PropertyNode) throws(PropertyError) -> Value {
        let value = try Conversion.convert(node, to: Value.self)
        guard accepts(value) else { throw PropertyError(.refused, node, expected: rule.noun) }
        return value
    }

    /// Returns the value, or the default if it is missing.
    func require(_ state: MergedState) throws(PropertyError) -> Value {
        if let value = try read(state) ?? rule.defaultValue { return value }
        throw PropertyError(missing: key.rawValue, expected: rule.noun, state, isSecret: rule.isSecret)
    }
}

extension PropertyNode {
    /// Whether the value is empty text for a form. A repeated argument is empty if the values that count are.
    func isEmptyText(in form: Form) -> Bool {
        guard source.isRepeated, case .array(let nodes) = value else { return isEmptyText }
        return form.isList ? nodes.allSatisfy(\.isEmptyText) : single.isEmptyText
    }
}

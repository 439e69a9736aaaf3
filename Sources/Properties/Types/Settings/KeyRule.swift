/// The attributes of a property with a type: those of a typed key or of a setting, without its name.
///
/// It is a class, because a read of a struct of any type looks up the metadata of the struct first.
// @unchecked is safe: it has constants only, and all are Sendable but perhaps the default. That of a typed key and of a
// `@Setting` is Sendable, as their types require. Any other is the value of a stored property of a settings type, which
// is Sendable because the type is.
@usableFromInline
final class KeyRule<Value>: @unchecked Sendable {
    /// The key of a setting in place of the name of its property, or nil.
    let key: String?
    /// Whether the value is masked.
    let isSecret: Bool
    /// Whether the value at the start of the service is kept until a restart.
    let needsRestart: Bool
    /// What the property is for.
    let summary: String?
    /// The noun for "expected …" in messages, or nil for that of the type.
    let expected: String?
    /// The limits of the value.
    let bounds: KeyBounds?
    /// The check of values that have the right type.
    let check: (@Sendable (Value) -> Bool)?
    /// Whether it is the rule of a setting.
    let isSetting: Bool
    /// The form of the value.
    let form: Form
    /// Identifies a setting while the properties of its type are matched with the coding keys.
    let mark: Int?
    /// The value to use if the property is missing.
    @usableFromInline let defaultValue: Value?

    private init(
        key: String?, defaultValue: Value?, isSecret: Bool, needsRestart: Bool, summary: String?, expected: String?,
        bounds: KeyBounds?, check: (@Sendable (Value) -> Bool)?, isSetting: Bool = false, form: Form? = nil,
        mark: Int? = nil
    ) {
        (self.key, self.isSecret, self.needsRestart, self.summary) = (key, isSecret, needsRestart, summary)
        (self.expected, self.bounds, self.check, self.isSetting) = (expected, bounds, check, isSetting)
        (self.form, self.mark, self.defaultValue) = (form ?? Form(of: Value.self), mark, defaultValue)
    }

    /// Creates the rule of a typed key or a setting.
    @usableFromInline
    convenience init(
        key: String? = nil, defaultValue: Value? = nil, isSecret: Bool = false, needsRestart: Bool = false,
        summary: String? = nil, expected: String? = nil, check: (@Sendable (Value) -> Bool)? = nil
    ) {
        self.init(
            key: key, defaultValue: defaultValue, isSecret: isSecret, needsRestart: needsRestart, summary: summary,
            expected: expected, bounds: nil, check: check)
    }

    /// Creates the rule of values in a range.
    @usableFromInline
    convenience init<Bound: Comparable & Sendable>(
        key: String? = nil, defaultValue: Value?, isSecret: Bool, needsRestart: Bool = false, summary: String?,
        expected: String?, in range: some RangeExpression<Bound>, check: @escaping @Sendable (Value) -> Bool
    ) {
        let bounds = KeyBounds(range)
        self.init(
            key: key, defaultValue: defaultValue, isSecret: isSecret, needsRestart: needsRestart, summary: summary,
            expected: (expected ?? Self.kind(of: Bound.self)) + bounds.text, bounds: bounds, check: check)
    }

    /// Creates a rule that has only a mark.
    convenience init(mark: Int) {
        self.init(
            key: nil, defaultValue: nil, isSecret: false, needsRestart: false, summary: nil, expected: nil, bounds: nil,
            check: nil, mark: mark)
    }

    /// Returns the rule of a setting with the default of its place, which may differ from that of the type:
    /// `var tls = TLS { $0.port = 99 }`.
    func inSettings(default: Value?, expected: String? = nil) -> KeyRule {
        KeyRule(
            key: key, defaultValue: `default`, isSecret: isSecret, needsRestart: needsRestart, summary: summary,
            expected: expected ?? self.expected, bounds: bounds, check: check, isSetting: true, form: form)
    }

    /// The noun for the valid values.
    var noun: String { expected ?? TypeName.noun(Value.self) }

    /// Whether the check accepts a value.
    @usableFromInline
    func accepts(_ value: Value) -> Bool { check?(value) ?? true }

    /// Returns the value of a node that is not null, converted and checked.
    @inline(__always)
    func value(
        of node: PropertyNode, in context: ConversionContext = ConversionContext()
    ) throws(PropertyError) -> Value {
        if node.isEmptyText(in: form) { return try value(ofEmpty: node, in: context) }
        return try checked(node, in: context)
    }

    @inline(__always)
    private func checked(_ node: PropertyNode, in context: ConversionContext) throws(PropertyError) -> Value {
        let value = try Conversion.convert(node, to: Value.self, in: context)
        guard accepts(value) else { throw PropertyError(.refused, node, expected: noun) }
        return value
    }

    /// Returns the value that empty text of an untyped source stands for. For an optional type, that is its nil, and a
    /// required property throws `.missing`. With a default, the text is converted as usual.
    private func value(
        ofEmpty node: PropertyNode, in context: ConversionContext
    ) throws(PropertyError) -> Value {
        if let type = Value.self as? any OptionalValue.Type, let value = type.nilValue as? Value { return value }
        if defaultValue == nil { throw PropertyError(.missing, node.single, expected: noun) }
        return try checked(node, in: context)
    }

    /// The default as a source would contain it, or nil if there is none.
    var sourceDefault: PropertyValue? { defaultValue.map { PropertyValue(default: $0) } }

    /// The noun for the values, without the limits that follow from the type.
    private static func kind(of type: Any.Type) -> String {
        if type is any BinaryInteger.Type { return "an integer" }
        return type == Duration.self ? "a duration" : TypeName.noun(type)
    }
}

extension PropertyNode {
    /// Whether the value is empty text for a form. A repeated argument is empty if the values that count are.
    func isEmptyText(in form: Form) -> Bool {
        guard source.isRepeated, case .array(let nodes) = value else { return isEmptyText }
        return form.isList ? nodes.allSatisfy(\.isEmptyText) : single.isEmptyText
    }
}

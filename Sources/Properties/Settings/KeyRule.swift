/// The rule of a typed key or of a setting: the declarations of a value without its name. It reads and checks the
/// value.
///
/// It is a class, because a read of a struct of any type looks up the metadata of the struct first.
// @unchecked is safe: it has constants only, and all are Sendable but perhaps the default. The default of a typed key
// and of a `@Setting` is Sendable, as their types require. Any other default is the value of a stored property of a
// settings type, which is Sendable because the type is.
@usableFromInline
class KeyRule<Value>: Rule, @unchecked Sendable {
    final let attributes: RuleAttributes
    final let form: Form
    /// The check of values that have the right type.
    final let check: (@Sendable (Value) -> Bool)?
    /// Returns what is expected in place of a value that has passed the check and is still not valid, or nil.
    final let expecting: (@Sendable (Value) -> String?)?
    /// The value to use if the property is missing.
    @usableFromInline final let defaultValue: Value?

    /// Creates the rule of a typed key or a setting.
    @usableFromInline
    init(
        _ attributes: RuleAttributes = RuleAttributes(), default: Value? = nil,
        check: (@Sendable (Value) -> Bool)? = nil, expecting: (@Sendable (Value) -> String?)? = nil
    ) {
        (self.attributes, form, self.check, self.expecting) = (attributes, Form(of: Value.self), check, expecting)
        defaultValue = `default`
    }

    /// Creates the rule of the property of a settings type, with the default of its place, which may differ from the
    /// default of the type: `var tls = TLS { $0.port = 99 }`.
    init(_ rule: KeyRule, inSettingsWith default: Value?, expected: String? = nil) {
        var attributes = rule.attributes
        attributes.isSetting = true
        attributes.expected = expected ?? attributes.expected
        (self.attributes, form, check, expecting) = (attributes, rule.form, rule.check, rule.expecting)
        defaultValue = `default`
    }

    final var isSecret: Bool { attributes.isSecret }
    final var noun: String { attributes.expected ?? TypeName.noun(Value.self) }
    final var typeName: String { TypeName.word(Value.self) }
    final var isRequired: Bool { defaultValue == nil }
    final var sourceDefault: PropertyValue? { defaultValue.map { PropertyValue(default: $0) } }
    final var markedDefault: PropertyValue? { defaultValue.map { PropertyValue(marking: $0) } }
    final var acceptsDefault: Bool { defaultValue.map { accepts($0) } ?? true }

    final func isSame(as other: any Rule) -> Bool {
        other is KeyRule && other.isRequired == isRequired && other.isSecret == isSecret
            && other.noun.isSame(as: noun)
    }

    /// Whether the checks accept a value.
    @usableFromInline
    final func accepts(_ value: Value) -> Bool { check?(value) ?? true && expecting?(value) == nil }

    /// Reads a property without a wrapper.
    func read<T>(as type: T.Type, _ field: Field, _ reader: SettingsReader) throws -> T {
        guard T.self == Value.self, let value = reader.read(self, field).value else {
            throw DecodingError.unsupported("'\(field.property)' as \(type)")
        }
        return BasicType.uncheckedCast(value, to: type)
    }
}

/// The rule of a property that is a `@Setting`.
// @unchecked is safe: see `KeyRule`. The type of the property is a constant, too.
final class SettingRule<Value: Decodable & Sendable>: KeyRule<Value>, @unchecked Sendable {
    // The metadata of this type would be looked up at each read.
    private let property: Any.Type = Setting<Value>.self

    override func read<T>(as type: T.Type, _ field: Field, _ reader: SettingsReader) throws -> T {
        guard T.self == property else { throw DecodingError.unsupported("'\(field.property)' as \(type)") }
        // Code for any type looks up the metadata of `Setting<Value>` and `Value?` before it does anything, which takes
        // longer than the read. So the basic types have code of their own, and the code for any type is a function of its
        // own. Each cast is safe, because the types are the same.
        if Value.self == Int.self { return unsafe same(as: Int.self).setting(type, field, reader) }
        if Value.self == String.self { return unsafe same(as: String.self).setting(type, field, reader) }
        if Value.self == Bool.self { return unsafe same(as: Bool.self).setting(type, field, reader) }
        if Value.self == Double.self { return unsafe same(as: Double.self).setting(type, field, reader) }
        return settingOfAnyType(type, field, reader)
    }

    @inline(never)
    private func settingOfAnyType<T>(_ type: T.Type, _ field: Field, _ reader: SettingsReader) -> T {
        setting(type, field, reader)
    }

    @unsafe
    @inline(__always)
    private func same<Same>(as type: Same.Type) -> SettingRule<Same> {
        unsafe unsafeDowncast(self, to: SettingRule<Same>.self)
    }

    @inline(__always)
    private func setting<T>(_ type: T.Type, _ field: Field, _ reader: SettingsReader) -> T {
        let (value, isSecret) = reader.read(self, field)
        return BasicType.uncheckedCast(Setting(read: value, isSecret: isSecret || attributes.isSecret), to: type)
    }
}

// MARK: - Converting

extension KeyRule {
    /// Returns the value of a node that is not null, converted and checked.
    @inline(__always)
    func value(
        of node: PropertyNode, in context: ConversionContext = ConversionContext()
    ) throws(PropertyError) -> Value {
        do throws(PropertyError) {
            if node.isEmptyText(in: form) { return try value(ofEmpty: node, in: context) }
            return try checked(node, in: context)
        } catch {
            throw error.isInside ? error : error.expecting(noun, isLimited: attributes.bounds != nil)
        }
    }

    @inline(__always)
    private func checked(_ node: PropertyNode, in context: ConversionContext) throws(PropertyError) -> Value {
        let value = try Conversion.convert(attributes.unit?.added(to: node) ?? node, to: Value.self, in: context)
        if check?(value) == false { throw PropertyError(.refused, node, expected: noun) }
        if let expectation = expecting?(value) {
            let limits = attributes.bounds?.text ?? ""
            throw PropertyError(.refused, node, expected: noun)
                .changed { $0.checkExpectation = expectation + limits }
        }
        return value
    }

    /// Returns the value of empty text of an untyped source. For an optional type, it is nil, and a required property
    /// throws `.missing`. With a default, the text is converted as usual.
    private func value(
        ofEmpty node: PropertyNode, in context: ConversionContext
    ) throws(PropertyError) -> Value {
        if let type = Value.self as? any OptionalValue.Type, let value = type.nilValue as? Value { return value }
        if defaultValue == nil { throw PropertyError(.missing, node.single, expected: noun) }
        return try checked(node, in: context)
    }

    /// Returns the value of a node that is not null, or the default if no source has a value.
    func require(_ node: PropertyNode?) throws(PropertyError) -> Value {
        if let node { return try value(of: node) }
        guard let defaultValue else { throw PropertyError(missing: noun, in: nil) }
        return defaultValue
    }

    func verify(_ node: PropertyNode?) -> PropertyError? {
        do throws(PropertyError) { _ = try require(node) } catch { return error }
        return nil
    }

    func areEqual(_ one: PropertyNode?, _ other: PropertyNode?) -> Bool {
        let fallback = PropertyNode(sourceDefault ?? .null)
        if form.areEqual(one ?? fallback, other ?? fallback) { return true }
        guard let one = try? require(one), let other = try? require(other) else { return false }
        return PropertyValue.areEqual(one, other)
    }
}

extension PropertyNode {
    /// Whether the value is empty text for a form. A repeated argument is empty if the values that count are.
    func isEmptyText(in form: Form) -> Bool {
        guard source.isRepeated, case .array(let nodes) = value else { return isEmptyText }
        return form.isList ? nodes.allSatisfy(\.isEmptyText) : single.isEmptyText
    }
}

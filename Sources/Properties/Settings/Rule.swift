/// The declarations of a value, whatever its type. `KeyRule` is the only type that conforms.
protocol Rule: AnyObject, Sendable {
    var attributes: RuleAttributes { get }
    /// Whether the value is masked. It is asked often, and a copy of all attributes retains many objects.
    var isSecret: Bool { get }
    /// The form of the value.
    var form: Form { get }
    /// The noun for the valid values, with its article: "a port from 1 to 65535".
    var noun: String { get }
    /// The name of the type in one word, such as "integer".
    var typeName: String { get }
    /// Whether a source must have a value, because there is no default.
    var isRequired: Bool { get }
    /// The default as a source would contain it, or nil if there is none.
    var sourceDefault: PropertyValue? { get }
    /// The default as a source would contain it, with the secrets inside it marked. Nil if there is none.
    var markedDefault: PropertyValue? { get }
    /// Whether the check accepts the default.
    var acceptsDefault: Bool { get }

    /// Whether another rule has the same type, valid values and secrecy, without regard to the check functions.
    func isSame(as other: any Rule) -> Bool
    /// Returns the error about a value, which is nil if no source has it. The result is nil if the value is valid.
    func verify(_ node: PropertyNode?) -> PropertyError?
    /// Whether two values are equal, whatever their spellings. A value is nil if no source has it.
    func areEqual(_ one: PropertyNode?, _ other: PropertyNode?) -> Bool
    /// Reads the property of a settings type.
    func read<T>(as type: T.Type, _ field: Field, _ reader: SettingsReader) throws -> T
}

/// The attributes of a rule that do not depend on the type of its value.
@usableFromInline
struct RuleAttributes: Sendable {
    /// The key of a setting in place of the name of its property, or nil.
    let key: String?
    /// The variable that sets it too, whatever the prefix of the environment, or nil.
    let variable: String?
    /// The name of a setting in an earlier version, which begins at the table of its type, or nil.
    let formerName: String?
    /// Whether the value is masked.
    let isSecret: Bool
    /// Whether the value at the start of the service is kept until a restart.
    let needsRestart: Bool
    /// The purpose of the property.
    let summary: String?
    /// The noun for "expected …" in messages, or nil for the noun of the type.
    var expected: String?
    /// The limits of the value.
    let bounds: KeyBounds?
    /// The unit of bare numbers, or nil.
    let unit: DurationUnit?
    /// Whether it is the rule of a setting.
    var isSetting = false

    /// Creates the attributes. The limits and the unit are added to the noun.
    @usableFromInline
    init(
        key: String? = nil, unit: DurationUnit? = nil, variable: String? = nil, formerName: String? = nil,
        isSecret: Bool = false, needsRestart: Bool = false, summary: String? = nil, expected: String? = nil,
        bounds: KeyBounds? = nil
    ) {
        (self.key, self.variable, self.formerName, self.isSecret) = (key, variable, formerName, isSecret)
        (self.needsRestart, self.summary, self.bounds, self.unit) = (needsRestart, summary, bounds, unit)
        let noun = expected ?? bounds?.noun ?? unit.map { _ in "a duration" }
        self.expected = noun.map { $0 + (bounds?.text ?? "") + (unit?.note ?? "") }
    }
}

extension Rule {
    /// Whether the value, or a setting inside it, is kept until a restart.
    var needsRestart: Bool { attributes.needsRestart || form.traits.contains(.restarts) }

    /// Whether a node that is not null is a value of the right kind, such as a table.
    func takesKind(of node: PropertyNode) -> Bool {
        verify(node).map { $0.isInside || $0.reason != .wrongType } ?? true
    }

    /// The default that references and messages may show. Nil if there is none, or if it may contain a secret.
    var openDefault: PropertyValue? {
        guard !isSecret, let value = sourceDefault else { return nil }
        let node = PropertyNode(value)
        // A Swift value has no parts that could be masked.
        if node.isNull || node.isOpaque && form.traits.contains(.secrets) { return Optional.none }
        return value
    }
}

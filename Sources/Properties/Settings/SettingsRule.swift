/// A rule that several settings of a type obey together.
///
///     struct PoolSettings: Settings {
///         @Setting("The connections that stay open") var min = 1
///         @Setting("The most connections") var max = 10
///
///         static let rules: [SettingsRule<Self>] = [
///             SettingsRule(\.$min, \.$max, expected: "min is at most max") { $0 <= $1 }
///         ]
///     }
///
/// It is checked wherever the type stands, at the start and at each reload, and not if one of its settings is missing or
/// wrong by itself.
public struct SettingsRule<Root: Settings>: Sendable {
    /// The expectation of the settings together, as a clause.
    let expected: String
    /// Whether the settings of a value obey the rule.
    let isObeyed: @Sendable (Root) -> Bool
    /// Returns a copy of a value for each setting, with that setting marked.
    let marked: @Sendable (Root) -> [Root]

    /// Declares a rule.
    ///
    /// - Parameters:
    ///   - settings: the settings that the rule is about: `\.$min`, or `\.tls.$certificate` in a table of the type.
    ///   - expected: the expectation of the settings together, as a clause: "min is at most max". It must not quote a
    ///     value.
    ///   - check: returns whether the values of the settings obey the rule.
    public init<each Value: Decodable & Sendable>(
        _ settings: repeat any WritableKeyPath<Root, Setting<each Value>> & Sendable, expected: String,
        check: @escaping @Sendable (repeat each Value) -> Bool
    ) {
        self.expected = expected
        isObeyed = { root in check(repeat root[keyPath: each settings].wrappedValue) }
        marked = { root in
            var all: [Root] = []
            repeat all.append(Self.marking(each settings, in: root))
            return all
        }
    }

    /// Not available: a rule names settings (`\.$min`), and not their values.
    @available(*, unavailable, message: "Write a $ before the name of each setting: \\.$min.")
    public init<each Value>(
        _ settings: repeat KeyPath<Root, each Value>, expected: String,
        check: @escaping @Sendable (repeat each Value) -> Bool
    ) { fatalError() }

    private static func marking<Value>(_ setting: WritableKeyPath<Root, Setting<Value>>, in root: Root) -> Root {
        var marked = root
        marked[keyPath: setting] = .mark
        return marked
    }
}

/// A rule of a settings type whose schema alone is known.
struct SchemaRule: Sendable {
    /// The expectation of the settings together, as a clause.
    let expected: String
    /// The settings, each with the properties that lead to it from the table of the type.
    let settings: [[Field]]
    /// Whether the settings of a value of the type obey the rule.
    let isObeyed: @Sendable (any Settings) -> Bool

    /// Finds the settings of a rule. The result is nil if one of the key paths does not lead to a setting of the type.
    ///
    /// - Parameters:
    ///   - rule: the rule.
    ///   - fields: the properties of the type.
    init?<Root: Settings>(_ rule: SettingsRule<Root>, _ fields: [Field]) {
        let paths = rule.marked(Root()).map { Self.markedPath(in: $0, fields) }
        settings = paths.compactMap(\.self)
        expected = rule.expected
        isObeyed = { value in (value as? Root).map(rule.isObeyed) ?? true }
        if settings.count < paths.count || paths.isEmpty { return nil }
    }

    private static func markedPath(in value: any Settings, _ fields: [Field]) -> [Field]? {
        for (field, child) in zip(fields, Mirror(reflecting: value).children) {
            if let setting = child.value as? any WrappedProperty {
                if setting.isMarked { return [field] }
            } else if let table = field.table, let inner = child.value as? any Settings,
                let path = markedPath(in: inner, table.fields)
            {
                return [field] + path
            }
        }
        return nil
    }
}

extension Setting {
    /// A setting without a declaration, which no value that was just created has.
    fileprivate static var mark: Setting { Setting(read: nil, isSecret: false) }
    var isMarked: Bool { rule == nil }
}

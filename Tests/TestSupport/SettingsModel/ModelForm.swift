package import Properties

/// What a settings type declares, written down once more without any code of the package: the model's side of a random
/// settings type.
package struct ModelTable: Sendable {
    /// A property of the type.
    package struct Field: Sendable {
        /// The key in a file.
        package let key: String
        package let form: ModelForm
        package var isSecret = false
        package var needsRestart = false
        /// The path that the value had in an earlier version, or nil.
        package let former: [String]?
        /// The text of the default, as `ShownValue` writes it. Nil if a source must have the value.
        package var fallback: String?

        package init(
            _ key: String, _ form: ModelForm, _ fallback: String? = nil, isSecret: Bool = false, restart: Bool = false,
            formerly former: String? = nil
        ) {
            self.former = former?.split(separator: ".").map(String.init)
            (self.key, self.form, self.fallback) = (key, form, fallback)
            (self.isSecret, needsRestart) = (isSecret, restart)
        }

        /// Whether a source must have the value, or one in the table.
        var isRequired: Bool {
            guard case .table(let table) = form else { return fallback == nil }
            return table().fields.contains(where: \.isRequired)
        }
    }

    /// The name of the type.
    package let name: String
    package let fields: [Field]
    /// The keys of two numbers of which the first must not be larger than the second, or nil.
    package let order: Order?

    package struct Order: Sendable {
        package let low: String
        package let high: String

        package init(_ low: String, _ high: String) { (self.low, self.high) = (low, high) }
    }

    package init(_ type: Any.Type, order: Order? = nil, _ fields: Field...) { self.init("\(type)", fields, order) }

    package init(_ name: String, _ fields: [Field], _ order: Order? = nil) {
        (self.name, self.fields, self.order) = (name, fields, order)
    }

    /// Returns the table with other defaults for some settings, by their paths.
    package func with(_ defaults: [String: String]) -> ModelTable {
        ModelTable(
            name,
            fields.map { field in
                var field = field
                if let fallback = defaults[field.key] { field.fallback = fallback }
                guard case .table(let table) = field.form else { return field }
                let start = field.key + "."
                let inner = defaults.filter { $0.key.hasPrefix(start) }
                    .map { (String($0.key.dropFirst(start.count)), $0.value) }
                return Field(field.key, .table { table().with(Dictionary(inner) { $1 }) })
            }, order)
    }
}

/// What a property is.
package indirect enum ModelForm: Sendable {
    /// A table, which is made when it is asked for, because a type may contain itself.
    case table(@Sendable () -> ModelTable)
    case optional(ModelForm)
    case array(ModelForm)
    case dictionary(ModelForm)
    case value(ModelKind)

    /// The tables in the form, without those in their properties.
    private var tables: [ModelTable] {
        switch self {
        case .table(let table): [table()]
        case .optional(let form), .array(let form), .dictionary(let form): form.tables
        case .value: []
        }
    }

    package var hasTables: Bool { !tables.isEmpty }
    package var holdsSecret: Bool { holds(\.isSecret) }
    package var needsRestart: Bool { holds(\.needsRestart) }

    /// Whether one of the settings inside has an attribute. The depth ends the types that contain themselves.
    private func holds(_ attribute: (ModelTable.Field) -> Bool, depth: Int = 8) -> Bool {
        depth > 0
            && tables.contains { table in
                table.fields.contains { attribute($0) || $0.form.holds(attribute, depth: depth - 1) }
            }
    }
}

/// The kind of a single value, with the values that it accepts.
package enum ModelKind: Sendable {
    case text, level, flag, wait, mode, numbers, counts

    /// Returns the text of a value as `ShownValue` writes it, or nil if the kind does not accept it.
    package func shown(_ value: PropertyValue) -> String? {
        switch (self, value) {
        case (.text, .string(let text)): text.shown
        case (.level, .integer(let number)): (1...9).contains(number) ? Int(number).shown : nil
        case (.flag, .bool(let flag)): flag.shown
        case (.wait, .string(let text)): ["1s": Duration.seconds(1), "5ms": .milliseconds(5)][text]?.shown
        case (.mode, .string(let text)): RandomMode(rawValue: text)?.shown
        case (.numbers, .array(let nodes)): Self.list(nodes.map(\.value))
        case (.counts, .table(let table)): Self.table(table)
        default: nil
        }
    }

    private static func integer(_ value: PropertyValue) -> Int? {
        if case .integer(let number) = value { Int(number) } else { nil }
    }

    private static func list(_ values: [PropertyValue]) -> String? {
        let numbers = values.compactMap(integer)
        return numbers.count == values.count ? numbers.shown : nil
    }

    private static func table(_ table: PropertyTable) -> String? {
        // A null is left out.
        let entries = table.filter { if case .null = $0.node.value { false } else { true } }
        let numbers = entries.compactMap { entry in integer(entry.node.value).map { (entry.key, $0) } }
        return numbers.count == entries.count ? Dictionary(numbers) { $1 }.shown : nil
    }
}

/// The cases of a setting.
package enum RandomMode: String, CaseIterable, Decodable, Sendable { case fast, safe }

// MARK: - Values as text

/// A value that writes itself as text, so that a decoded value can be compared with the value of the model.
package protocol ShownValue {
    var shown: String { get }
}

extension Int: ShownValue {
    package var shown: String { String(self) }
}
extension Bool: ShownValue {
    package var shown: String { String(self) }
}
extension String: ShownValue {
    package var shown: String { "'\(self)'" }
}
extension Duration: ShownValue {
    package var shown: String { "\(attoseconds) as" }
}
extension RandomMode: ShownValue {
    package var shown: String { "." + rawValue }
}
extension Optional: ShownValue where Wrapped: ShownValue {
    package var shown: String { map(\.shown) ?? "nil" }
}
extension Array: ShownValue where Element: ShownValue {
    package var shown: String { "[\(map(\.shown).joined(separator: ", "))]" }
}
extension Dictionary: ShownValue where Key == String, Value: ShownValue {
    package var shown: String {
        "[\(sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.shown)" }.joined(separator: ", "))]"
    }
}

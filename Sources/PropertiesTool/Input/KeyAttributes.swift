import PropertyLoaders

/// The attributes of a key in a schema, without its type. Its methods return functions that declare the key in a
/// store.
struct KeyAttributes: Sendable {
    /// A function that declares a key.
    typealias Declaration = @Sendable (PropertyStore) -> Void

    let name: String
    let isRequired: Bool
    let isSecret: Bool

    /// Declares a key of a type.
    ///
    /// - Parameter fallback: any value of the type. It makes the key optional; nothing shows it.
    /// - Returns: the declaration.
    func declaration<Value: Sendable>(_ fallback: Value) -> Declaration {
        let key = TypedKey(name, default: isRequired ? nil : fallback, isSecret: isSecret)
        return { $0.declareFromSchema(key) }
    }

    /// Declares a key whose values have limits.
    func declaration<Value: Comparable & Sendable>(_ fallback: Value, _ limits: KeyLimits<Value>) -> Declaration {
        switch limits {
        case .none: declaration(fallback)
        case .closed(let range): declaration(fallback, in: range)
        case .halfOpen(let range): declaration(fallback, in: range)
        case .from(let lower): declaration(fallback, in: lower...)
        case .through(let upper): declaration(fallback, in: ...upper)
        case .below(let limit): declaration(fallback, in: ..<limit)
        }
    }

    private func declaration<Value: Comparable & Sendable>(
        _ fallback: Value, in range: some RangeExpression<Value> & Sendable
    ) -> Declaration {
        let key = TypedKey(name, default: isRequired ? nil : fallback, in: range, isSecret: isSecret)
        return { $0.declareFromSchema(key) }
    }

    /// Declares a key of an array.
    func declaration<Element: PropertyConvertible & Sendable>(arrayOf type: Element.Type) -> Declaration {
        declaration([Element]())
    }

    /// Declares a key of a table with any keys.
    func declaration<Element: PropertyConvertible & Sendable>(tableOf type: Element.Type) -> Declaration {
        declaration([String: Element]())
    }

    /// Declares a key that has one of some values.
    func declaration(cases: [PropertyNode]) -> Declaration {
        let names = cases.map { JsonText.text($0) }
        let expected = "one of " + names.joined(separator: ", ")
        let key = TypedKey<PropertyNode>(
            name, default: isRequired ? nil : PropertyNode(nil), isSecret: isSecret, expected: expected
        ) { node in
            // The text of an untyped source has no quotes, whatever its type is.
            if case .text(let text) = node.value {
                return names.contains { $0.isSame(as: text) || $0.isSame(as: JsonText.quoted(text)) }
            }
            let value = JsonText.text(node)
            return names.contains { $0.isSame(as: value) }
        }
        return { $0.declareFromSchema(key) }
    }
}

/// The limits of a key's values in a schema.
enum KeyLimits<Value: Comparable & Sendable> {
    case none
    case closed(ClosedRange<Value>)
    case halfOpen(Range<Value>)
    case from(Value)
    case through(Value)
    case below(Value)

    /// Creates limits. Returns nil if no value is within them, or if there are two upper limits.
    ///
    /// - Parameters:
    ///   - lower: the minimum.
    ///   - upper: the maximum.
    ///   - limit: the exclusive maximum.
    init?(_ lower: Value?, _ upper: Value?, below limit: Value?) {
        switch (lower, upper, limit) {
        case (nil, nil, nil): self = .none
        case (let lower?, let upper?, nil) where lower <= upper: self = .closed(lower...upper)
        case (let lower?, nil, let limit?) where lower < limit: self = .halfOpen(lower..<limit)
        case (let lower?, nil, nil): self = .from(lower)
        case (nil, let upper?, nil): self = .through(upper)
        case (nil, nil, let limit?): self = .below(limit)
        default: return nil
        }
    }
}

/// A value whose schema is a string: text, or a date or data, for which formats other than JSON have types.
struct SchemaText: PropertyConvertible, Sendable {
    static let propertyTypeName = String.propertyTypeName

    let text: String

    init(text: String) { self.text = text }

    init(property node: PropertyNode) throws(PropertyError) {
        switch node.value {
        case .dateTime, .data: text = ""
        default: text = try String(property: node)
        }
    }
}

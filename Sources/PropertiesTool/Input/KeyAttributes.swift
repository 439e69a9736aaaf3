import PropertyLoaders

/// What a schema says of a key in addition to its type. Returns functions that declare the key in a store.
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
        return { $0.declare(key) }
    }

    /// Declares a key with limits, of which any may be nil.
    func declaration<Value: Comparable & Sendable>(
        _ fallback: Value, _ lower: Value?, _ upper: Value?, below limit: Value?
    ) -> Declaration {
        switch (lower, upper, limit) {
        case (let lower?, let upper?, _) where lower <= upper: declaration(fallback, in: lower...upper)
        case (let lower?, _, let limit?) where lower <= limit: declaration(fallback, in: lower..<limit)
        case (let lower?, nil, nil): declaration(fallback, in: lower...)
        case (nil, let upper?, _): declaration(fallback, in: ...upper)
        case (nil, nil, let limit?): declaration(fallback, in: ..<limit)
        default: declaration(fallback)
        }
    }

    private func declaration<Value: Comparable & Sendable>(
        _ fallback: Value, in range: some RangeExpression<Value> & Sendable
    ) -> Declaration {
        let key = TypedKey(name, default: isRequired ? nil : fallback, in: range, isSecret: isSecret)
        return { $0.declare(key) }
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
        return { $0.declare(key) }
    }
}

/// A value whose schema is a string: a text, or a date or data, which the formats other than JSON have as types.
struct SchemaText: PropertyConvertible, Sendable {
    static let propertyTypeName = String.propertyTypeName

    let text: String

    init(text: String) { self.text = text }

    init(property node: PropertyNode) throws(PropertyMismatch) {
        switch node.value {
        case .dateTime, .data: text = ""
        default: text = try String(property: node)
        }
    }
}

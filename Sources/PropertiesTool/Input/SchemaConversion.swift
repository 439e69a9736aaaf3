import PropertyLoaders

/// The conversion of the values that a schema describes.
///
/// Arrays, tables and limits are those of the schema. Every other value is converted by the type of the service, so
/// that a value has the same verdict, and the same message, as in the service.
struct SchemaConversion: Sendable {
    /// Converts a value, and throws the error of the conversion.
    typealias Convert = @Sendable (PropertyNode) throws(PropertyError) -> Void

    /// The noun for "expected …" in messages.
    let noun: String
    let convert: Convert

    /// The conversion of any value.
    static let any = SchemaConversion(noun: PropertyNode.propertyTypeName) { _ in }

    /// Returns the conversion to a type.
    static func type(_ type: SchemaType, _ limits: SchemaLimits?) -> SchemaConversion {
        let noun = type.noun + (type.isNamed ? "" : limits?.text ?? "")
        return SchemaConversion(noun: noun) { node throws(PropertyError) in
            let isAccepted = try type.accepts(node, limits)
            guard isAccepted else { throw PropertyError(.refused, node, expected: noun) }
        }
    }

    /// Returns the conversion to one of several values, which have a type.
    static func cases(_ cases: [PropertyValue], of type: SchemaType) -> SchemaConversion {
        let names = cases.map { value in
            if case .string(let text) = value { "\"\(text)\"" } else { ValueText.short(value) }
        }
        let noun = "one of \(names.joined(separator: ", "))"
        return SchemaConversion(noun: noun) { node throws(PropertyError) in
            let value: PropertyValue
            do throws(PropertyError) {
                value = try type.sourceValue(node)
            } catch {
                throw PropertyError(error.reason, node, expected: noun)
            }
            if cases.contains(where: { isEqual($0, value) }) { return }
            let nearest = Suggestions.nearest(to: ValueText.short(node.value), among: names)
            throw PropertyError(.notACase, node, expected: noun, remedy: nearest.map { "Did you mean \($0)?" })
        }
    }

    /// Returns the conversion to an array.
    ///
    /// - Parameters:
    ///   - element: the conversion of each element.
    ///   - isBytes: whether data can be read as the array, because its elements are bytes.
    /// - Returns: the conversion.
    static func array(of element: SchemaConversion, isBytes: Bool) -> SchemaConversion {
        SchemaConversion(noun: [PropertyNode].propertyTypeName) { node throws(PropertyError) in
            if isBytes, case .data = node.value { return }
            guard let list = try ListElements(of: node) else { return _ = try [PropertyNode](property: node) }
            var errors = MismatchCollector()
            for (index, value) in list.nodes.enumerated() {
                _ = try errors.collect { () throws(PropertyError) in
                    do throws(PropertyError) {
                        try element.convert(value)
                    } catch {
                        throw error.inElement(index, ofText: list.isText)
                    }
                }
            }
            try errors.throwCollected()
        }
    }

    /// Returns the conversion to a table of values of one type.
    static func table(of element: SchemaConversion, keys: SchemaTableKeys) -> SchemaConversion {
        SchemaConversion(noun: [String: PropertyNode].propertyTypeName) { node throws(PropertyError) in
            try keys.check(node)
            guard case .table(let table) = node.value else { return }
            var errors = MismatchCollector()
            for entry in table where !isNull(entry.node) {
                try errors.collect(inside: ".\(entry.key)") { () throws(PropertyError) in
                    try element.convert(entry.node)
                }
            }
            try errors.throwCollected()
        }
    }

    /// A value of a table with known keys.
    struct Field: Sendable {
        let name: String
        let isRequired: Bool
        /// The noun for "expected …" in messages.
        let noun: String
        let conversion: SchemaConversion

        /// Checks the value in a table, where a null is the same as no value.
        fileprivate func check(_ value: PropertyNode?, in table: PropertyNode) throws(PropertyError) {
            guard let value, !SchemaConversion.isNull(value) else {
                if isRequired { throw PropertyError(.missing, table, expected: noun) }
                return
            }
            do throws(PropertyError) {
                try conversion.convert(value)
            } catch {
                throw error.isInside ? error : error.expecting(noun)
            }
        }
    }

    /// Returns the conversion to a table with known keys. All others are errors if they are refused.
    static func table(of fields: [Field], refusesUnknownKeys: Bool) -> SchemaConversion {
        SchemaConversion(noun: "a table") { node throws(PropertyError) in
            guard case .table(let table) = node.value else {
                throw PropertyError(.wrongType, node, expected: "a table")
            }
            var errors = MismatchCollector()
            for field in fields {
                try errors.collect(inside: ".\(field.name)") { () throws(PropertyError) in
                    try field.check(table[field.name], in: node)
                }
            }
            let names = Set(fields.map { PropertyKey($0.name) })
            for entry in table where refusesUnknownKeys && !names.contains(PropertyKey(entry.key)) {
                try errors.collect(inside: ".\(entry.key)") { () throws(PropertyError) in
                    throw PropertyError.unknown(entry, others: fields.map(\.name).filter { table[$0] == nil })
                }
            }
            try errors.throwCollected()
        }
    }

    /// The conversion, which also accepts null.
    var nullable: SchemaConversion {
        SchemaConversion(noun: noun) { node throws(PropertyError) in
            if !Self.isNull(node) { try convert(node) }
        }
    }

    fileprivate static func isNull(_ node: PropertyNode) -> Bool {
        if case .null = node.value { true } else { false }
    }

    // Enums compare texts as Swift strings. In long texts, that could take quadratic time.
    private static func isEqual(_ one: PropertyValue, _ other: PropertyValue) -> Bool {
        if case .string(let one) = one, case .string(let other) = other, other.utf8.count <= 1000 {
            return one == other
        }
        return PropertyValue.isSame(one, other)
    }
}

extension MismatchCollector {
    /// Runs a conversion of a value inside an array or a table, and collects its errors.
    fileprivate mutating func collect(
        inside step: String, _ convert: () throws(PropertyError) -> Void
    ) throws(PropertyError) {
        _ = try collect { () throws(PropertyError) in
            do throws(PropertyError) { try convert() } catch { throw error.inside(step) }
        }
    }
}

/// The keys of a table of any size.
enum SchemaTableKeys: Sendable {
    case texts, integers
    case cases([String])

    /// Throws the error about a value that is not a table, or about a key.
    fileprivate func check(_ node: PropertyNode) throws(PropertyError) {
        switch self {
        case .texts: _ = try [String: PropertyNode](property: node)
        case .integers: _ = try [Int: PropertyNode](property: node)
        case .cases(let cases):
            for key in try [String: PropertyNode](property: node).keys.sorted() where !cases.contains(key) {
                guard case .table(let table) = node.value, let value = table[key] else { continue }
                let names = cases.map { "\"\($0)\"" }.joined(separator: ", ")
                throw PropertyError(
                    .notParsable, value, expected: "a key that is one of \(names)", remedy: "Rename the key"
                ).inside(".\(key)")
            }
        }
    }
}

import TextBasics

/// A type whose values can be written in a source so that reading them returns equal values.
package protocol SourceConvertible: PropertyConvertible {
    /// The value as a source contains it.
    var sourceValue: PropertyValue { get }
    /// The keywords of JSON Schema for the values that the type accepts in a JSON or TOML file.
    ///
    /// A schema may accept more values than the type, but never fewer.
    static var schema: JsonSchema { get }
}

/// The keywords of a JSON Schema, such as `type` and `minimum`, in their order in the text.
package typealias JsonSchema = KeyValuePairs<String, PropertyValue>

extension SourceConvertible {
    /// The keywords of a type whose values are written as text.
    package static var schema: JsonSchema { ["type": "string"] }
}

extension PropertyValue {
    /// Creates the value that a source contains for a Swift value. A value of any other type is kept unchanged; it can
    /// be read only as its own type.
    init(source value: any Sendable) {
        self = Self.plain(value) ?? .opaque(OpaqueValue(value))
    }

    /// Creates the value that a loader returns for a Swift value: a number, a string, a duration, an enum with raw values,
    /// an array or a dictionary of such values, or nil.
    ///
    ///     func load() -> PropertyLayer { ["http.port": PropertyValue(port)] }
    ///
    /// A value of any other type is kept unchanged, and can be read only as its own type.
    ///
    /// - Parameter value: the value.
    public init(_ value: some Sendable) { self.init(source: value) }

    /// Returns the value that a source contains for a Swift value, or nil if its type has no conversion. A value of any
    /// other type is converted by the given function, which returns nil if the value has no table.
    static func plain(_ value: Any, table: (Any) -> PropertyValue? = { _ in nil }) -> PropertyValue? {
        if let value = value as? PropertyValue { return value }
        if let node = value as? PropertyNode { return node.value }
        // Without this check, a cast of an optional would look into it, and nil would have no type.
        if let optional = value as? any OptionalValue {
            return optional.content.map { plain($0, table: table) } ?? .null
        }
        if let convertible = value as? any SourceConvertible { return convertible.sourceValue }
        if let collection = value as? any SourceCollection { return collection.plainValue { plain($0, table: table) } }
        // Reading prefers a conversion of the type's own to its raw value.
        if value is any PropertyConvertible { return nil }
        if let raw = value as? any RawRepresentable { return rawValue(of: raw) }
        return table(value)
    }

    private static func rawValue(of value: some RawRepresentable) -> PropertyValue? { plain(value.rawValue) }
}

// MARK: - Basic types

extension Bool: SourceConvertible {
    package var sourceValue: PropertyValue { .bool(self) }
    package static var schema: JsonSchema { ["type": "boolean"] }
}

extension String: SourceConvertible {
    package var sourceValue: PropertyValue { .string(self) }
}

extension Duration: SourceConvertible {
    package var sourceValue: PropertyValue { .string(DurationText.text(self)) }

    // The order of the units is not part of the pattern.
    package static var schema: JsonSchema {
        let number = "[0-9]+(\\.[0-9]+)?"
        return [
            "type": "string",
            "pattern": .string(
                "^-?((\(number)(d|h|m|s|ms|us|\u{B5}s|\u{3BC}s|ns))+|P(\(number)[WD])*(T(\(number)[HMS])+)?)$"),
        ]
    }
}

extension PropertyDateTime: SourceConvertible {
    package var sourceValue: PropertyValue { .dateTime(self) }

    package static var schema: JsonSchema {
        ["type": "string", "pattern": .string("^(\(dayPattern)([Tt ]\(timePattern))?|\(timePattern))$")]
    }

    /// The pattern of a day of any month.
    private static let dayPattern = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
    /// The pattern of a time of day, with or without an offset from UTC.
    private static let timePattern = "[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]+)?)?([Zz]|[+-][0-9]{2}:[0-9]{2})?"

    /// The schema of the text of an offset date-time.
    package static var offsetSchema: JsonSchema {
        ["type": "string", "pattern": .string("^\(dayPattern)[Tt ]\(timePattern.dropLast())$")]
    }
}

extension Double: SourceConvertible {
    package var sourceValue: PropertyValue { .double(self) }
    package static var schema: JsonSchema { ["type": "number"] }
}

extension Float: SourceConvertible {
    // The shortest decimal text of a `Float`, which is read as the same `Float`, has fewer digits than its `Double`.
    package var sourceValue: PropertyValue { .double(Double("\(self)") ?? Double(self)) }
    package static var schema: JsonSchema { ["type": "number"] }
}

extension SourceConvertible where Self: FixedWidthInteger {
    package var sourceValue: PropertyValue {
        if let small = Int64(exactly: self) { return .integer(small) }
        return UInt64(exactly: self).map { .unsigned($0) } ?? .bigInteger(String(self))
    }

    package static var schema: JsonSchema {
        // Editors compute with doubles, which cannot represent the limits of wider types.
        guard bitWidth < 64 else { return isSigned ? ["type": "integer"] : ["type": "integer", "minimum": 0] }
        return ["type": "integer", "minimum": min.sourceValue, "maximum": max.sourceValue]
    }
}

// MARK: - Collections

/// An optional of any type.
protocol OptionalValue {
    var content: Any? { get }
    static var wrapped: Any.Type { get }
    static var nilValue: Self { get }
}

extension Optional: OptionalValue {
    var content: Any? { map { $0 } }
    static var wrapped: Any.Type { Wrapped.self }
    static var nilValue: Self { nil }
}

/// An array or a dictionary.
private protocol SourceCollection {
    /// Returns the array or table of the converted elements, or nil if an element or a key has no conversion.
    func plainValue(_ convert: (Any) -> PropertyValue?) -> PropertyValue?
}

extension Array: SourceCollection {
    fileprivate func plainValue(_ convert: (Any) -> PropertyValue?) -> PropertyValue? {
        let nodes = compactMap { convert($0).map { PropertyNode($0) } }
        return nodes.count == count ? .array(nodes) : nil
    }
}

extension Set: SourceCollection {
    fileprivate func plainValue(_ convert: (Any) -> PropertyValue?) -> PropertyValue? {
        let nodes = compactMap { convert($0).map { PropertyNode($0) } }
        // The order of a set differs from run to run.
        return nodes.count == count ? .array(nodes.sorted(byName: { JsonText.text($0, isMasked: nil) })) : nil
    }
}

extension Dictionary: SourceCollection {
    fileprivate func plainValue(_ convert: (Any) -> PropertyValue?) -> PropertyValue? {
        var pairs: [(String, PropertyValue)] = []
        for (key, value) in self {
            guard let key = key as? any CodingKeyRepresentable, let value = convert(value) else { return nil }
            pairs.append((key.codingKey.stringValue, value))
        }
        // The order of a dictionary differs from run to run.
        return .table(PropertyTable(pairs.sorted { $0.0.precedes($1.0) }))
    }
}

// MARK: - Schemas of types

extension PropertyValue {
    /// Returns the JSON Schema of the values in a file that can be read as a type that is no container. It is empty if they
    /// are not known, as for a type with its own conversion.
    static func schema(of type: Any.Type) -> [(String, PropertyValue)] {
        if let convertible = type as? any SourceConvertible.Type { return Array(convertible.schema) }
        if type is any PropertyConvertible.Type { return [] }
        if let type = type as? any CaseInsensitiveValue.Type { return type.schema }
        if let raw = type as? any RawRepresentable.Type {
            guard let cases = caseValues(type) else { return schema(of: rawType(raw)) }
            return [("enum", .array(cases.map { PropertyNode($0) }))]
        }
        return []
    }

    /// Adds null to the values that a schema accepts.
    static func nullable(_ schema: [(String, PropertyValue)]) -> [(String, PropertyValue)] {
        schema.map { keyword, value in
            switch value {
            case .array(let values) where keyword == "enum" && values.last?.isNull == false:
                (keyword, .array(values + [PropertyNode(nil)]))
            case .string where keyword == "type": (keyword, [value, "null"])
            // An optional type is nullable by itself.
            case .array(let types) where keyword == "type" && types.last?.value.plainText != "null":
                (keyword, .array(types + [PropertyNode("null")]))
            default: (keyword, value)
            }
        }
    }

    static func rawType<R: RawRepresentable>(_ type: R.Type) -> Any.Type { R.RawValue.self }

    static func caseValues(_ type: Any.Type) -> [PropertyValue]? {
        guard let cases = type as? any (CaseIterable & RawRepresentable).Type else { return nil }
        return rawValues(cases)
    }

    private static func rawValues<E: CaseIterable & RawRepresentable>(_ type: E.Type) -> [PropertyValue]? {
        let values = type.allCases.compactMap { plain($0.rawValue) }
        return values.count == type.allCases.count ? values : nil
    }
}

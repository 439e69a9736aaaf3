import Foundation
import PropertyLoaders

/// Judges documents by a JSON Schema, for the keywords that the package writes.
///
/// `.ci/long schemas` has another validator judge such documents, too.
struct JsonSchemaValidator {
    /// A keyword that this validator does not have.
    struct UnknownKeyword: Error {
        let keyword: String
    }

    private static let annotations = ["$schema", "description", "default", "x-", "deprecated"]

    /// Whether a schema accepts a value.
    static func accepts(_ value: PropertyValue, _ schema: PropertyValue) throws -> Bool {
        guard case .table(let keywords) = schema else { return true }
        for entry in keywords where !annotations.contains(where: { entry.key.hasPrefix($0) }) {
            guard try accepts(value, entry.key, entry.node.value, keywords) else { return false }
        }
        return true
    }

    private static func accepts(
        _ value: PropertyValue, _ keyword: String, _ argument: PropertyValue, _ keywords: PropertyTable
    ) throws -> Bool {
        switch keyword {
        case "type":
            if case .array(let types) = argument { return types.contains { isOf($0.value, value) } }
            return isOf(argument, value)
        case "enum":
            guard case .array(let cases) = argument else { return false }
            return cases.contains { isEqual($0.value, value) }
        case "minimum", "maximum", "exclusiveMaximum":
            guard let number = number(value), let limit = Self.number(argument) else { return true }
            return keyword == "minimum" ? number >= limit : keyword == "maximum" ? number <= limit : number < limit
        case "pattern":
            guard case .string(let text) = value, case .string(let pattern) = argument else { return true }
            return try NSRegularExpression(pattern: pattern)
                .firstMatch(in: text, range: NSRange(location: 0, length: (text as NSString).length)) != nil
        case "items":
            guard case .array(let elements) = value else { return true }
            return try elements.allSatisfy { try accepts($0.value, argument) }
        case "properties", "patternProperties", "additionalProperties":
            guard case .table(let table) = value else { return true }
            return try table.allSatisfy { try accepts($0, keyword, argument, keywords) }
        case "required":
            guard case .table(let table) = value, case .array(let names) = argument else { return true }
            return names.allSatisfy { if case .string(let name) = $0.value { table[name] != nil } else { false } }
        default: throw UnknownKeyword(keyword: keyword)
        }
    }

    /// Whether one keyword for the keys of a table accepts an entry.
    private static func accepts(
        _ entry: PropertyTable.Entry, _ keyword: String, _ argument: PropertyValue, _ keywords: PropertyTable
    ) throws -> Bool {
        if keyword == "additionalProperties" {
            if case .table(let known) = keywords["properties"]?.value, known[entry.key] != nil { return true }
            if keywords["patternProperties"] != nil, entry.key.contains(".") { return true }
            if case .bool(let bool) = argument { return bool }
            return try accepts(entry.node.value, argument)
        }
        guard case .table(let schemas) = argument else { return true }
        // The only pattern is the pattern of a dot.
        guard let schema = schemas[keyword == "properties" ? entry.key : "\\."] else { return true }
        return try keyword == "patternProperties" && !entry.key.contains(".")
            || accepts(entry.node.value, schema.value)
    }

    private static func isOf(_ type: PropertyValue, _ value: PropertyValue) -> Bool {
        guard case .string(let type) = type else { return false }
        switch value {
        case .null: return type == "null"
        case .bool: return type == "boolean"
        case .integer, .unsigned, .bigInteger: return type == "integer" || type == "number"
        case .double(let double): return type == "number" || type == "integer" && double.rounded() == double
        case .string: return type == "string"
        case .array: return type == "array"
        case .table: return type == "object"
        default: return false
        }
    }

    private static func isEqual(_ one: PropertyValue, _ other: PropertyValue) -> Bool {
        if let one = number(one), let other = number(other) { return one == other }
        return PropertyValue.isSame(one, other)
    }

    private static func number(_ value: PropertyValue) -> Decimal? {
        switch value {
        case .integer(let integer): Decimal(integer)
        case .unsigned(let integer): Decimal(integer)
        case .bigInteger(let digits): Decimal(string: digits)
        // The binary value, as other validators compare it.
        case .double(let double): Decimal(string: String(format: "%.40f", double))
        default: nil
        }
    }
}

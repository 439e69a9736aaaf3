import Foundation
import PropertyLoaders

/// A document as tagged JSON: every value that is no table and no array is `{"type": T, "value": "text"}`.
///
/// The types are those of the conformance suites for TOML, and `data` (base64) and `null`.
struct TaggedJSON: CustomStringConvertible {
    let description: String

    init(_ value: PropertyValue) {
        description =
            switch value {
            case .null: Self.tagged("null", "null")
            case .bool(let bool): Self.tagged("bool", String(bool))
            case .integer(let integer): Self.tagged("integer", String(integer))
            case .unsigned(let integer): Self.tagged("integer", String(integer))
            case .bigInteger(let digits): Self.tagged("integer", digits)
            case .double(let double): Self.tagged("float", String(double))
            case .string(let text), .text(let text): Self.tagged("string", text)
            case .data(let bytes): Self.tagged("data", Data(bytes).base64EncodedString())
            case .dateTime(let dateTime): Self.tagged(dateTime.kind.rawValue, dateTime.description)
            case .array(let nodes): "[\(nodes.map { TaggedJSON($0.value).description }.joined(separator: ", "))]"
            case .table(let table):
                "{\(table.map { "\(JSONText.quoted($0.key)): \(TaggedJSON($0.node.value))" }.joined(separator: ", "))}"
            case .opaque(let opaque): Self.tagged("opaque", String(describing: opaque.value))
            }
    }

    private static func tagged(_ type: String, _ value: String) -> String {
        "{\"type\": \"\(type)\", \"value\": \(JSONText.quoted(value))}"
    }
}

import Foundation
import PropertyLoaders

/// A value as JSON (RFC 8259) on one line.
///
/// What JSON has no value for is a string: dates as RFC 3339, data as base64, `nan` and `inf`.
struct JSONText: CustomStringConvertible {
    let description: String

    init(_ value: PropertyValue) {
        description =
            switch value {
            case .null: "null"
            case .bool(let bool): String(bool)
            case .integer(let integer): String(integer)
            case .unsigned(let integer): String(integer)
            case .bigInteger(let digits): digits
            case .double(let double): double.isFinite ? String(double) : Self.quoted(String(double))
            case .string(let text), .text(let text): Self.quoted(text)
            case .data(let bytes): Self.quoted(Data(bytes).base64EncodedString())
            case .dateTime(let dateTime): Self.quoted(dateTime.description)
            case .array(let nodes): "[\(nodes.map { JSONText($0.value).description }.joined(separator: ", "))]"
            case .table(let table):
                "{\(table.map { "\(Self.quoted($0.key)): \(JSONText($0.node.value))" }.joined(separator: ", "))}"
            case .opaque(let opaque): Self.quoted(String(describing: opaque.value))
            }
    }

    /// A string with its quotes, as the store writes it.
    static func quoted(_ text: String) -> String { JsonText.quoted(text) }
}

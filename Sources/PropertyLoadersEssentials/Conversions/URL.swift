#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension URL: PropertyConvertible {
    /// What messages call the type.
    public static var propertyTypeName: String { "a URL such as \"https://example.com\"" }

    /// Reads a string that is a URL by RFC 3986 as it stands: nothing is percent-encoded to make it one.
    public init(property node: PropertyNode) throws(PropertyMismatch) {
        let text = try node.textForConversion(expected: Self.propertyTypeName)
        guard !text.isEmpty, let url = URL(string: text, encodingInvalidCharacters: false) else {
            throw PropertyMismatch(.notParsable, node, expected: Self.propertyTypeName)
        }
        self = url
    }
}

extension PropertyNode {
    /// The text of a string, for the types that the formats have no value for.
    func textForConversion(expected: String) throws(PropertyMismatch) -> String {
        switch value {
        case .string(let text), .text(let text): return text
        default: throw PropertyMismatch(.wrongType, self, expected: expected)
        }
    }
}

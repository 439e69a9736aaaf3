#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Data: PropertyConvertible {
    /// What messages call the type.
    public static var propertyTypeName: String { "data, or a string of base64" }

    /// Reads data as it is, and a string that is base64 by RFC 4648 (section 4: padded, unused bits zero, no line breaks).
    public init(property node: PropertyNode) throws(PropertyMismatch) {
        if case .data(let bytes) = node.value {
            self = Data(bytes)
            return
        }
        let text = try node.textForConversion(expected: Self.propertyTypeName)
        guard let bytes = Base64.bytes(text) else {
            throw PropertyMismatch(.notParsable, node, expected: Self.propertyTypeName)
        }
        self = Data(bytes)
    }
}

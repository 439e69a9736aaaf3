/// An encoder and a strict decoder of base64 (RFC 4648, section 4).
///
/// Foundation's decoder also accepts invalid text, such as `====` and `QUJD=`.
package enum Base64 {
    /// Returns the base64 text of bytes, with padding.
    package static func text(of bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let word = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                text.append(place <= group.count ? alphabet[word >> (18 - 6 * place) & 63] : "=")
            }
        }
        return text
    }

    /// Returns the bytes that a text encodes, or `nil` if it is not valid base64.
    ///
    /// Padding is required and unused bits must be zero, so only one text is valid for given bytes.
    package static func bytes(_ text: String) -> [UInt8]? {
        let count = text.utf8.count
        // Base64 has groups of four characters. The last group may end in one or two characters of padding.
        guard count % 4 == 0 else { return nil }
        let padding = text.utf8.suffix(2).reversed().prefix { $0 == .equals }.count
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count / 4 * 3)
        var bits: UInt32 = 0
        var bitCount = 0
        for character in text.utf8.dropLast(padding) {
            guard let digit = digit(character) else { return nil }
            bits = bits << 6 | digit
            bitCount += 6
            guard bitCount >= 8 else { continue }
            bitCount -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
            bits &= 1 << UInt32(bitCount) - 1
        }
        // RFC 4648, section 3.5: unused bits must be zero.
        return bits == 0 ? bytes : nil
    }

    private static func digit(_ character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case .plus: 62
        case .slash: 63
        default: nil
        }
    }
}

/// Base64 as RFC 4648, section 4 defines it, and nothing else: Foundation takes `====` and `QUJD=`.
enum Base64 {
    /// The bytes that a text encodes, or nil where it is not base64: each value has exactly one text.
    static func bytes(_ text: String) -> [UInt8]? {
        let count = text.utf8.count
        // Groups of four, of which the last may have one or two characters of padding.
        guard count % 4 == 0 else { return nil }
        let padding = text.utf8.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
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
        // RFC 4648, section 3.5: the bits that no byte has room for are zero.
        return bits == 0 ? bytes : nil
    }

    private static func digit(_ character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}

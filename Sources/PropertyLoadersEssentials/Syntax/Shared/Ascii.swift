// The names of the bytes that the grammars speak of.
extension UInt8 {
    static var tab: UInt8 { 0x09 }
    static var newline: UInt8 { 0x0A }
    static var carriageReturn: UInt8 { 0x0D }
    static var space: UInt8 { 0x20 }
    static var quote: UInt8 { 0x22 }
    static var apostrophe: UInt8 { 0x27 }
    static var backslash: UInt8 { 0x5C }
    static var delete: UInt8 { 0x7F }

    /// `0` to `9`.
    var isDigit: Bool { self &- 0x30 < 10 }

    /// `A` to `Z` and `a` to `z`.
    var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

    /// What a word is made of: letters, digits and `_`.
    var isWordPart: Bool { isLetter || isDigit || self == 0x5F }

    /// The value of a hexadecimal digit, or nil.
    var hexDigit: UInt32? {
        if isDigit { return UInt32(self &- 0x30) }
        let letter = (self | 0x20) &- 0x61
        return letter < 6 ? UInt32(letter) + 10 : nil
    }
}

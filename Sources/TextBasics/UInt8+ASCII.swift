// The names of the bytes that grammars speak of.
extension UInt8 {
    @inlinable package static var tab: UInt8 { 0x09 }
    @inlinable package static var newline: UInt8 { 0x0A }
    @inlinable package static var carriageReturn: UInt8 { 0x0D }
    @inlinable package static var space: UInt8 { 0x20 }
    @inlinable package static var quote: UInt8 { 0x22 }
    @inlinable package static var apostrophe: UInt8 { 0x27 }
    @inlinable package static var backslash: UInt8 { 0x5C }
    @inlinable package static var delete: UInt8 { 0x7F }

    /// `0` to `9`.
    @inlinable package var isDigit: Bool { self &- 0x30 < 10 }

    /// `A` to `Z` and `a` to `z`.
    @inlinable package var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

    /// A letter, a digit or `_`.
    @inlinable package var isWordPart: Bool { isLetter || isDigit || self == 0x5F }

    /// A space, a tab, a line feed or a carriage return: the white space of JSON and of XML.
    @inlinable package var isWhitespace: Bool {
        self == .space || self == .newline || self == .carriageReturn || self == .tab
    }

    /// `"` or `'`.
    @inlinable package var isQuote: Bool { self == .quote || self == .apostrophe }

    /// The value of a hexadecimal digit, or nil.
    @inlinable package var hexDigit: UInt32? {
        if isDigit { return UInt32(self &- 0x30) }
        let letter = (self | 0x20) &- 0x61
        return letter < 6 ? UInt32(letter) + 10 : nil
    }
}

// Names of ASCII characters.
extension UInt8 {
    @inlinable package static var tab: UInt8 { 0x09 }
    @inlinable package static var newline: UInt8 { 0x0A }
    @inlinable package static var carriageReturn: UInt8 { 0x0D }
    @inlinable package static var space: UInt8 { 0x20 }
    @inlinable package static var quote: UInt8 { 0x22 }
    @inlinable package static var apostrophe: UInt8 { 0x27 }
    @inlinable package static var backslash: UInt8 { 0x5C }
    @inlinable package static var hash: UInt8 { 0x23 }
    @inlinable package static var ampersand: UInt8 { 0x26 }
    @inlinable package static var asterisk: UInt8 { 0x2A }
    @inlinable package static var plus: UInt8 { 0x2B }
    @inlinable package static var comma: UInt8 { 0x2C }
    @inlinable package static var minus: UInt8 { 0x2D }
    @inlinable package static var dot: UInt8 { 0x2E }
    @inlinable package static var slash: UInt8 { 0x2F }
    @inlinable package static var colon: UInt8 { 0x3A }
    @inlinable package static var semicolon: UInt8 { 0x3B }
    @inlinable package static var lessThan: UInt8 { 0x3C }
    @inlinable package static var equals: UInt8 { 0x3D }
    @inlinable package static var greaterThan: UInt8 { 0x3E }
    @inlinable package static var openBracket: UInt8 { 0x5B }
    @inlinable package static var closeBracket: UInt8 { 0x5D }
    @inlinable package static var underscore: UInt8 { 0x5F }
    @inlinable package static var backtick: UInt8 { 0x60 }
    @inlinable package static var openBrace: UInt8 { 0x7B }
    @inlinable package static var closeBrace: UInt8 { 0x7D }
    @inlinable package static var delete: UInt8 { 0x7F }

    /// Whether the byte is a digit, `0` to `9`.
    @inlinable package var isDigit: Bool { self &- 0x30 < 10 }

    /// Whether the byte is an ASCII letter, `A` to `Z` or `a` to `z`.
    @inlinable package var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

    /// Whether the byte is an ASCII letter, a digit or `_`.
    @inlinable package var isWordPart: Bool { isLetter || isDigit || self == 0x5F }

    /// Whether it is white space in text: a space, a tab, a line ending, a vertical tab or a form feed.
    @inlinable package var isAnySpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

    /// Whether the byte is white space in JSON and in XML: a space, a tab, a line feed or a carriage return.
    @inlinable package var isWhitespace: Bool {
        self == .space || self == .newline || self == .carriageReturn || self == .tab
    }

    /// Whether the byte is `"` or `'`.
    @inlinable package var isQuote: Bool { self == .quote || self == .apostrophe }

    /// The value of a hexadecimal digit, or nil for any other byte.
    @inlinable package var hexDigit: UInt32? {
        if isDigit { return UInt32(self &- 0x30) }
        let letter = (self | 0x20) &- 0x61
        return letter < 6 ? UInt32(letter) + 10 : nil
    }
}

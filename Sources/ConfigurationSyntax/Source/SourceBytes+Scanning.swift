import TextBasics

// Searches for the end of spaces, text and words. The zeros behind the source stop every search.
extension SourceBytes {
    /// Returns the offset of the first byte that is not a space, reading eight bytes at a time.
    @inline(__always)
    func endOfSpaces(from start: Int) -> Int {
        var offset = start
        while self[offset] == .space {
            let other = word(at: offset) ^ PackedBytes.spaces
            if other != 0 { return offset &+ other.trailingZeroBitCount >> 3 }
            offset &+= 8
        }
        return offset
    }

    /// Returns the offset of the next byte that is one of three bytes or a control character.
    @inline(__always)
    func endOfText(from start: Int, until one: UInt8, _ two: UInt8, _ three: UInt8) -> Int {
        var offset = start
        while true {
            let bytes = vector(at: offset)
            // The upper three bits of a control character are zero.
            let controls = bits(bytes & SIMD16(repeating: 0xE0) .== SIMD16(repeating: 0))
            let wanted = bits(bytes .== SIMD16(repeating: one)) | bits(bytes .== SIMD16(repeating: two))
            let found = controls | wanted | bits(bytes .== SIMD16(repeating: three))
            if found[0] != 0 { return offset &+ UInt64(littleEndian: found[0]).trailingZeroBitCount >> 3 }
            if found[1] != 0 { return offset &+ 8 &+ UInt64(littleEndian: found[1]).trailingZeroBitCount >> 3 }
            offset &+= 16
        }
    }

    /// Returns the offset of the next byte that is one of two bytes or a control character.
    @inline(__always)
    func endOfText(from start: Int, until one: UInt8, _ two: UInt8) -> Int {
        endOfText(from: start, until: one, two, two)
    }

    /// Returns the offset of the next byte that equals `one` or is a control character.
    @inline(__always)
    func endOfText(from start: Int, until one: UInt8) -> Int { endOfText(from: start, until: one, one, one) }

    // Returns the mask as two words. All other ways to find the first set lane of sixteen are slow in Swift.
    @inline(__always)
    private func bits(_ mask: SIMDMask<SIMD16<Int8>>) -> SIMD2<UInt64> {
        unsafe unsafeBitCast(mask, to: SIMD2<UInt64>.self)
    }

    /// Returns whether the whole word at an offset is `letters`: no letter, digit or `_` follows them.
    func isWord(_ letters: UInt64, count: Int, at offset: Int) -> Bool {
        word(at: offset) & ~(~0 << (8 * UInt64(count))) == letters && !self[offset + count].isWordPart
    }
}

/// Operations on eight bytes in one 64-bit word (SWAR). The lowest byte is the first.
enum PackedBytes {
    private static var ones: UInt64 { 0x0101_0101_0101_0101 }
    private static var highBits: UInt64 { 0x8080_8080_8080_8080 }

    /// Eight spaces.
    static var spaces: UInt64 { repeating(.space) }

    /// The letters of `true`, packed into a word.
    static var `true`: UInt64 { 0x6575_7274 }
    /// The letters of `false`, packed into a word.
    static var `false`: UInt64 { 0x65_736C_6166 }
    /// The letters of `null`, packed into a word.
    static var null: UInt64 { 0x6C6C_756E }

    /// The letters of `inf`, packed into a word.
    static var inf: UInt64 { 0x66_6E69 }
    /// The letters of `nan`, packed into a word.
    static var nan: UInt64 { 0x6E_616E }

    /// Returns a word of eight equal bytes.
    static func repeating(_ byte: UInt8) -> UInt64 { UInt64(byte) &* ones }

    /// Returns the number of ASCII letters, digits, `-` and `_` at the start of a word, 0 to 8.
    @inline(__always)
    static func bareKeyCount(_ word: UInt64) -> Int {
        // Adding 0x80 - x to an ASCII byte sets its high bit if the byte is at least x. `& ~word` excludes bytes that
        // are not ASCII.
        let low = word & ~highBits
        let letter = low | repeating(0x20)
        let isLetter = (letter &+ repeating(0x80 - 0x61)) & ~(letter &+ repeating(0x80 - 0x7B))
        let isDigit = (low &+ repeating(0x80 - 0x30)) & ~(low &+ repeating(0x80 - 0x3A))
        let isHyphen = ~((low ^ repeating(0x2D)) &+ repeating(0x7F))
        let isUnderscore = ~((low ^ repeating(0x5F)) &+ repeating(0x7F))
        let isKey = (isLetter | isDigit | isHyphen | isUnderscore) & ~word & highBits
        return (isKey ^ highBits).trailingZeroBitCount >> 3
    }

    /// Returns the number of digits at the start of a word, 0 to 8.
    @inline(__always)
    static func digitCount(_ word: UInt64) -> Int {
        // A byte is a digit if its upper four bits are 3, and are still 3 after 6 is added to the byte.
        let upper = word & repeating(0xF0) | ((word &+ repeating(6)) & repeating(0xF0)) >> 4
        return (upper ^ repeating(0x33)).trailingZeroBitCount >> 3
    }

    /// Returns the value of the first `count` digits of a word. The count must be at least 1.
    @inline(__always)
    static func number(_ word: UInt64, count: Int) -> UInt64 {
        // The shift drops the bytes after the digits and inserts zeros before them. The next lines combine digits to
        // numbers of two digits, these to numbers of four digits, and these to the result.
        let values = (word &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count)) & repeating(0x0F)
        let pairs = (values &* 10 &+ values >> 8) & 0x00FF_00FF_00FF_00FF
        let fours = (pairs &* 100 &+ pairs >> 16) & 0x0000_FFFF_0000_FFFF
        return (fours &* 10_000 &+ fours >> 32) & 0xFFFF_FFFF
    }

}

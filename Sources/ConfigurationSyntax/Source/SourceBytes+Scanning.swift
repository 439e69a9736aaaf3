import TextBasics

// How far something goes. The zeros behind the source end everything.
extension SourceBytes {
    /// The first place that has no space; eight are passed at a time where there are many.
    @inline(__always)
    func endOfSpaces(from start: Int) -> Int {
        var place = start
        while self[place] == .space {
            let other = word(at: place) ^ EightBytes.spaces
            if other != 0 { return place &+ other.trailingZeroBitCount >> 3 }
            place &+= 8
        }
        return place
    }

    /// The first place that has one of three bytes or a control character, as the end has.
    @inline(__always)
    func endOfText(from start: Int, until one: UInt8, _ two: UInt8, _ three: UInt8) -> Int {
        var place = start
        while true {
            let bytes = vector(at: place)
            // Control characters have none of the upper three bits.
            let controls = bits(bytes & SIMD16(repeating: 0xE0) .== SIMD16(repeating: 0))
            let wanted = bits(bytes .== SIMD16(repeating: one)) | bits(bytes .== SIMD16(repeating: two))
            let found = controls | wanted | bits(bytes .== SIMD16(repeating: three))
            if found[0] != 0 { return place &+ UInt64(littleEndian: found[0]).trailingZeroBitCount >> 3 }
            if found[1] != 0 { return place &+ 8 &+ UInt64(littleEndian: found[1]).trailingZeroBitCount >> 3 }
            place &+= 16
        }
    }

    /// The first place that has one of two bytes or a control character.
    @inline(__always)
    func endOfText(from start: Int, until one: UInt8, _ two: UInt8) -> Int {
        endOfText(from: start, until: one, two, two)
    }

    /// The first place that has a byte or a control character.
    @inline(__always)
    func endOfText(from start: Int, until one: UInt8) -> Int { endOfText(from: start, until: one, one, one) }

    // All bits of a byte that was found, in two words: of sixteen one-byte answers nothing else is quick in Swift.
    @inline(__always)
    private func bits(_ mask: SIMDMask<SIMD16<Int8>>) -> SIMD2<UInt64> {
        unsafe unsafeBitCast(mask, to: SIMD2<UInt64>.self)
    }

    /// Whether a word stands at a place and no more than it.
    func isWord(_ letters: UInt64, count: Int, at place: Int) -> Bool {
        word(at: place) & ~(~0 << (8 * UInt64(count))) == letters && !self[place + count].isWordPart
    }
}

/// Eight bytes looked at together, in a 64-bit word whose lowest byte is the first.
enum EightBytes {
    private static var ones: UInt64 { 0x0101_0101_0101_0101 }
    private static var highBits: UInt64 { 0x8080_8080_8080_8080 }

    /// Eight spaces.
    static var spaces: UInt64 { repeating(.space) }

    /// `true`, its first letter lowest, as a word has it.
    static var `true`: UInt64 { 0x6575_7274 }
    /// `false`.
    static var `false`: UInt64 { 0x65_736C_6166 }
    /// `null`.
    static var null: UInt64 { 0x6C6C_756E }

    /// `inf`.
    static var inf: UInt64 { 0x66_6E69 }
    /// `nan`.
    static var nan: UInt64 { 0x6E_616E }

    /// A byte in all eight places.
    static func repeating(_ byte: UInt8) -> UInt64 { UInt64(byte) &* ones }

    /// How many letters, digits, `-` and `_` a word begins with.
    @inline(__always)
    static func bareKeyCount(_ word: UInt64) -> Int {
        // Each sum sets a byte's high bit where the byte is at least the one that is meant. Those that have it are no ASCII.
        let low = word & ~highBits
        let letter = low | repeating(0x20)
        let isLetter = (letter &+ repeating(0x80 - 0x61)) & ~(letter &+ repeating(0x80 - 0x7B))
        let isDigit = (low &+ repeating(0x80 - 0x30)) & ~(low &+ repeating(0x80 - 0x3A))
        let isHyphen = ~((low ^ repeating(0x2D)) &+ repeating(0x7F))
        let isUnderscore = ~((low ^ repeating(0x5F)) &+ repeating(0x7F))
        let isKey = (isLetter | isDigit | isHyphen | isUnderscore) & ~word & highBits
        return (isKey ^ highBits).trailingZeroBitCount >> 3
    }

    /// How many digits a word begins with, the first one lowest.
    @inline(__always)
    static func digitCount(_ word: UInt64) -> Int {
        // A digit has 3 in its upper half, also when 6 is added.
        let upper = word & repeating(0xF0) | ((word &+ repeating(6)) & repeating(0xF0)) >> 4
        return (upper ^ repeating(0x33)).trailingZeroBitCount >> 3
    }

    /// The number that the first so many digits of a word say, at least one.
    @inline(__always)
    static func number(_ word: UInt64, count: Int) -> UInt64 {
        // What was no digit is a zero in front. Then pairs of digits, pairs of pairs, and both halves.
        let values = (word &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count)) & repeating(0x0F)
        let pairs = (values &* 10 &+ values >> 8) & 0x00FF_00FF_00FF_00FF
        let fours = (pairs &* 100 &+ pairs >> 16) & 0x0000_FFFF_0000_FFFF
        return (fours &* 10_000 &+ fours >> 32) & 0xFFFF_FFFF
    }

    /// The high bit of each byte that is not ASCII.
    static func nonASCII(_ word: UInt64) -> UInt64 { word & highBits }
}

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

import TextBasics

// Scans of spaces, text and words. The zeros behind the source stop every scan.
extension SourceBytes {
    /// Returns the offset of the first byte that is not a space.
    @inline(__always)
    func endOfSpaces(from start: Int) -> Int {
        var offset = start
        while self[offset] == .space { offset &+= 1 }
        return offset
    }

    /// Returns the offset of the first byte that is neither a space nor a tab.
    @inline(__always)
    func endOfBlanks(from start: Int) -> Int {
        var offset = start
        while self[offset] == .space || self[offset] == .tab { offset &+= 1 }
        return offset
    }

    /// Returns the offset of the next byte that is one of up to three bytes or a control character.
    @inline(__always)
    func endOfText(from start: Int, until one: UInt8, _ two: UInt8? = nil, _ three: UInt8? = nil) -> Int {
        var offset = start
        while true {
            let bytes = vector(at: offset)
            // The upper three bits of a control character are zero.
            let controls = bits(bytes & SIMD16(repeating: 0xE0) .== SIMD16(repeating: 0))
            let wanted = bits(bytes .== SIMD16(repeating: one)) | bits(bytes .== SIMD16(repeating: two ?? one))
            let found = controls | wanted | bits(bytes .== SIMD16(repeating: three ?? one))
            if found[0] != 0 { return offset &+ UInt64(littleEndian: found[0]).trailingZeroBitCount >> 3 }
            if found[1] != 0 { return offset &+ 8 &+ UInt64(littleEndian: found[1]).trailingZeroBitCount >> 3 }
            offset &+= 16
        }
    }

    // Returns the mask as two words. All other ways to find the first set lane of sixteen are slow in Swift.
    @inline(__always)
    private func bits(_ mask: SIMDMask<SIMD16<Int8>>) -> SIMD2<UInt64> {
        unsafe unsafeBitCast(mask, to: SIMD2<UInt64>.self)
    }

    /// Returns whether a word is at an offset, and no letter, digit or `_` follows it.
    @inline(__always)
    func isWord(_ word: StaticString, at offset: Int) -> Bool {
        let count = word.utf8CodeUnitCount
        for index in 0..<count where unsafe self[offset + index] != word.utf8Start[index] { return false }
        return !self[offset + count].isWordPart
    }
}

extension Cursor {
    /// The offset of the first byte sequence that is no UTF-8, or nil.
    ///
    /// The whole source is checked before it is parsed, so that no grammar rule has to.
    func firstInvalidUTF8() -> Int? {
        var place = offset
        while true {
            while place + 32 <= count {
                let words = word(at: place) | word(at: place + 8) | word(at: place + 16) | word(at: place + 24)
                guard EightBytes.nonASCII(words) == 0 else { break }
                place += 32
            }
            // Behind the source stand zeros, so a look of eight bytes ahead tells no lie.
            let found = EightBytes.nonASCII(word(at: place))
            guard found != 0 else {
                place += 8
                if place >= count { return nil }
                continue
            }
            place += found.trailingZeroBitCount >> 3
            repeat {
                let length = sequenceLength(at: place)
                guard length > 0 else { return place }
                place += length
            } while byte(at: place) >= 0x80
            if place >= count { return nil }
        }
    }

    // The Unicode Standard, table 3-7: well-formed UTF-8 byte sequences. 0 where there is none.
    private func sequenceLength(at place: Int) -> Int {
        let word = UInt32(truncatingIfNeeded: word(at: place))
        let lead = UInt8(truncatingIfNeeded: word)
        let second = UInt8(truncatingIfNeeded: word >> 8)
        switch lead {
        case 0xC2...0xDF:
            return second & 0xC0 == 0x80 ? 2 : 0
        case 0xE0...0xEF:
            guard word & 0xC0C000 == 0x808000 else { return 0 }
            // No overlong form, no surrogate.
            if lead == 0xE0 && second < 0xA0 || lead == 0xED && second > 0x9F { return 0 }
            return 3
        case 0xF0...0xF4:
            guard word & 0xC0C0_C000 == 0x8080_8000 else { return 0 }
            if lead == 0xF0 && second < 0x90 || lead == 0xF4 && second > 0x8F { return 0 }
            return 4
        default:
            return 0
        }
    }
}

extension Cursor {
    /// Looks at the source as a whole, and passes a byte order mark.
    mutating func start() throws(SyntaxFault) {
        let first = byte(at: 0)
        let second = byte(at: 1)
        // The byte order marks of UTF-16, or a zero where every text of ours begins with ASCII.
        let isMarked = first == 0xFF && second == 0xFE || first == 0xFE && second == 0xFF
        if isMarked || count > 1 && (first == 0) != (second == 0) { throw SyntaxFault(.utf16, at: 0) }
        if let place = firstInvalidUTF8() { throw SyntaxFault(.invalidUTF8, at: place) }
        if first == 0xEF, second == 0xBB, byte(at: 2) == 0xBF { advance(3) }
    }
}

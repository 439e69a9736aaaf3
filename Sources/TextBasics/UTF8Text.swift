/// Checks of the encoding of a text: byte order marks, UTF-16, and invalid UTF-8.
package enum UTF8Text {
    /// Returns the offset of the first character: 3 if the text starts with a UTF-8 byte order mark, else 0.
    package static func start(of bytes: [UInt8]) -> Int {
        bytes.count > 2 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0
    }

    /// Returns whether the first two bytes look like UTF-16.
    ///
    /// They do if they are a byte order mark, or if one of them is zero, as in an ASCII character in UTF-16.
    package static func isUTF16(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 1 else { return false }
        let isMark = bytes[0] == 0xFF && bytes[1] == 0xFE || bytes[0] == 0xFE && bytes[1] == 0xFF
        return isMark || (bytes[0] == 0) != (bytes[1] == 0)
    }

    /// Returns the offset of the first byte that is not part of a valid UTF-8 sequence, or nil if all bytes are valid.
    package static func firstInvalidByte(in bytes: [UInt8]) -> Int? {
        unsafe bytes.withUnsafeBytes { unsafe firstInvalidByte(in: $0) }
    }

    private static func firstInvalidByte(in bytes: UnsafeRawBufferPointer) -> Int? {
        var place = 0
        while place < bytes.count {
            place = unsafe endOfASCII(in: bytes, from: place)
            while place < bytes.count, unsafe bytes[place] >= 0x80 {
                let length = unsafe sequenceLength(in: bytes, at: place)
                guard length > 0 else { return place }
                place += length
            }
        }
        return nil
    }

    // Returns the offset of the first byte that is not ASCII, or the end of the text. It checks 32 bytes at a time,
    // since most text is ASCII.
    private static func endOfASCII(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        func word(_ place: Int) -> UInt64 { unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) }
        let highBits: UInt64 = 0x8080_8080_8080_8080
        var place = start
        while place + 32 <= bytes.count {
            let words = word(place) | word(place + 8) | word(place + 16) | word(place + 24)
            guard words & highBits == 0 else { break }
            place += 32
        }
        while place + 8 <= bytes.count {
            let found = UInt64(littleEndian: word(place)) & highBits
            guard found == 0 else { return place + found.trailingZeroBitCount / 8 }
            place += 8
        }
        while place < bytes.count, unsafe bytes[place] < 0x80 { place += 1 }
        return place
    }

    // Returns the length of the multi-byte sequence at an offset, or 0 if it is invalid (The Unicode Standard, table
    // 3-7).
    private static func sequenceLength(in bytes: UnsafeRawBufferPointer, at place: Int) -> Int {
        let word = unsafe fourBytes(of: bytes, at: place)
        let second = UInt8(truncatingIfNeeded: word >> 8)
        switch UInt8(truncatingIfNeeded: word) {
        case 0xC2...0xDF: return word & 0xC000 == 0x8000 ? 2 : 0
        // Rejects overlong forms (after 0xE0) and surrogates (after 0xED).
        case 0xE0 where second < 0xA0, 0xED where second > 0x9F: return 0
        case 0xE0...0xEF: return word & 0xC0_C000 == 0x80_8000 ? 3 : 0
        // Rejects overlong forms (after 0xF0) and code points above U+10FFFF (after 0xF4).
        case 0xF0 where second < 0x90, 0xF4 where second > 0x8F: return 0
        case 0xF0...0xF4: return word & 0xC0C0_C000 == 0x8080_8000 ? 4 : 0
        default: return 0
        }
    }

    // Returns four bytes as a word whose lowest byte is the first one. Bytes past the end of the text are zero.
    private static func fourBytes(of bytes: UnsafeRawBufferPointer, at place: Int) -> UInt32 {
        guard place + 4 <= bytes.count else {
            return unsafe bytes[place...].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        return UInt32(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
    }
}

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

    /// Returns whether bytes, which may also be data without any text, are text in UTF-16.
    ///
    /// Bytes are UTF-16 if they begin with a byte order mark and are mostly from one block of Unicode, or if every
    /// second byte of at least four is zero and the others are Latin-1. Random data rarely fits.
    package static func isUTF16Text(_ bytes: [UInt8]) -> Bool {
        guard isUTF16(bytes), bytes.count.isMultiple(of: 2) else { return false }
        let hasMark = bytes[0] != 0 && bytes[1] != 0
        let high = bytes[0] == (hasMark ? 0xFE : 0) ? 0 : 1
        let units = stride(from: hasMark ? 2 : 0, to: bytes.count, by: 2).map { offset in
            UInt16(bytes[offset + high]) << 8 | UInt16(bytes[offset + 1 - high])
        }
        guard let text = String(validating: units, as: UTF16.self) else { return false }
        guard text.unicodeScalars.allSatisfy({ !$0.isControl || $0.properties.isWhitespace }) else { return false }
        if !hasMark { return units.count > 1 && units.allSatisfy { $0 < 0x100 } }
        var blocks: [UInt16: Int] = [:]
        for unit in units { blocks[unit >> 8, default: 0] += 1 }
        return 2 * (blocks.values.max() ?? 0) >= units.count
    }

    /// Returns the text with a line feed in place of each line end, which is CR, LF, or both.
    package static func withLineFeeds(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(.carriageReturn) else { return bytes }
        return bytes.indices.compactMap { index in
            guard bytes[index] == .carriageReturn else { return bytes[index] }
            return index + 1 < bytes.count && bytes[index + 1] == .newline ? nil : .newline
        }
    }

    /// Throws the error of a text that is not UTF-8.
    package static func check(_ bytes: [UInt8]) throws(Diagnostic) {
        let remedy: MessageText = "Save the file as UTF-8"
        if isUTF16(bytes) { throw Diagnostic("the text is in UTF-16", at: 0, expected: "UTF-8", remedy: remedy) }
        guard let offset = firstInvalidByte(in: bytes) else { return }
        let byte = String(bytes[offset], radix: 16, uppercase: true)
        throw Diagnostic(
            "the byte 0x\(byte) is not valid UTF-8", at: offset, expected: "text in UTF-8", remedy: remedy)
    }

    /// Returns the offset of the first byte that is not part of a valid UTF-8 sequence, or nil if all bytes are valid.
    // `String(validating:as:)` copies the text, takes eight times as long for text that is not all ASCII, and does not
    // return the place of an error.
    private static func firstInvalidByte(in bytes: [UInt8]) -> Int? {
        let blockSize = 32, wordSize = 8
        return unsafe bytes.withUnsafeBytes { text in
            var offset = 0
            while offset < text.count {
                if offset + blockSize <= text.count, unsafe isASCII(text, at: offset) {
                    offset += blockSize
                } else if offset + wordSize <= text.count,
                    unsafe highBits(text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) == 0
                {
                    offset += wordSize
                } else {
                    let count = sequence(at: offset, in: bytes)
                    if count == 0 { return offset }
                    offset += count
                }
            }
            return nil
        }
    }

    // Returns whether 32 bytes are ASCII. It combines them before it tests their high bits, so that most texts are
    // checked with a quarter of the instructions.
    @inline(__always)
    private static func isASCII(_ text: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        let one = unsafe text.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
        let two = unsafe text.loadUnaligned(fromByteOffset: offset + 16, as: SIMD2<UInt64>.self)
        let words = one | two
        return highBits(words[0] | words[1]) == 0
    }

    // The high bit of a byte is set if the byte is not ASCII.
    private static func highBits(_ word: UInt64) -> UInt64 { word & 0x8080_8080_8080_8080 }

    /// Returns the length of the valid sequence at an offset, or 0 if the sequence is not valid.
    private static func sequence(at offset: Int, in bytes: [UInt8]) -> Int {
        // The Unicode Standard, table 3-7. Narrower ranges of the second byte exclude long forms and surrogates.
        let (count, second): (Int, ClosedRange<UInt8>)
        switch bytes[offset] {
        case 0..<0x80: return 1
        case 0xC2...0xDF: (count, second) = (2, 0x80...0xBF)
        case 0xE0: (count, second) = (3, 0xA0...0xBF)
        case 0xED: (count, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (count, second) = (3, 0x80...0xBF)
        case 0xF0: (count, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (count, second) = (4, 0x80...0xBF)
        case 0xF4: (count, second) = (4, 0x80...0x8F)
        default: return 0
        }
        guard offset + count <= bytes.count, second.contains(bytes[offset + 1]) else { return 0 }
        for index in 2..<count where bytes[offset + index] & 0xC0 != 0x80 { return 0 }
        return count
    }
}

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
    private static func firstInvalidByte(in bytes: [UInt8]) -> Int? {
        // The standard library validates many bytes at a time, but does not return the offset of an error.
        if String(validating: bytes, as: UTF8.self) != nil { return nil }
        var (parser, iterator, offset) = (Unicode.UTF8.ForwardParser(), bytes.makeIterator(), 0)
        while case .valid(let scalar) = parser.parseScalar(from: &iterator) { offset += scalar.count }
        return offset
    }
}

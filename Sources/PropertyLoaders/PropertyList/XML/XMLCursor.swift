/// A place in the bytes of an XML document, and what can be read from there.
struct XMLCursor {
    let bytes: [UInt8]
    var offset: Int

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        offset = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    var isAtEnd: Bool { offset >= bytes.count }

    /// The byte here; 0, which no XML has, at the end.
    var byte: UInt8 { offset < bytes.count ? bytes[offset] : 0 }

    /// Whether the text goes on with this.
    func isAt(_ text: StaticString) -> Bool {
        guard bytes.count - offset >= text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { unsafe $0.elementsEqual(bytes[offset..<offset + $0.count]) }
    }

    /// Steps over this where the text goes on with it.
    mutating func skip(_ text: StaticString) -> Bool {
        guard isAt(text) else { return false }
        offset += text.utf8CodeUnitCount
        return true
    }

    mutating func skipSpace() {
        while offset < bytes.count, XMLCharacter.isSpace(bytes[offset]) { offset += 1 }
    }

    /// Steps behind the next place where this stands; false, at the same place, where it stands nowhere.
    mutating func skip(behind text: StaticString) -> Bool {
        let start = offset
        while !isAtEnd {
            if skip(text) { return true }
            offset += 1
        }
        offset = start
        return false
    }

    /// Steps over text in quotes of either kind, and returns where it is; nil, at the same place, where there is none.
    mutating func literal() -> Range<Int>? {
        guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") else { return nil }
        let start = offset + 1
        guard let end = bytes[start...].firstIndex(of: byte) else { return nil }
        offset = end + 1
        return start..<end
    }

    /// Reads a name, which may be empty.
    mutating func name() -> String {
        let start = offset
        while offset < bytes.count, XMLCharacter.isName(bytes[offset]) { offset += 1 }
        return text(start..<offset)
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    // The Unicode Standard, table 3-7, by way of the standard library's own check.
    var firstInvalidUTF8: Int? {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes.span)
            return nil
        } catch {
            return error.byteOffsets.lowerBound
        }
    }
}

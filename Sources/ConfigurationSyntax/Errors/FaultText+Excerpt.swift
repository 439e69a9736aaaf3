import TextBasics

// What a message shows of the source.
extension FaultText {
    /// The byte at the place.
    var byte: UInt8 { Int(fault.offset) < bytes.count ? bytes[Int(fault.offset)] : 0 }

    /// The character at the place, in backticks, or its code point where it cannot be seen.
    var character: String { character(at: 0).map(quoted) ?? codePoint(at: 0) }

    /// The character at a distance to the place, or nil where it cannot be seen.
    func character(at distance: Int) -> String? {
        guard let scalar = scalar(at: distance) else { return nil }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .unassigned: return nil
        default: return String(Character(scalar))
        }
    }

    /// The code point at the place, as U+00A0.
    var codePoint: String { codePoint(at: 0) }

    /// The code point at a distance to the place, or which end is there.
    func codePoint(at distance: Int) -> String {
        switch scalar(at: distance) {
        case nil: "the end of the text"
        case "\n", "\r": "the end of the line"
        case " ": "a space"
        case let scalar?: "U+\(hex(scalar.value, 4))"
        }
    }

    private func scalar(at distance: Int) -> Unicode.Scalar? { bytes(distance, 4).unicodeScalars.first }

    /// The text from the place to the next blank, bracket or comma, or a string on this line, in backticks.
    var here: String {
        let start = Int(fault.offset)
        if byte == .quote {
            let rest = bytes[(start + 1)...].prefix(40)
            if let end = rest.firstIndex(where: { $0 == .quote || $0 < .space }), bytes[end] == .quote {
                return quoted(text(length: end + 1 - start))
            }
        }
        var length = 0
        while start + length < bytes.count, length < 40, !isBreak(bytes[start + length], isFirst: length == 0) {
            length += 1
        }
        return length == 0 ? character : quoted(text(length: length))
    }

    /// The key at the place, in backticks, without its quotes.
    var key: String {
        guard byte == .quote || byte == .apostrophe else {
            let start = Int(fault.offset)
            let end = bytes[start...].firstIndex { !($0.isWordPart || $0 == UInt8(ascii: "-") || $0 >= 0x80) }
            return quoted(text(length: min((end ?? bytes.count) - start, 60)))
        }
        let start = Int(fault.offset) + 1
        let end = bytes[min(start, bytes.count)...].firstIndex { $0 == byte || $0 == .newline } ?? bytes.count
        return quoted(self.bytes(1, min(end - start, 60)))
    }

    /// The text of so many bytes from the place on.
    func text(length: Int) -> String { bytes(0, length) }

    /// The text of so many bytes from a distance to the place on.
    func bytes(_ distance: Int, _ length: Int) -> String {
        let start = min(max(Int(fault.offset) + distance, 0), bytes.count)
        // A cut through a character leaves a part of it, which is dropped.
        let part = bytes[start..<min(start + max(length, 0), bytes.count)]
        var text = String(decoding: part, as: UTF8.self)
        while text.unicodeScalars.last == "\u{FFFD}" { text.unicodeScalars.removeLast() }
        return text
    }

    /// A text in backticks, without the controls that would upset a terminal.
    func quoted(_ text: String) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            shown.append(scalar.isControl ? "\u{FFFD}" : scalar)
        }
        return shown.contains("`") ? "\"\(shown)\"" : "`\(shown)`"
    }

    func hex(_ number: some BinaryInteger, _ digits: Int) -> String {
        let text = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    private func isBreak(_ byte: UInt8, isFirst: Bool) -> Bool {
        byte <= .space || byte == .delete || !isFirst && "[]{},;#=\"'".utf8.contains(byte)
    }
}

/// Escapes text of a source before people see it: the one function for terminals, logs and messages.
///
/// A key, a value or a file's name can hold an escape sequence that rewrites the terminal, a line break that forges a line
/// of a log, or a bidirectional control that reorders what stands around it.
package enum PrintableText {
    /// The text with each control character as `\n`, `\r`, `\t` or `\u{1b}`. Escaped text stays as it is.
    package static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: mayBeginControl) else { return text }
        return text.unicodeScalars.reduce(into: "") { $0 += escaped($1) }
    }

    /// Text of several lines, each of them escaped.
    package static func escapedLines(_ text: String) -> String {
        text.parts(between: "\n").map { escaped(String($0)) }.joined(separator: "\n")
    }

    /// The longest text that is shown of one value or key, in scalars.
    private static let width = 60

    /// The start of a text, as much as a message shows of it.
    ///
    /// By scalars, since one character can be megabytes of combining marks.
    package static func clipped(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: width, limitedBy: scalars.endIndex),
            end != scalars.endIndex
        else { return text }
        return String(scalars[..<end]) + "…"
    }

    /// The start of a text in backticks, or in double quotes where it has a backtick. Each control character is U+FFFD.
    package static func quoted(_ text: String) -> String {
        let shown = clipped(text).unicodeScalars.reduce(into: "") { $0 += $1.isControl ? "\u{FFFD}" : String($1) }
        return shown.utf8.contains(.backtick) ? "\"\(shown)\"" : "`\(shown)`"
    }

    /// A scalar as it stands in escaped text.
    package static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case _ where scalar.isControl: "\\u{\(String(scalar.value, radix: 16))}"
        default: String(scalar)
        }
    }

    // The lead bytes in UTF-8: 0xC2 of C1, 0xD8 of U+061C, 0xE2 of all that begin with U+20.
    private static func mayBeginControl(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7F || byte == 0xC2 || byte == 0xD8 || byte == 0xE2
    }
}

extension Unicode.Scalar {
    /// Whether it acts on the text around it instead of being shown: C0, DEL, C1, the line and paragraph separators, and
    /// the bidirectional controls of Unicode (property Bidi_Control).
    package var isControl: Bool {
        switch value {
        case ..<0x20, 0x7F...0x9F: true
        case 0x2028, 0x2029: true
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

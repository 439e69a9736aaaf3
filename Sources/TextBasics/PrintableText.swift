/// Functions that make text from a source safe to print in terminals, logs and messages.
///
/// A key, a value or a file name can contain an escape sequence that rewrites the terminal, a line break that forges a
/// log line, a bidirectional control that reorders the text around it, or a URL with a password.
package enum PrintableText {
    /// Returns text for a message: the secrets of its URLs masked, and its control characters escaped.
    package static func escaped(_ text: String) -> String { controlsEscaped(URLSecrets.masked(text)) }

    /// Returns text with its control characters escaped as `\n`, `\r`, `\t` or `\u{1b}`, and nothing masked.
    package static func controlsEscaped(_ text: String) -> String {
        guard text.utf8.contains(where: mayBeginControl) else { return text }
        return text.unicodeScalars.reduce(into: "") { $0 += escaped($1) }
    }

    /// Returns lines of at most `width` characters. A longer word has a line of its own.
    package static func wrapped(_ text: String, to width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(whereSeparator: \.isWhitespace).map({ escaped(String($0)) }) {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(word)
            }
        }
        return lines
    }

    /// The maximum length of a value or a key in a message, in Unicode scalars.
    private static let width = 60

    /// Returns the first 60 scalars of a text, followed by `…` if there are more. The secrets of URLs are masked before.
    ///
    /// The limit is in scalars because a single character can have megabytes of combining marks.
    package static func clipped(_ text: String) -> String {
        let text = URLSecrets.masked(text), scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: width, limitedBy: scalars.endIndex),
            end != scalars.endIndex
        else { return text }
        return String(scalars[..<end]) + "…"
    }

    /// Returns the clipped text in backticks, or in double quotes if it contains a backtick.
    ///
    /// Control characters become U+FFFD.
    package static func quoted(_ text: String) -> String {
        let shown = clipped(text).unicodeScalars.reduce(into: "") { $0 += $1.isControl ? "\u{FFFD}" : String($1) }
        return shown.utf8.contains(.backtick) ? "\"\(shown)\"" : "`\(shown)`"
    }

    /// Returns one scalar, escaped if it is a control character.
    package static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case _ where scalar.isControl: "\\u{\(String(scalar.value, radix: 16))}"
        default: String(scalar)
        }
    }

    // Returns whether a byte may be the first byte of a control character in UTF-8. C1 controls start with 0xC2, U+061C
    // with 0xD8, and the control characters in U+20xx with 0xE2.
    private static func mayBeginControl(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7F || byte == 0xC2 || byte == 0xD8 || byte == 0xE2
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is a control character in a wide sense: C0, DEL, C1, the line and paragraph separators, or
    /// one of Unicode's bidirectional controls (property Bidi_Control).
    package var isControl: Bool {
        switch value {
        case ..<0x20, 0x7F...0x9F: true
        case 0x2028, 0x2029: true
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

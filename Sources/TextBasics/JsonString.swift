/// Writes strings as JSON.
package enum JsonString {
    /// Returns a string in quotes, escaped as RFC 8259, section 7, requires.
    ///
    /// Other characters that could act on a terminal are escaped too, so that JSON in a log stays on one line.
    package static func quoted(_ string: String) -> String {
        var text = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            // No control character is beyond U+FFFF, so four digits suffice.
            case _ where scalar.isControl:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}

/// A text in a message, and whether it may quote the source that the message is about.
///
/// A literal quotes nothing. An inserted text counts as a quote, because it may be from the source:
///
/// The secrets of URLs in it are masked.
///
///     let text: MessageText = "`=` is missing after the key"       // quotes nothing
///     let text: MessageText = "\(word) is not a valid number"      // may quote
package struct MessageText: Sendable {
    package let text: String
    /// Whether the text may quote the source. If the source is secret, the text is not shown.
    package let quotes: Bool

    /// Creates a text that was not written as a literal.
    package init(_ text: String, quotes: Bool) {
        (self.text, self.quotes) = (URLSecrets.masked(text), quotes)
    }
}

extension MessageText: ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) { self.init(text, quotes: false) }

    package init(stringInterpolation parts: Parts) { self.init(parts.text, quotes: parts.quotes) }

    /// Joins a literal and the inserted texts.
    package struct Parts: StringInterpolationProtocol {
        fileprivate var text = ""
        fileprivate var quotes = false

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) { text += literal }

        /// Inserts a text that itself knows whether it quotes the source.
        package mutating func appendInterpolation(_ part: MessageText) {
            text += part.text
            quotes = quotes || part.quotes
        }

        /// Inserts a value, which may be from the source.
        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            text += value.description
            quotes = true
        }
    }
}

/// The white space or the quotation marks around a text, which are probably not meant to be a part of it.
///
/// `docker run --env-file` and `kubectl create secret --from-env-file` keep the quotation marks of a file, and the
/// carriage returns of its lines.
package struct TextFlaw: Sendable {
    package enum Kind: Sendable { case whiteSpace, quotationMarks }

    package let kind: Kind
    /// A description: `white space at its end (a carriage return)`.
    package let description: String
    /// The text without it.
    package let repaired: String

    /// Finds the white space or, if there is none, the quotation marks around a text. Returns nil if there is neither.
    package init?(_ text: String) {
        if let ends = InvisibleEnds(text) {
            (kind, description, repaired) = (.whiteSpace, ends.description, ends.trimmed)
            return
        }
        let bytes = text.utf8
        guard bytes.count > 1, let quote = bytes.first, quote.isQuote, bytes.last == quote else { return nil }
        let inner = bytes.dropFirst().dropLast()
        // The marks of "a","b" are around two texts.
        guard !inner.contains(quote) else { return nil }
        (kind, description) = (.quotationMarks, "quotation marks around it")
        repaired = String(Substring(inner))
    }

    /// The remedy for a value that is not valid because of it.
    package var remedy: String {
        kind == .whiteSpace ? "Remove the white space" : "Remove the quotation marks"
    }
}

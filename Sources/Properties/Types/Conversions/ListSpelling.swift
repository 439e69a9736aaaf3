import ConfigurationSyntax
import TextBasics

/// The right spellings of a list in text that is not a valid list, for the advice of an error that may show the text.
enum ListSpelling {
    private typealias Scalars = ArraySlice<Unicode.Scalar>

    /// The maximum length of a text for which spellings are found, in bytes.
    private static let limit = 500
    /// The maximum number of arrays inside each other.
    private static let depthLimit = 8

    /// Returns the advice about a list with quotation marks around elements, which are not part of them: its spellings
    /// with commas and as JSON. If the marks seem to be part of the elements, only JSON can express that.
    static func withoutMarks(_ text: String) -> String? {
        guard text.utf8.count <= limit else { return nil }
        let scalars = Array(text.unicodeScalars)[...]
        guard let elements = quotedElements(scalars) else {
            return "Write \(json(commaParts(text)))"
        }
        let parts = elements.flatMap(commaParts)
        let isPlain = parts.allSatisfy { !$0.isEmpty && !$0.hasMarkAtAnEnd } && parts.first?.begins(with: "[") == false
        guard isPlain, parts.count == elements.count || elements.count == 1 else { return "Write \(json(elements))" }
        let commas = parts.joined(separator: ",")
        return parts.count == elements.count
            ? "Write \(commas) or \(json(elements))"
            : "Write \(commas) for \(parts.count) elements, or \(json(elements)) for one"
    }

    /// Returns the advice about text that begins with a bracket and is not JSON, or nil if its elements are not certain.
    ///
    /// It is `["[::1]:80", "[::2]:80"]` for `[::1]:80,[::2]:80`, and `["a", "b"]` for `[a, b]`.
    static func ofBrackets(_ text: String) -> String? {
        guard text.utf8.count <= limit else { return nil }
        let scalars = trimmed(Array(text.unicodeScalars)[...])
        guard let end = endOfFirst(scalars) else { return nil }
        guard end >= scalars.endIndex - 1 else {
            guard let parts = parts(scalars) else { return nil }
            let items = parts.compactMap(listedItem)
            return items.count == parts.count ? "Write [\(items.joined(separator: ", "))]" : nil
        }
        // The first bracket is around everything, or its partner is missing.
        let inner = scalars[scalars.startIndex + 1..<end]
        guard let array = array(inner, depth: 0) else { return nil }
        // The brackets of an IPv6 address are a part of it.
        let isAddress =
            end < scalars.endIndex && inner.contains(":")
            && inner.allSatisfy { $0 == ":" || $0 == "." || $0.properties.isASCIIHexDigit }
        return "Write \(array)" + (isAddress ? ", or \(json([string(scalars)])) with the brackets" : "")
    }

    private static func json(_ elements: [String]) -> String {
        "[\(elements.map(JsonText.quoted).joined(separator: ", "))]"
    }
}

// MARK: - Elements

extension ListSpelling {
    /// Returns the elements of a list, without the marks around them, or nil if a mark has no partner at the other end.
    private static func quotedElements(_ text: Scalars) -> [String]? {
        guard let parts = parts(text) else { return nil }
        let elements = parts.compactMap { part in content(part) ?? (string(part).hasMarkAtAnEnd ? nil : string(part)) }
        return elements.count == parts.count ? elements : nil
    }

    /// Returns an element of a list with commas as JSON, or nil if it is uncertain.
    private static func listedItem(_ text: Scalars) -> String? {
        if isJSON(text), text.first == "[" { return string(text) }
        guard text.contains(",") else { return content(text).map(JsonText.quoted) ?? JsonText.quoted(string(text)) }
        return content(text).map(JsonText.quoted) ?? arrayItem(text, depth: 0)
    }

    /// Returns the JSON of the text between the brackets of an array, or nil if it is uncertain.
    private static func array(_ text: Scalars, depth: Int) -> String? {
        guard var parts = parts(text), depth < depthLimit else { return nil }
        if parts.last?.isEmpty == true { parts.removeLast() }
        let items = parts.compactMap { item($0, depth: depth) }
        return items.count == parts.count ? "[\(items.joined(separator: ", "))]" : nil
    }

    /// Returns an element of an array as JSON, or nil if it is uncertain.
    private static func item(_ text: Scalars, depth: Int) -> String? {
        if text.isEmpty || text.first == "{" && !isJSON(text) { return nil }
        if isJSON(text) { return string(text) }
        if text.first == "[" { return arrayItem(text, depth: depth) }
        if let content = content(text) { return JsonText.quoted(content) }
        return text.first?.isQuotationMark == true ? nil : JsonText.quoted(string(text))
    }

    private static func arrayItem(_ text: Scalars, depth: Int) -> String? {
        guard text.first == "[", endOfFirst(text) == text.endIndex - 1 else { return nil }
        return array(text.dropFirst().dropLast(), depth: depth + 1)
    }

    /// Returns the text between a quotation mark at the start and its partner at the end, or nil if there are none.
    private static func content(_ text: Scalars) -> String? {
        guard text.count > 1, text.first?.closingMarks != nil, endOfFirst(text) == text.endIndex - 1 else {
            return nil
        }
        return string(text.dropFirst().dropLast())
    }

    private static func isJSON(_ text: Scalars) -> Bool {
        (try? JsonDocument(bytes: string(text).utf8, name: "", allowsComments: false)) != nil
    }
}

// MARK: - Parts

extension ListSpelling {
    /// Splits a text at its commas outside of quotations and brackets, or returns nil if a quotation or a bracket is
    /// not closed.
    private static func parts(_ text: Scalars) -> [Scalars]? {
        var nesting = TextNesting(), parts: [Scalars] = [], start = text.startIndex
        for index in text.indices {
            nesting.take(text, at: index)
            guard text[index] == ",", nesting.isOutside else { continue }
            parts.append(trimmed(text[start..<index]))
            start = index + 1
        }
        return nesting.isOutside ? parts + [trimmed(text[start...])] : nil
    }

    /// Returns the index of the partner of the bracket or the mark at the start of a text. It is the end of the text if
    /// there is no partner, and nil if there is a quotation without an end.
    private static func endOfFirst(_ text: Scalars) -> Int? {
        var nesting = TextNesting()
        for index in text.indices {
            nesting.take(text, at: index)
            if nesting.isOutside { return index }
        }
        return nesting.isInQuotation ? nil : text.endIndex
    }

    private static func commaParts(_ text: String) -> [String] {
        text.parts(between: ",").map { string(trimmed(Array($0.unicodeScalars)[...])) }
    }

    private static func trimmed(_ text: Scalars) -> Scalars {
        let rest = text.drop(while: \.properties.isWhitespace)
        return rest[..<(rest.lastIndex { !$0.properties.isWhitespace }.map { $0 + 1 } ?? rest.startIndex)]
    }

    private static func string(_ text: Scalars) -> String { String(String.UnicodeScalarView(text)) }
}

extension TextNesting {
    fileprivate mutating func take(_ text: ArraySlice<Unicode.Scalar>, at index: Int) {
        take(
            text[index], after: index > text.startIndex ? text[index - 1] : nil,
            before: index + 1 < text.endIndex ? text[index + 1] : nil)
    }
}

extension String {
    /// Whether the first or the last character is a quotation mark.
    var hasMarkAtAnEnd: Bool {
        unicodeScalars.first?.isQuotationMark == true || unicodeScalars.last?.isQuotationMark == true
    }
}

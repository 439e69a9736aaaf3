/// A parsed text with placeholders.
package struct PlaceholderTemplate {
    package enum Part {
        case literal(String)
        case reference(Reference)
    }

    package struct Reference: CustomStringConvertible {
        /// The text between the braces, up to the default.
        package let name: String
        package let fallback: PlaceholderTemplate?

        /// The placeholder without its default.
        package var description: String { "${\(name)}" }

        /// The name and the argument of a lookup: the parts before and after the first colon. Nil if there is no colon,
        /// so that the text can only be the name of a property.
        package var lookup: (scheme: String, argument: String)? {
            // Searches bytes, because a combining mark after the colon would form one character with it.
            name.utf8.firstIndex(of: .colon).map { (String(name[..<$0]), String(name[name.utf8.index(after: $0)...])) }
        }
    }

    package private(set) var parts: [Part] = []

    /// Parses a text. The result is nil if the text contains neither a placeholder nor `$${`. The name of the property
    /// that has the text is for errors.
    package init?(_ text: String, of name: String, depthLimit: Int) throws(Diagnostic) {
        guard zip(text.utf8, text.utf8.dropFirst()).contains(where: { $0 == UInt8(ascii: "$") && $1 == .openBrace })
        else { return nil }
        var rest = Array(text.utf8)[...]
        try self.init(&rest, of: name, depth: 0, depthLimit)
    }

    /// The references in the text, each followed by the references in its default.
    package var references: [Reference] {
        parts.flatMap { part -> [Reference] in
            guard case .reference(let reference) = part else { return [] }
            return [reference] + (reference.fallback?.references ?? [])
        }
    }

    // Grammar: template = { "$${" | "${" name [ ":-" template ] "}" | byte }. A template in a default stops before "}".
    // The depth is 0 outside of all defaults.
    private init(_ rest: inout ArraySlice<UInt8>, of name: String, depth: Int, _ limit: Int) throws(Diagnostic) {
        guard depth < limit else {
            throw Diagnostic(
                "the defaults in '\(name)' stand more than \(limit) deep in each other", at: nil, kind: .limit)
        }
        var literal: [UInt8] = []
        while let byte = rest.first, depth == 0 || byte != .closeBrace {
            if rest.starts(with: "$${".utf8) {
                literal += Array("${".utf8)
                rest = rest.dropFirst(3)
            } else if rest.starts(with: "${".utf8) {
                append(&literal)
                rest = rest.dropFirst(2)
                parts.append(.reference(try Self.reference(&rest, of: name, depth: depth, limit)))
            } else {
                literal.append(byte)
                rest = rest.dropFirst()
            }
        }
        append(&literal)
    }

    private mutating func append(_ literal: inout [UInt8]) {
        if !literal.isEmpty { parts.append(.literal(String(decoding: literal, as: UTF8.self))) }
        literal = []
    }

    private static func reference(
        _ rest: inout ArraySlice<UInt8>, of name: String, depth: Int, _ limit: Int
    ) throws(Diagnostic) -> Reference {
        let remedy: MessageText = "Write $${ for a literal ${"
        var target: [UInt8] = [], fallback: PlaceholderTemplate?
        while let byte = rest.first, byte != .closeBrace, !rest.starts(with: ":-".utf8) {
            target.append(byte)
            rest = rest.dropFirst()
        }
        if rest.first == .colon {
            rest = rest.dropFirst(2)
            fallback = try PlaceholderTemplate(&rest, of: name, depth: depth + 1, limit)
        }
        guard rest.popFirst() != nil else {
            throw Diagnostic("a '${' in '\(name)' has no end", at: nil, expected: "'}'", remedy: remedy)
        }
        guard !target.isEmpty else {
            let expected: MessageText = "a name between the braces"
            throw Diagnostic("a placeholder in '\(name)' is empty", at: nil, expected: expected, remedy: remedy)
        }
        return Reference(name: String(decoding: target, as: UTF8.self), fallback: fallback)
    }
}

/// A parsed text with placeholders.
struct PlaceholderTemplate {
    enum Part {
        case literal(String)
        case reference(Reference)
    }

    struct Reference {
        /// The text between the braces, up to the default.
        let name: String
        let fallback: PlaceholderTemplate?
        /// The name of the lookup and its argument, or nil if the text is the name of a property.
        let lookup: (scheme: String, argument: String)?

        fileprivate init(name: String, fallback: PlaceholderTemplate?) {
            self.name = name
            self.fallback = fallback
            // By bytes: a combining mark after the colon would form one character with it.
            lookup = name.utf8.firstIndex(of: UInt8(ascii: ":")).map { colon in
                (String(name[..<colon]), String(name[name.utf8.index(after: colon)...]))
            }
        }
    }

    /// A reference, in the order in which references are resolved.
    struct Step {
        let reference: Reference
        /// How many of the following steps belong to its default. They are skipped if the default is not needed.
        let countInDefault: Int
    }

    enum ParseError: Error {
        /// A `${` without its `}`.
        case unclosed
        /// A `${}`.
        case empty
        /// Too many defaults inside each other.
        case tooDeep
    }

    private(set) var parts: [Part] = []

    /// Parses a text. Nil if it contains neither a placeholder nor `$${`.
    init?(_ text: String, depthLimit: Int) throws(ParseError) {
        let bytes = Array(text.utf8)
        guard bytes.indices.contains(where: { Self.opens(bytes, at: $0) }) else { return nil }
        var position = 0
        try self.init(bytes, &position, isInside: false, depth: depthLimit)
    }

    /// The reference, if the text is one placeholder and nothing else.
    var onlyReference: Reference? {
        guard parts.count == 1, case .reference(let reference) = parts[0] else { return nil }
        return reference
    }

    /// All references, each followed by those of its default.
    var steps: [Step] {
        parts.flatMap { part -> [Step] in
            guard case .reference(let reference) = part else { return [] }
            let inner = reference.fallback?.steps ?? []
            return [Step(reference: reference, countInDefault: inner.count)] + inner
        }
    }

    /// The references in all texts of a value.
    ///
    /// A text with invalid syntax has none; it is an error when it is replaced, if it still counts then.
    static func steps(in value: PropertyValue, _ rules: PropertyPlaceholders) -> [Step] {
        switch value {
        case .string(let text), .text(let text):
            (try? PlaceholderTemplate(text, depthLimit: rules.depthLimit))?.steps ?? []
        case .array(let nodes): nodes.flatMap { steps(in: $0.value, rules) }
        case .table(let table): table.flatMap { steps(in: $0.node.value, rules) }
        default: []
        }
    }

    private static let dollar = UInt8(ascii: "$"), open = UInt8(ascii: "{"), close = UInt8(ascii: "}")

    private static func opens(_ bytes: [UInt8], at position: Int) -> Bool { isPair(bytes, at: position, "${") }

    private static func isPair(_ bytes: [UInt8], at position: Int, _ pair: StaticString) -> Bool {
        position + 1 < bytes.count
            && pair.withUTF8Buffer { unsafe bytes[position] == $0[0] && bytes[position + 1] == $0[1] }
    }

    // template = { "$${" | "${" name [ ":-" template ] "}" | byte }; inside a default it ends before "}".
    private init(_ bytes: [UInt8], _ position: inout Int, isInside: Bool, depth: Int) throws(ParseError) {
        guard depth > 0 else { throw .tooDeep }
        var literal: [UInt8] = []
        while position < bytes.count, !isInside || bytes[position] != Self.close {
            if bytes[position] == Self.dollar, Self.opens(bytes, at: position + 1) {
                literal += [Self.dollar, Self.open]
                position += 3
            } else if Self.opens(bytes, at: position) {
                append(literal)
                literal = []
                position += 2
                parts.append(.reference(try Self.reference(bytes, &position, depth: depth)))
            } else {
                literal.append(bytes[position])
                position += 1
            }
        }
        append(literal)
    }

    private mutating func append(_ literal: [UInt8]) {
        if !literal.isEmpty { parts.append(.literal(String(decoding: literal, as: UTF8.self))) }
    }

    private static func reference(
        _ bytes: [UInt8], _ position: inout Int, depth: Int
    ) throws(ParseError) -> Reference {
        let start = position
        while position < bytes.count, bytes[position] != close, !isPair(bytes, at: position, ":-") { position += 1 }
        let name = String(decoding: bytes[start..<position], as: UTF8.self)
        var fallback: PlaceholderTemplate?
        if position < bytes.count, bytes[position] != close {
            position += 2
            fallback = try PlaceholderTemplate(bytes, &position, isInside: true, depth: depth - 1)
        }
        guard position < bytes.count else { throw .unclosed }
        position += 1
        guard !name.isEmpty else { throw .empty }
        return Reference(name: name, fallback: fallback)
    }
}

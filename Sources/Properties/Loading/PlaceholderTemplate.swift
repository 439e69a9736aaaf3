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

        /// The name and the argument of a lookup: the parts before and after the first colon. Nil if there is no colon,
        /// so that the text can only be the name of a property.
        var lookup: (scheme: String, argument: String)? {
            // Searches bytes, because a combining mark after the colon would form one character with it.
            name.utf8.firstIndex(of: UInt8(ascii: ":")).map { colon in
                (String(name[..<colon]), String(name[name.utf8.index(after: colon)...]))
            }
        }
    }

    enum ParseError: Error {
        /// A `${` without its `}`.
        case unclosed
        /// A `${}`.
        case empty
        /// More nested defaults than allowed.
        case tooDeep
    }

    private(set) var parts: [Part] = []

    /// Parses a text. The result is nil if the text contains neither a placeholder nor `$${`.
    init?(_ text: String, depthLimit: Int) throws(ParseError) {
        let bytes = Array(text.utf8)
        guard bytes.indices.contains(where: { Self.opens(bytes, at: $0) }) else { return nil }
        var position = 0
        try self.init(bytes, &position, isInside: false, depth: depthLimit)
    }

    /// All references, each followed by those in its default.
    private var references: [Reference] {
        parts.flatMap { part -> [Reference] in
            if case .reference(let reference) = part {
                [reference] + (reference.fallback?.references ?? [])
            } else {
                []
            }
        }
    }

    /// Returns the references in all texts of a value. A text with invalid syntax has none. It causes an error when its
    /// placeholders are replaced, unless a later source has replaced the text by then.
    static func references(in value: PropertyValue, _ rules: PropertyPlaceholders) -> [Reference] {
        switch value {
        case .string(let text), .text(let text):
            (try? PlaceholderTemplate(text, depthLimit: rules.depthLimit))?.references ?? []
        case .array(let nodes): nodes.flatMap { references(in: $0.value, rules) }
        case .table(let table): table.flatMap { references(in: $0.node.value, rules) }
        default: []
        }
    }

    private static let dollar = UInt8(ascii: "$"), open = UInt8(ascii: "{"), close = UInt8(ascii: "}")

    private static func opens(_ bytes: [UInt8], at position: Int) -> Bool { isPair(bytes, at: position, dollar, open) }

    private static func isPair(_ bytes: [UInt8], at position: Int, _ first: UInt8, _ second: UInt8) -> Bool {
        position + 1 < bytes.count && bytes[position] == first && bytes[position + 1] == second
    }

    // Grammar: template = { "$${" | "${" name [ ":-" template ] "}" | byte }. A template in a default stops before "}".
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
        let isDefault = { (position: Int) in isPair(bytes, at: position, UInt8(ascii: ":"), UInt8(ascii: "-")) }
        while position < bytes.count, bytes[position] != close, !isDefault(position) { position += 1 }
        let name = String(decoding: bytes[start..<position], as: UTF8.self)
        var fallback: PlaceholderTemplate?
        if isDefault(position) {
            position += 2
            fallback = try PlaceholderTemplate(bytes, &position, isInside: true, depth: depth - 1)
        }
        guard position < bytes.count else { throw .unclosed }
        position += 1
        guard !name.isEmpty else { throw .empty }
        return Reference(name: name, fallback: fallback)
    }
}

extension Bool: PropertyConvertible {
    /// What messages call the type.
    public static var propertyTypeName: String { "true or false" }

    /// Reads a boolean; of untyped text true, yes, on, 1 and their opposites, in any case.
    public init(property node: PropertyNode) throws(PropertyMismatch) {
        switch node.value {
        case .bool(let bool): self = bool
        case .text(let text):
            guard let bool = Self.value(of: text) else {
                throw PropertyMismatch(.notParsable, node, expected: Self.propertyTypeName)
            }
            self = bool
        case .string(let text) where text.isSame(as: "true") || text.isSame(as: "false"):
            throw PropertyMismatch(
                .wrongType, node, expected: Self.propertyTypeName, remedy: "Remove the quotes")
        default: throw PropertyMismatch(.wrongType, node, expected: Self.propertyTypeName)
        }
    }

    // What an environment variable or a flag says for yes and no, in any case. The longest word has five bytes.
    private static func value(of text: String) -> Bool? {
        guard text.utf8.count <= 5 else { return nil }
        let word = text.lowercased()
        if ["true", "yes", "on", "1"].contains(where: word.isSame) { return true }
        return ["false", "no", "off", "0"].contains(where: word.isSame) ? false : nil
    }
}

extension String: PropertyConvertible {
    /// What messages call the type.
    public static var propertyTypeName: String { "a string" }

    /// Reads a string; numbers and booleans are none.
    public init(property node: PropertyNode) throws(PropertyMismatch) {
        switch node.value {
        case .string(let string), .text(let string): self = string
        case .integer, .unsigned, .bigInteger, .double, .bool:
            throw PropertyMismatch(.wrongType, node, expected: Self.propertyTypeName, remedy: "Put it in quotes")
        default: throw PropertyMismatch(.wrongType, node, expected: Self.propertyTypeName)
        }
    }
}

extension Character: PropertyConvertible {
    /// What messages call the type.
    public static var propertyTypeName: String { "a string of one character" }

    /// Reads a string of exactly one character.
    public init(property node: PropertyNode) throws(PropertyMismatch) {
        let text: String
        do throws(PropertyMismatch) {
            text = try String(property: node)
        } catch {
            throw error.expecting(Self.propertyTypeName)
        }
        guard let first = text.first, text.index(after: text.startIndex) == text.endIndex else {
            throw PropertyMismatch(.notParsable, node, expected: Self.propertyTypeName)
        }
        self = first
    }
}

extension PropertyDateTime: PropertyConvertible {
    /// What messages call the type.
    public static var propertyTypeName: String { "a date or time such as 2026-11-21 or 06:30:00" }

    /// Reads a date or time of any of the four kinds, also from RFC 3339 text.
    public init(property node: PropertyNode) throws(PropertyMismatch) {
        switch node.value {
        case .dateTime(let dateTime): self = dateTime
        // JSON and the untyped sources have no value for dates.
        case .string(let text), .text(let text):
            guard let dateTime = PropertyDateTime(text) else {
                throw PropertyMismatch(.notParsable, node, expected: Self.propertyTypeName)
            }
            self = dateTime
        default: throw PropertyMismatch(.wrongType, node, expected: Self.propertyTypeName)
        }
    }
}

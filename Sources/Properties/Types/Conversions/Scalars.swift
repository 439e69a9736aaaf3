extension Bool: PropertyConvertible {
    /// The name of the type in messages.
    public static var propertyTypeName: String { "true or false" }

    /// Reads a boolean. Untyped text may be `true`, `yes`, `on`, `1`, `false`, `no`, `off` or `0`, in any case.
    public init(property node: PropertyNode) throws(PropertyError) {
        switch node.value {
        case .bool(let bool): self = bool
        case .text(let text):
            guard let bool = Self.value(of: text) else {
                throw Self.mismatch(.notParsable, node, remedy: "Write true or false")
            }
            self = bool
        case .string(let text) where text.isSame(as: "true") || text.isSame(as: "false"):
            throw Self.mismatch(.wrongType, node, remedy: "Remove the quotes")
        case .integer(let number) where number == 0 || number == 1:
            throw Self.mismatch(
                .wrongType, node, remedy: "Write true or false", quoting: number == 0 ? "Write false" : "Write true")
        default: throw Self.mismatch(.wrongType, node)
        }
    }

    // Accepts the usual words of environment variables and flags, in any case. The longest has five bytes.
    private static func value(of text: String) -> Bool? {
        guard text.utf8.count <= 5 else { return nil }
        let word = text.lowercased()
        if ["true", "yes", "on", "1"].contains(where: word.isSame) { return true }
        return ["false", "no", "off", "0"].contains(where: word.isSame) ? false : nil
    }
}

extension String: PropertyConvertible {
    /// The name of the type in messages.
    public static var propertyTypeName: String { "a string" }

    /// Reads a string. A number, a boolean or a date is not converted, unless a placeholder in a text has inserted it.
    public init(property node: PropertyNode) throws(PropertyError) {
        switch node.value {
        case .string(let string), .text(let string): self = string
        case _ where node.insertedText != nil: self = node.insertedText ?? ""
        case .integer, .unsigned, .bigInteger, .double, .bool:
            throw Self.mismatch(.wrongType, node, remedy: "Put it in quotes")
        default: throw Self.mismatch(.wrongType, node)
        }
    }
}

extension PropertyDateTime: PropertyConvertible {
    /// The name of the type in messages.
    public static var propertyTypeName: String { "a date or time such as 2026-11-21 or 06:30:00" }

    /// Reads a date or time of any of the four kinds, or text in a format of RFC 3339.
    public init(property node: PropertyNode) throws(PropertyError) {
        switch node.value {
        case .dateTime(let dateTime): self = dateTime
        // JSON and the untyped sources have no type for dates, so they write them as text.
        case .string(let text), .text(let text):
            guard let dateTime = PropertyDateTime(text) else {
                throw Self.mismatch(.notParsable, node)
            }
            self = dateTime
        default: throw Self.mismatch(.wrongType, node)
        }
    }
}

import TextBasics

extension Duration: PropertyConvertible {
    /// The name of the type in messages.
    public static var propertyTypeName: String { "a duration such as \"1m30s\" or \"250ms\"" }

    /// Reads text such as `1m30s`, whose numbers have units, the largest unit first (`d`, `h`, `m`, `s`, `ms`, `us`,
    /// `ns`), or an ISO 8601 duration without years and months, such as `PT1M30S`. A number without a unit is refused.
    public init(property node: PropertyNode) throws(PropertyError) {
        let text: String
        switch node.value {
        case .string(let string), .text(let string): text = string
        case .integer, .double: throw Self.unitMissing(node, ValueText.short(node.value), .wrongType)
        default: throw Self.mismatch(.wrongType, node, remedy: Self.unitsRemedy)
        }
        if Double(text) != nil { throw Self.unitMissing(node, text, .notParsable) }
        guard let amount = DurationText.attoseconds(text) else {
            throw Self.mismatch(.notParsable, node, remedy: Self.unitsRemedy)
        }
        // `Duration` accepts greater values, but traps when its components are computed, and every clock computes them.
        guard amount.magnitude < DurationText.limit else {
            throw PropertyError(.outOfRange, node, expected: "a duration of less than 2^63 seconds")
        }
        self.init(attoseconds: amount)
    }

    private static var unitsRemedy: String { "Write numbers with units: d, h, m, s, ms, us or ns" }

    private static func unitMissing(
        _ node: PropertyNode, _ number: String, _ reason: PropertyError.Reason
    ) -> PropertyError {
        // The advice quotes the number with a unit, which must be a valid duration: `1e3` is a number, but `1e3s` is
        // not a duration.
        let isPlain =
            number.utf8.count <= 40 && DurationText.attoseconds(number + "s") != nil
            && DurationText.attoseconds(number + "ms") != nil
        guard isPlain else { return mismatch(reason, node, remedy: "Write decimal digits and a unit") }
        let examples = "\"\(number)s\" for seconds, \"\(number)ms\" for milliseconds"
        return mismatch(
            reason, node, remedy: "Add the unit, such as s or ms", quoting: "Add the unit: \(examples)")
    }
}

/// The unit of a bare number that is read as a duration, with its abbreviation.
@usableFromInline
enum DurationUnit: String, Sendable {
    case days = "d", hours = "h", minutes = "m", seconds = "s"
    case milliseconds = "ms", microseconds = "us", nanoseconds = "ns"

    /// The end of the noun for a duration in messages.
    var note: String { ", in whole \(self) or with a unit" }

    /// Returns a bare whole number as text with this unit. Any other value does not change.
    func added(to node: PropertyNode) -> PropertyNode {
        guard let number = try? Int128(property: node.single) else { return node }
        return PropertyNode(.text("\(number)\(rawValue)"), origin: node.origin)
    }
}

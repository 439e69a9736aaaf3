/// The limits of the values of a key.
struct KeyBounds: Sendable {
    private var lower: PropertyValue?
    private var upper: PropertyValue?
    private var excludesUpper = false

    /// Creates the limits of a range.
    init<Value: Comparable & Sendable>(_ range: some RangeExpression<Value>) {
        switch range {
        case let range as ClosedRange<Value>: set(range.lowerBound, range.upperBound)
        case let range as Range<Value>: set(range.lowerBound, range.upperBound, excludesUpper: true)
        case let range as PartialRangeFrom<Value>: set(range.lowerBound, nil)
        case let range as PartialRangeThrough<Value>: set(nil, range.upperBound)
        case let range as PartialRangeUpTo<Value>: set(nil, range.upperBound, excludesUpper: true)
        default: break
        }
    }

    private mutating func set(_ lower: (any Sendable)?, _ upper: (any Sendable)?, excludesUpper: Bool = false) {
        self.lower = lower.map { PropertyValue(source: $0) }
        self.upper = upper.map { PropertyValue(source: $0) }
        self.excludesUpper = excludesUpper
    }

    /// The limits as a part of a noun: "from 1 to 65535", "of at least 1s".
    var text: String {
        let lower = lower.map(Self.text), upper = upper.map { (excludesUpper ? "less than " : "") + Self.text($0) }
        return switch (lower, upper) {
        case (let lower?, let upper?): " from \(lower) to \(upper)"
        case (let lower?, nil): " of at least \(lower)"
        case (nil, let upper?): excludesUpper ? " of \(upper)" : " of at most \(upper)"
        case (nil, nil): ""
        }
    }

    private static func text(_ value: PropertyValue) -> String {
        // A duration is a string in a source.
        if case .string(let text) = value { text } else { ValueText.short(value) }
    }

    /// The keywords of JSON Schema, which has limits of numbers only.
    var schema: [(String, PropertyValue)] {
        let limits = [("minimum", lower), (excludesUpper ? "exclusiveMaximum" : "maximum", upper)]
        return limits.compactMap { keyword, limit in
            switch limit {
            case .integer?, .unsigned?, .double?: limit.map { (keyword, $0) }
            default: nil
            }
        }
    }
}

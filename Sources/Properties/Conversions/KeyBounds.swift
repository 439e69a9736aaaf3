/// The limits of the values of a key.
package struct KeyBounds: Sendable {
    private var lower: PropertyValue?
    private var upper: PropertyValue?
    private var excludesUpper = false
    /// Whether the type rounds the numbers of a file to fewer digits than a `Double` has.
    private var isRounded = false
    // The limits of such a type, moved to the farthest number that may be rounded to them. Nil if that is infinite.
    private var widenedLower: Double?
    private var widenedUpper: Double?

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

    /// Creates limits as a source has them.
    package init(lower: PropertyValue?, upper: PropertyValue?, excludesUpper: Bool) {
        (self.lower, self.upper, self.excludesUpper) = (lower, upper, excludesUpper)
    }

    private mutating func set(_ lower: (any Sendable)?, _ upper: (any Sendable)?, excludesUpper: Bool = false) {
        self.lower = lower.map { PropertyValue(source: $0) }
        self.upper = upper.map { PropertyValue(source: $0) }
        self.excludesUpper = excludesUpper
        isRounded = lower is Float || upper is Float
        if let lower = lower as? Float { widenedLower = Double(lower.nextDown).midpoint(to: Double(lower)) }
        if let upper = upper as? Float { widenedUpper = Double(upper.nextUp).midpoint(to: Double(upper)) }
    }

    /// The limits as a part of a noun: "from 1 to 65535", "of at least 1s".
    package var text: String {
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
        switch value {
        case .string(let text), .text(let text): text
        default: ValueText.short(value)
        }
    }

    /// The keywords of the limits in a schema.
    ///
    /// JSON Schema has limits of numbers only. All other limits, and those that are less exact as numbers of JSON, have
    /// keywords of our own.
    var schema: [(String, PropertyValue)] {
        keywords("minimum", lower, widenedLower)
            + keywords(excludesUpper ? "exclusiveMaximum" : "maximum", upper, widenedUpper)
    }

    private func keywords(
        _ keyword: String, _ limit: PropertyValue?, _ widened: Double?
    ) -> [(String, PropertyValue)] {
        switch limit {
        case nil: []
        // JSON has no infinity.
        case .double(let double)? where !double.isFinite: [("x-\(keyword)", .string("\(double)"))]
        case .double(let double)? where isRounded:
            [("x-\(keyword)", .double(double))]
                + (widened.map { [(keyword == "minimum" ? keyword : "maximum", .double($0))] } ?? [])
        case .integer?, .unsigned?, .double?: limit.map { [(keyword, $0)] } ?? []
        case let limit?: [("x-\(keyword)", limit)]
        }
    }
}

extension Double {
    fileprivate func midpoint(to other: Double) -> Double? {
        let middle = self / 2 + other / 2
        return middle.isFinite ? middle : nil
    }
}

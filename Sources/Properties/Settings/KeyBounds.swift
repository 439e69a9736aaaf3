/// The limits of the values of a key.
@usableFromInline
package struct KeyBounds: Sendable {
    private var lower: PropertyValue?
    private var upper: PropertyValue?
    private var excludesUpper = false
    /// Whether the type rounds the numbers of a file to fewer digits than a `Double` has.
    private var isRounded = false

    /// The noun for the values without limits.
    let noun: String

    /// Creates the limits of a range.
    @usableFromInline
    init<Value: Comparable & Sendable>(_ range: some RangeExpression<Value>) {
        noun = TypeName.unlimitedNoun(Value.self)
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
        isRounded = lower is Float || upper is Float
    }

    /// The limits as a part of a noun: "from 1 to 65535", "of at least 1s".
    package var text: String {
        // A duration is a string in a source, without quotation marks here.
        func text(_ value: PropertyValue) -> String { value.plainText ?? ValueText.short(value) }
        let lower = lower.map(text), upper = upper.map { (excludesUpper ? "less than " : "") + text($0) }
        return switch (lower, upper) {
        case (let lower?, let upper?): " from \(lower) to \(upper)"
        case (let lower?, nil): " of at least \(lower)"
        case (nil, let upper?): excludesUpper ? " of \(upper)" : " of at most \(upper)"
        case (nil, nil): ""
        }
    }

    /// The keywords of the limits in a schema.
    ///
    /// JSON Schema has limits of numbers only. Limits of a type that rounds numbers are left out, because the schema
    /// would refuse numbers that the type accepts.
    var schema: [(String, PropertyValue)] {
        keywords("minimum", lower) + keywords(excludesUpper ? "exclusiveMaximum" : "maximum", upper)
    }

    private func keywords(_ keyword: String, _ limit: PropertyValue?) -> [(String, PropertyValue)] {
        switch limit {
        // JSON has no infinity.
        case .double(let double)? where !double.isFinite: []
        case .integer?, .unsigned?, .double?: limit.map { isRounded ? [] : [(keyword, $0)] } ?? []
        default: []
        }
    }
}

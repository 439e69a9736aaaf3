/// What stands in the place of a closure that a stored property holds.
///
/// A property of a function type holds its closure in the form for calls with just those types, while a closure in an
/// `Any` must have the form for calls with types unknown. `Mirror` does not convert: who casts the closure back and calls
/// it corrupts memory (seen with Swift 6.3.1). So nobody gets it; the property is there, and says why it cannot be read.
/// In an array, a dictionary or an enum closures have the right form.
struct StoredClosure: Sendable, CustomStringConvertible {
    var description: String { "a closure that reflection cannot read" }

    /// The value of a stored property, or what stands in its place.
    static func inPlace(of value: Any) -> Any {
        if value is any PlainValue { return value }
        var content = value
        while let optional = content as? any AnyOptional {
            guard let inner = optional.content else { return value }
            content = inner
        }
        return isFunction(content) ? StoredClosure() : value
    }

    // Functions and metatypes alone have no style; so has what makes its own mirror.
    private static func isFunction(_ value: Any) -> Bool {
        !(value is any CustomReflectable) && !(value is Any.Type) && Mirror(reflecting: value).displayStyle == nil
    }
}

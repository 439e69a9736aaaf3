internal import Properties

/// The shape of a property list as its guard saw it: the kind and the place of every value.
///
/// The parser's values are joined with it. The kind comes from here and not from a cast, since `as? Bool` takes a 1.
struct PlistShape {
    /// The kinds of values, with what the guard has read anyway.
    indirect enum Kind {
        case bool
        case integer
        case real
        case string
        case data
        // Read by the guard: the parser shifts a date that does not exist, and loses nanoseconds.
        case date(PropertyDateTime)
        case array([PlistShape])
        case dictionary([Entry])
    }

    /// A key with its value.
    struct Entry {
        let key: String
        let keyPlace: UInt32
        var value: PlistShape
    }

    let kind: Kind
    /// The value's byte offset; `PropertyOrigin.nowhere` where the source has no lines.
    let place: UInt32
}

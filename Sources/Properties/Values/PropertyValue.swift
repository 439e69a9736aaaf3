/// One value of a property source, in the form that every source shares.
///
/// A source's own types map onto these cases once, when it is loaded; from there on no code asks
/// which format a value came from. Literals make values, so a loader of one's own can write
/// `["api.timeout": 30, "hosts": ["a", "b"]]`.
public enum PropertyValue: Sendable {
    /// An explicit null: masks what an earlier source said; reading it gives nil.
    case null
    case bool(Bool)
    /// An integer that fits 64 bits with a sign.
    case integer(Int64)
    /// An integer above `Int64.max` that fits 64 bits without a sign.
    case unsigned(UInt64)
    /// An integer of more than 64 bits: its digits as written, with a leading `-` where negative.
    case bigInteger(String)
    case double(Double)
    /// A string of a typed source: never converted into anything else than text.
    case string(String)
    /// Text of an untyped source (environment, command line …): converts to what is asked for.
    case text(String)
    case data([UInt8])
    case dateTime(PropertyDateTime)
    case array([PropertyNode])
    case table(PropertyTable)
    /// A Swift value that has no other case, such as an enum that a struct holds.
    case opaque(OpaqueValue)
}

// MARK: - Literals

extension PropertyValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByStringInterpolation,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A null.
    public init(nilLiteral: ()) { self = .null }
    /// A boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// An integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// An array of values that stand nowhere.
    public init(arrayLiteral elements: PropertyValue...) {
        self = .array(elements.map { PropertyNode($0) })
    }
    /// A table of values that stand nowhere.
    public init(dictionaryLiteral elements: (String, PropertyValue)...) {
        self = .table(PropertyTable(elements))
    }
}

/// A Swift value carried through the store as it is.
///
/// It reads back as its own type only.
public struct OpaqueValue: @unchecked Sendable {
    // Safe to send: `init(_:)` takes Sendable values only, `init(unchecked:)` hands the proof to its caller,
    // and the value never changes afterwards.

    // In a box of its own: with an `Any` inside, every `PropertyValue` would be as large as one, and of a layout that the
    // optimizer copies even to see which case it is.
    private final class Box {
        let value: Any
        init(_ value: Any) { self.value = value }
    }
    private let box: Box

    /// Carries a value that can be shared between threads.
    public init(_ value: any Sendable) {
        box = Box(value)
    }

    /// Carries a value whose safety the caller vouches for: nobody changes it while the store holds it.
    public init(unchecked value: Any) {
        box = Box(value)
    }

    /// The value.
    public var value: Any { box.value }
}

/// One value of a property source, in the form that all sources share.
///
/// A loader maps the types of its format to these cases; the rest of the package is independent of formats. Values can
/// be written as literals, so a custom loader can return `["api.timeout": 30, "hosts": ["a", "b"]]`.
public enum PropertyValue: Sendable {
    /// An explicit null: hides the value of an earlier source. Reading it returns nil.
    case null
    case bool(Bool)
    /// An integer that fits in 64 bits with a sign.
    case integer(Int64)
    /// An integer above `Int64.max` that fits in 64 bits without a sign.
    case unsigned(UInt64)
    /// An integer of more than 64 bits: its decimal digits, with a leading `-` if it is negative.
    case bigInteger(String)
    case double(Double)
    /// A string of a typed source: it is never read as a number or a boolean.
    case string(String)
    /// Text of an untyped source (environment, command line, …): it is converted to the type that is asked for.
    case text(String)
    case data([UInt8])
    case dateTime(PropertyDateTime)
    case array([PropertyNode])
    case table(PropertyTable)
    /// A Swift value that no other case can hold, such as an enum in a struct.
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
    /// An array of values without places.
    public init(arrayLiteral elements: PropertyValue...) {
        self = .array(elements.map { PropertyNode($0) })
    }
    /// A table of values without places.
    public init(dictionaryLiteral elements: (String, PropertyValue)...) {
        self = .table(PropertyTable(elements))
    }
}

/// A Swift value that the store keeps as it is. It can be read as its own type only.
public struct OpaqueValue: @unchecked Sendable {
    // @unchecked: `init(_:)` takes Sendable values only, the caller of `init(unchecked:)` vouches for the value, and
    // the value never changes afterwards.

    // Boxed: an `Any` would make every `PropertyValue` as large as an `Any`, with a layout that the optimizer copies
    // even to read which case it is.
    private final class Box {
        let value: Any
        init(_ value: Any) { self.value = value }
    }
    private let box: Box

    /// Wraps a value that can be shared between threads.
    public init(_ value: any Sendable) {
        box = Box(value)
    }

    /// Wraps a value that is not `Sendable`. The caller must make sure that nothing changes it while a store holds it.
    public init(unchecked value: Any) {
        box = Box(value)
    }

    /// The value.
    public var value: Any { box.value }
}

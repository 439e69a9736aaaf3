import TextBasics

/// One value of a property source, in the representation that all sources share.
///
/// A loader maps the types of its format to these cases. The rest of the package does not depend on formats. Values can
/// be written as literals, so a custom loader can return `["api.timeout": 30, "hosts": ["a", "b"], "port": PropertyValue(port)]`.
public enum PropertyValue: Sendable {
    /// An explicit null. It hides the value of an earlier source, and reading it returns nil.
    case null
    case bool(Bool)
    /// An integer in the range of `Int64`.
    case integer(Int64)
    /// An integer that is greater than `Int64.max` and in the range of `UInt64`.
    case unsigned(UInt64)
    /// The decimal digits of an integer that needs more than 64 bits, with a leading `-` if it is negative.
    case bigInteger(String)
    case double(Double)
    /// A string from a typed source, such as JSON. It is never converted to a number or a boolean.
    case string(String)
    /// Text from an untyped source (environment, command line, …). It is converted to the requested type.
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
    /// Creates a null.
    public init(nilLiteral: ()) { self = .null }
    /// Creates a boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates an integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Creates a number.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates an array of values without places.
    public init(arrayLiteral elements: PropertyValue...) {
        self = .array(elements.map { PropertyNode($0) })
    }
    /// Creates a table of values without places.
    public init(dictionaryLiteral elements: (String, PropertyValue)...) {
        self = .table(PropertyTable(elements))
    }
}

extension PropertyValue {
    /// The approximate size of a copy of the value, in bytes.
    var size: Int {
        switch self {
        case .array(let nodes): nodes.reduce(0) { $0 + MemoryLayout<PropertyNode>.stride + $1.value.size }
        case .table(let table):
            table.reduce(0) { $0 + MemoryLayout<PropertyTable.Entry>.stride + $1.key.utf8.count + $1.node.value.size }
        case .string(let text), .text(let text), .bigInteger(let text): text.utf8.count
        case .data(let bytes): bytes.count
        default: 0
        }
    }

    /// Whether the value is text without a visible character.
    package var isBlank: Bool {
        switch self {
        case .string(let text), .text(let text): text.isEmpty || InvisibleEnds(text)?.trimmed.isEmpty == true
        default: false
        }
    }

    /// The text of the value inside a longer text, or nil if the value has no text.
    var plainText: String? {
        switch self {
        case .string(let text), .text(let text), .bigInteger(let text): text
        case .opaque(let opaque): (opaque.value as? any CustomStringConvertible)?.description
        case .null, .data, .array, .table: nil
        default: ValueText.short(self)
        }
    }
}

/// A Swift value that the store keeps unchanged. It can be read only as its own type.
public struct OpaqueValue: @unchecked Sendable {
    // @unchecked is safe: `init(_:)` accepts only Sendable values, the caller of `init(unchecked:)` guarantees that
    // nothing changes the value, and the wrapper itself is immutable.

    // Stored in a box, because an inline `Any` would make every `PropertyValue` as large as an `Any`, and the optimizer
    // would copy it even for a check of the case.
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

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
internal import Properties

/// A Swift type whose values a `PropertyValue` represents without loss.
protocol PlainValue {
    var propertyValue: PropertyValue { get }
}

extension Bool: PlainValue { var propertyValue: PropertyValue { .bool(self) } }
extension String: PlainValue { var propertyValue: PropertyValue { .string(self) } }
extension Double: PlainValue { var propertyValue: PropertyValue { .double(self) } }
// `Double` represents every `Float` without loss.
extension Float: PlainValue { var propertyValue: PropertyValue { .double(Double(self)) } }
extension Data: PlainValue { var propertyValue: PropertyValue { .data([UInt8](self)) } }
extension PropertyDateTime: PlainValue { var propertyValue: PropertyValue { .dateTime(self) } }
extension PropertyValue: PlainValue { var propertyValue: PropertyValue { self } }

extension PlainValue where Self: BinaryInteger {
    var propertyValue: PropertyValue {
        if let small = Int64(exactly: self) { return .integer(small) }
        if let large = UInt64(exactly: self) { return .unsigned(large) }
        return .bigInteger(String(self))
    }
}

extension Int: PlainValue {}
extension Int8: PlainValue {}
extension Int16: PlainValue {}
extension Int32: PlainValue {}
extension Int64: PlainValue {}
extension Int128: PlainValue {}
extension UInt: PlainValue {}
extension UInt8: PlainValue {}
extension UInt16: PlainValue {}
extension UInt32: PlainValue {}
extension UInt64: PlainValue {}
extension UInt128: PlainValue {}

// MARK: - Containers of values

// Protocols are used here instead of casts: a cast such as `as? [String: Any]` also succeeds for dictionaries with
// other types of keys and for bridged classes.

/// An optional of any type.
protocol AnyOptional {
    var content: Any? { get }
}

extension Optional: AnyOptional {
    var content: Any? { map { $0 } }
}

/// An array of any element type.
protocol AnyArray {
    var elements: any Sequence { get }
    var count: Int { get }
}

extension Array: AnyArray {
    var elements: any Sequence { self }
}

/// An array whose elements are plain values by their static type, so that no element needs a cast.
protocol PlainArray: AnyArray {
    var values: [PropertyValue] { get }
}

extension Array: PlainArray where Element: PlainValue {
    var values: [PropertyValue] { map(\.propertyValue) }
}

/// A dictionary of any type.
protocol AnyDictionary {
    /// The entries, or nil if a key is not a string. They are sorted by the bytes of their keys, because the order of a
    /// dictionary differs from run to run.
    var entries: [(label: String, value: Any)]? { get }
}

extension Dictionary: AnyDictionary {
    var entries: [(label: String, value: Any)]? {
        guard Key.self == String.self else { return nil }
        var entries: [(label: String, value: Any)] = []
        for (key, value) in self {
            guard let label = key as? String else { return nil }
            entries.append((label, value))
        }
        return entries.sorted(byName: \.label)
    }
}

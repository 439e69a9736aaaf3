internal import Foundation
internal import Properties
internal import PropertyLoadersEssentials

// Conversions of Foundation objects to Swift values for the struct loader, which meets such objects for example in a
// `[String: Any]` from `JSONSerialization`. Casts do not distinguish the types of an `NSNumber`: `as? Bool` accepts the
// number 1, and `as? Int` accepts `true`.

extension NSNumber: BridgedObject {
    package var bridgedValue: Any {
        // Foundation has a single instance for each boolean. Its type code is not reliable: on some platforms it is the
        // code of a small integer.
        if self === NSNumber(value: true) { return true }
        if self === NSNumber(value: false) { return false }
        if let decimal = self as? NSDecimalNumber { return decimal.bridgedDecimal }
        // Safe: the type code is a C string, which has at least one byte.
        switch unsafe UInt8(bitPattern: objCType.pointee) {
        case UInt8(ascii: "f"), UInt8(ascii: "d"): return doubleValue
        default: return Self.integer(stringValue) ?? self
        }
    }

    fileprivate static func integer(_ digits: String) -> PropertyValue? {
        if let integer = Int64(digits) { return .integer(integer) }
        return UInt64(digits).map { .unsigned($0) }
    }
}

extension NSDecimalNumber {
    // `JSONSerialization` creates decimal numbers for numbers with more than 17 digits. A decimal number becomes a
    // `Double` only if the `Double` has the same digits; otherwise the number would be rounded without notice.
    fileprivate var bridgedDecimal: Any {
        let text = decimalValue.description
        if let integer = Self.integer(text) { return integer }
        if let double = Double(text), Decimal(string: double.description) == decimalValue { return double }
        return decimalValue
    }
}

extension NSNull: BridgedObject {
    package var bridgedValue: Any { PropertyValue.null }
}

extension NSString: BridgedObject {
    package var bridgedValue: Any { self as String }
}

extension NSDate: BridgedObject {
    package var bridgedValue: Any { self as Date }
}

extension NSData: BridgedObject {
    package var bridgedValue: Any { self as Data }
}

extension NSArray: BridgedObject {
    package var bridgedValue: Any { Array(self) }
}

extension NSDictionary: BridgedObject {
    package var bridgedValue: Any { self as? [AnyHashable: Any] ?? self }
}

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Data: PropertyConvertible {
    /// What messages call the type.
    public static var propertyTypeName: String { "data, or a string of base64" }

    /// Reads data as it is, and a string that is base64 by RFC 4648 (section 4: padded, unused bits zero, no line breaks).
    public init(property node: PropertyNode) throws(PropertyMismatch) {
        if case .data(let bytes) = node.value {
            self = Data(bytes)
            return
        }
        let text = try node.textForConversion(expected: Self.propertyTypeName)
        guard let bytes = Base64.bytes(text) else {
            throw PropertyMismatch(.notParsable, node, expected: Self.propertyTypeName)
        }
        self = Data(bytes)
    }
}

extension URL: PropertyConvertible {
    /// What messages call the type.
    public static var propertyTypeName: String { "a URL such as \"https://example.com\"" }

    /// Reads a string that is a URL by RFC 3986 as it stands: nothing is percent-encoded to make it one.
    public init(property node: PropertyNode) throws(PropertyMismatch) {
        let text = try node.textForConversion(expected: Self.propertyTypeName)
        guard !text.isEmpty, let url = URL(string: text, encodingInvalidCharacters: false) else {
            throw PropertyMismatch(.notParsable, node, expected: Self.propertyTypeName)
        }
        self = url
    }
}

extension PropertyNode {
    /// The text of a string, for the types that the formats have no value for.
    func textForConversion(expected: String) throws(PropertyMismatch) -> String {
        switch value {
        case .string(let text), .text(let text): return text
        default: throw PropertyMismatch(.wrongType, self, expected: expected)
        }
    }
}

// MARK: - Dates

extension Date: PropertyConvertible {
    /// What messages call the type.
    public static var propertyTypeName: String { "an offset date-time such as 2026-11-21T06:30:00Z" }

    /// Reads an offset date-time, also from RFC 3339 text. The local kinds are no instant, so they are refused.
    public init(property node: PropertyNode) throws(PropertyMismatch) {
        switch node.value {
        case .dateTime(let dateTime):
            guard let date = Date(dateTime) else {
                throw PropertyMismatch(.wrongType, node, expected: Self.propertyTypeName)
            }
            self = date
        // JSON and the untyped sources have no value for dates.
        case .string(let text), .text(let text):
            guard let date = PropertyDateTime(text).flatMap({ Date($0) }) else {
                throw PropertyMismatch(.notParsable, node, expected: Self.propertyTypeName)
            }
            self = date
        default: throw PropertyMismatch(.wrongType, node, expected: Self.propertyTypeName)
        }
    }

    /// The instant that an offset date-time names; nil for the local kinds.
    ///
    /// A leap second is the first second of the next minute, since `Date` counts none.
    public init?(_ dateTime: PropertyDateTime) {
        guard let day = dateTime.day, let time = dateTime.time, let offset = dateTime.offset else { return nil }
        let minutes = (Self.daysSince2001(day) * 24 + time.hour) * 60 + time.minute - offset
        // Where Int has 32 bits, it holds the seconds up to 2069, and the minutes of all years.
        let seconds = Int64(minutes) * 60 + Int64(time.second ?? 0)
        self.init(timeIntervalSinceReferenceDate: Double(seconds) + Double(time.nanosecond ?? 0) / 1e9)
    }

    // The proleptic Gregorian calendar; years begin in March, so that the leap day is a year's last.
    private static func daysSince2001(_ day: PropertyDateTime.Day) -> Int {
        let year = day.month <= 2 ? day.year - 1 : day.year
        let month = (day.month + 9) % 12
        let leapDays = floorDivide(year, 4) - floorDivide(year, 100) + floorDivide(year, 400)
        // 730,791 days lie between 0000-03-01 and 2001-01-01.
        return 365 * year + leapDays + (153 * month + 2) / 5 + day.day - 1 - 730_791
    }

    private static func floorDivide(_ number: Int, _ divisor: Int) -> Int {
        let quotient = number / divisor
        return number % divisor < 0 ? quotient - 1 : quotient
    }
}

extension NaturalValue: NaturalValues {
    package static func any(_ dateTime: PropertyDateTime) -> Any {
        Date(dateTime).map { $0 as Any } ?? dateTime
    }

    package static func any(_ bytes: [UInt8]) -> Any { Data(bytes) }
}

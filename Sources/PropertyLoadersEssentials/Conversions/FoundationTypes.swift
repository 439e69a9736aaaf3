#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Data: PropertyConvertible {
    /// What messages call the type.
    public static var propertyTypeName: String { "data, or a string of base64" }

    /// Reads data, or a string of base64 as in RFC 4648, section 4: padded, unused bits zero, no line breaks.
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

    /// Reads a string that is a valid URL of RFC 3986 as it is. Nothing is percent-encoded.
    public init(property node: PropertyNode) throws(PropertyMismatch) {
        let text = try node.textForConversion(expected: Self.propertyTypeName)
        guard !text.isEmpty, let url = URL(string: text, encodingInvalidCharacters: false) else {
            throw PropertyMismatch(.notParsable, node, expected: Self.propertyTypeName)
        }
        self = url
    }
}

extension PropertyNode {
    /// Returns the text of a string, for a type that formats write as text.
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

    /// Reads an offset date-time, also from RFC 3339 text. Local dates and times are rejected, since they are not an instant.
    public init(property node: PropertyNode) throws(PropertyMismatch) {
        switch node.value {
        case .dateTime(let dateTime):
            guard let date = Date(dateTime) else {
                throw PropertyMismatch(.wrongType, node, expected: Self.propertyTypeName)
            }
            self = date
        // JSON and untyped sources write dates as text.
        case .string(let text), .text(let text):
            guard let date = PropertyDateTime(text).flatMap({ Date($0) }) else {
                throw PropertyMismatch(.notParsable, node, expected: Self.propertyTypeName)
            }
            self = date
        default: throw PropertyMismatch(.wrongType, node, expected: Self.propertyTypeName)
        }
    }

    /// Makes the instant of an offset date-time. Returns nil for a local date or time.
    ///
    /// A leap second becomes the first second of the next minute, since `Date` has no leap seconds.
    public init?(_ dateTime: PropertyDateTime) {
        guard let day = dateTime.day, let time = dateTime.time, let offset = dateTime.offset else { return nil }
        let minutes = (Self.daysSince2001(day) * 24 + time.hour) * 60 + time.minute - offset
        // If Int has 32 bits, it can represent seconds up to the year 2069, and minutes of all years.
        let seconds = Int64(minutes) * 60 + Int64(time.second ?? 0)
        self.init(timeIntervalSinceReferenceDate: Double(seconds) + Double(time.nanosecond ?? 0) / 1e9)
    }

    // The proleptic Gregorian calendar. Years begin in March, so that the leap day is the last of its year.
    private static func daysSince2001(_ day: PropertyDateTime.Day) -> Int {
        // Counted from the year -400, since the January of the year 0 is in the year -1, and division rounds toward zero.
        let year = 400 + (day.month <= 2 ? day.year - 1 : day.year)
        let month = (day.month + 9) % 12
        let leapDays = year / 4 - year / 100 + year / 400
        // There are 876,888 days from -0400-03-01 to 2001-01-01.
        return 365 * year + leapDays + (153 * month + 2) / 5 + day.day - 1 - 876_888
    }
}

extension NaturalValue: NaturalValues {
    package static func any(_ dateTime: PropertyDateTime) -> Any {
        Date(dateTime).map { $0 as Any } ?? dateTime
    }

    package static func any(_ bytes: [UInt8]) -> Any { Data(bytes) }
}

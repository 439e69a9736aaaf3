extension Data: PropertyConvertible {
    /// The name of the type in messages.
    public static var propertyTypeName: String { "data, or a string of base64" }

    /// Reads data, or a string of base64 (RFC 4648, section 4): padded, with unused bits zero and without line breaks.
    public init(property node: PropertyNode) throws(PropertyError) {
        if case .data(let bytes) = node.value {
            self = Data(bytes)
            return
        }
        let text = try node.textForConversion(expected: Self.propertyTypeName)
        // Foundation also accepts invalid text, such as `====` and `QUJD=`.
        guard let data = Data(base64Encoded: text), data.base64EncodedString().isSame(as: text) else {
            throw Self.mismatch(.notParsable, node, remedy: "Encode the bytes as base64 with padding")
        }
        self = data
    }
}

extension URL: PropertyConvertible {
    /// The name of the type in messages.
    public static var propertyTypeName: String { "a URL such as \"https://example.com\"" }

    /// Reads a string that is a valid URL by RFC 3986. An invalid character is an error; it is not percent-encoded.
    public init(property node: PropertyNode) throws(PropertyError) {
        let text = try node.textForConversion(expected: Self.propertyTypeName)
        guard !text.isEmpty, let url = URL(string: text, encodingInvalidCharacters: false) else {
            throw Self.mismatch(
                .notParsable, node, remedy: text.isEmpty ? nil : "Percent-encode invalid characters: a space is %20")
        }
        self = url
    }
}

extension PropertyNode {
    /// Returns the text of a string, or throws an error for any other value.
    func textForConversion(expected: String) throws(PropertyError) -> String {
        switch value {
        case .string(let text), .text(let text): return text
        default: throw PropertyError(.wrongType, self, expected: expected)
        }
    }
}

// MARK: - Dates

extension Date: PropertyConvertible {
    /// The name of the type in messages.
    public static var propertyTypeName: String { "an offset date-time such as 2026-11-21T06:30:00Z" }

    /// Reads an offset date-time, or a string that contains one in the format of RFC 3339. Local dates and times are
    /// rejected, because they do not identify an instant.
    public init(property node: PropertyNode) throws(PropertyError) {
        switch node.value {
        case .dateTime(let dateTime):
            guard let date = Date(dateTime) else {
                throw Self.mismatch(.wrongType, node, remedy: "Write the date, the time and the offset from UTC")
            }
            self = date
        // JSON and untyped sources write dates as text.
        case .string(let text), .text(let text):
            guard let date = PropertyDateTime(text).flatMap({ Date($0) }) else {
                throw Self.mismatch(.notParsable, node, remedy: "Write the date, the time and the offset from UTC")
            }
            self = date
        default: throw PropertyError(.wrongType, node, expected: Self.propertyTypeName)
        }
    }

    /// Creates the instant of an offset date-time. Returns nil for a local date or time.
    ///
    /// A leap second becomes the first second of the next minute, since `Date` has no leap seconds.
    public init?(_ dateTime: PropertyDateTime) {
        guard let day = dateTime.day, let time = dateTime.time, let offset = dateTime.offset else { return nil }
        let minutes = (Self.daysSince2001(day) * 24 + time.hour) * 60 + time.minute - offset
        // Uses `Int64`, because a 32-bit `Int` can represent the minutes of all years, but the seconds only up to 2069.
        let seconds = Int64(minutes) * 60 + Int64(time.second ?? 0)
        self.init(timeIntervalSinceReferenceDate: Double(seconds) + Double(time.nanosecond ?? 0) / 1e9)
    }

    // Uses the proleptic Gregorian calendar. Years begin in March, so that the leap day is the last day of its year.
    private static func daysSince2001(_ day: PropertyDateTime.Day) -> Int {
        // Years are counted from -400, so that they are never negative: January of the year 0 is in the year -1 here,
        // and division of negative numbers rounds toward zero.
        let year = 400 + (day.month <= 2 ? day.year - 1 : day.year)
        let month = (day.month + 9) % 12
        let leapDays = year / 4 - year / 100 + year / 400
        // There are 876,888 days from -0400-03-01 to 2001-01-01.
        return 365 * year + leapDays + (153 * month + 2) / 5 + day.day - 1 - 876_888
    }
}

extension PropertyDateTime {
    /// Creates an instant in UTC, to the nearest nanosecond, or returns nil outside of the years 0 to 9999.
    package init?(_ date: Date) {
        // Days are counted from March 1 of the year -400, so that they are positive and the leap day is the last day of
        // a year. The time from then to 2001 has 876,888 days.
        let seconds = date.timeIntervalSinceReferenceDate, floor = seconds.rounded(.down)
        guard abs(seconds) < 876_888 * 86_400 * 4 else { return nil }
        let nanosecond = Int(((seconds - floor) * 1e9).rounded()) % 1_000_000_000
        let whole = Int64(floor) + 876_888 * 86_400 + (seconds - floor > 0.5 && nanosecond == 0 ? 1 : 0)
        guard whole >= 0 else { return nil }
        let (days, second) = (Int(whole / 86_400), Int(whole % 86_400))
        let (era, dayOfEra) = days.quotientAndRemainder(dividingBy: 146_097)
        let year = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
        // From March on, the lengths of the months repeat every five months, which have 153 days.
        let month = (5 * dayOfYear + 2) / 153
        self.init(
            day: Day(
                year: 400 * (era - 1) + year + (month < 10 ? 0 : 1), month: month < 10 ? month + 3 : month - 9,
                day: dayOfYear - (153 * month + 2) / 5 + 1),
            time: Time(
                hour: second / 3600, minute: second / 60 % 60, second: second % 60,
                nanosecond: nanosecond == 0 ? nil : nanosecond),
            offset: 0)
    }
}

extension Data: SourceConvertible {
    package var sourceValue: PropertyValue { .data([UInt8](self)) }
    package static var schema: JsonSchema { ["type": "string", "pattern": "^[A-Za-z0-9+/]*={0,2}$"] }
}

extension URL: SourceConvertible {
    package var sourceValue: PropertyValue { .string(absoluteString) }
    // The characters of RFC 3986. The syntax of the parts of a URL is left to the conversion.
    package static var schema: JsonSchema {
        ["type": "string", "pattern": "^[A-Za-z0-9._~:/?#@!$&'()*+,;=%\\[\\]-]+$"]
    }
}

extension Date: SourceConvertible {
    package static var schema: JsonSchema { PropertyDateTime.offsetSchema }
    package var sourceValue: PropertyValue {
        let isWhole = timeIntervalSinceReferenceDate.rounded() == timeIntervalSinceReferenceDate
        return .string(formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: !isWhole)))
    }
}

extension NaturalValue: NaturalValues {
    package static func any(_ dateTime: PropertyDateTime) -> Any {
        Date(dateTime).map { $0 as Any } ?? dateTime
    }

    package static func any(_ bytes: [UInt8]) -> Any { Data(bytes) }
}

/// A date, a time, or both. A part that the source omits, such as the second, is absent.
///
/// There are four kinds, as in TOML 1.1: offset date-time (an instant), local date-time, local date and local time.
/// The calendar is the Gregorian calendar of RFC 3339, years 0 to 9999.
public struct PropertyDateTime: Hashable, Sendable {
    // An object, since every property value would be larger otherwise.
    private let parts: Parts

    private final class Parts: Sendable {
        let day: Day?, time: Time?, offset: Int?
        init(_ day: Day?, _ time: Time?, _ offset: Int?) { (self.day, self.time, self.offset) = (day, time, offset) }
    }

    /// The kinds of date-times. They differ in the parts that are present.
    package enum Kind: String, Sendable {
        /// A date, a time and an offset from UTC. Together they define an instant.
        case offsetDateTime = "datetime"
        /// A date and a time without a time zone.
        case localDateTime = "datetime-local"
        /// A date alone.
        case localDate = "date-local"
        /// A time alone.
        case localTime = "time-local"

        /// The name of the kind in messages.
        package var noun: String {
            switch self {
            case .offsetDateTime: "offset date-time"
            case .localDateTime: "local date-time"
            case .localDate: "local date"
            case .localTime: "local time"
            }
        }
    }

    /// A calendar day.
    public struct Day: Hashable, Sendable {
        /// The year, 0 to 9999; the month, from 1; and the day of the month, from 1.
        public var year, month, day: Int

        /// Creates a day without validating it. The initializer of `PropertyDateTime` validates it.
        ///
        /// - Parameters:
        ///   - year: the year, 0 to 9999.
        ///   - month: the month, from 1.
        ///   - day: the day of the month, from 1.
        public init(year: Int, month: Int, day: Int) {
            (self.year, self.month, self.day) = (year, month, day)
        }
    }

    /// A time of day.
    public struct Time: Hashable, Sendable {
        /// The hour, 0 to 23, and the minute, 0 to 59.
        public var hour, minute: Int
        /// The second, 0 to 60 (a leap second), or nil if the source omits it.
        public var second: Int?
        /// The nanosecond, 0 to 999,999,999, or nil if the source has no fraction.
        public var nanosecond: Int?

        /// Creates a time without validating it. The initializer of `PropertyDateTime` validates it.
        ///
        /// - Parameters:
        ///   - hour: the hour, 0 to 23.
        ///   - minute: the minute, 0 to 59.
        ///   - second: the second, 0 to 60, or nil.
        ///   - nanosecond: the nanosecond, 0 to 999,999,999, or nil; requires a second.
        public init(hour: Int, minute: Int, second: Int? = nil, nanosecond: Int? = nil) {
            (self.hour, self.minute, self.second, self.nanosecond) = (hour, minute, second, nanosecond)
        }
    }

    /// Creates a date-time from the parts that are present.
    ///
    /// The result is nil if a part is out of range, if the day does not exist, or if no kind of date-time has this
    /// combination of parts.
    ///
    /// - Parameters:
    ///   - day: the calendar day, or nil.
    ///   - time: the time of day, or nil.
    ///   - offset: the offset from UTC in minutes, -1439 to 1439, positive to the east, or nil; requires a day and a
    ///     time.
    public init?(day: Day? = nil, time: Time? = nil, offset: Int? = nil) {
        guard day != nil || time != nil, offset == nil || (day != nil && time != nil) else { return nil }
        if let day { guard Self.exists(day) else { return nil } }
        if let time { guard Self.exists(time) else { return nil } }
        if let offset { guard (-1439...1439).contains(offset) else { return nil } }
        parts = Parts(day, time, offset)
    }

    /// The calendar day, or nil for a local time.
    public var day: Day? { parts.day }
    /// The time of day, or nil for a local date.
    public var time: Time? { parts.time }
    /// The offset from UTC in minutes, positive to the east, or nil for the local kinds.
    public var offset: Int? { parts.offset }

    /// The kind of date-time.
    package var kind: Kind {
        if time == nil { return .localDate }
        if day == nil { return .localTime }
        return offset == nil ? .localDateTime : .offsetDateTime
    }

    /// Whether both have the same parts.
    public static func == (one: PropertyDateTime, other: PropertyDateTime) -> Bool {
        one.day == other.day && one.time == other.time && one.offset == other.offset
    }

    /// Hashes the parts.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(day)
        hasher.combine(time)
        hasher.combine(offset)
    }

    private static func daysInMonth(_ month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    static func exists(_ day: Day) -> Bool {
        (0...9999).contains(day.year) && (1...12).contains(day.month) && day.day >= 1
            && day.day <= daysInMonth(day.month, year: day.year)
    }

    // RFC 3339, section 5.6: a second of 60 is a leap second. It is accepted in every minute, since there is no table
    // of leap seconds here.
    static func exists(_ time: Time) -> Bool {
        (0...23).contains(time.hour) && (0...59).contains(time.minute)
            && (0...60).contains(time.second ?? 0) && (0...999_999_999).contains(time.nanosecond ?? 0)
            && (time.nanosecond == nil || time.second != nil)
    }
}

// MARK: - Text

extension PropertyDateTime: CustomStringConvertible {
    /// The RFC 3339 text of the parts that are present, such as `2026-11-21T06:30:00.25Z` or `06:30`.
    public var description: String {
        var text = ""
        if let day {
            text = "\(padded(day.year, 4))-\(padded(day.month, 2))-\(padded(day.day, 2))"
            if time != nil { text += "T" }
        }
        if let time { text += describe(time) }
        if let offset { text += describe(offset: offset) }
        return text
    }

    private func describe(_ time: Time) -> String {
        var text = "\(padded(time.hour, 2)):\(padded(time.minute, 2))"
        if let second = time.second { text += ":\(padded(second, 2))" }
        if let nanosecond = time.nanosecond {
            var digits = padded(nanosecond, 9)
            while digits.hasSuffix("0") && digits.utf8.count > 1 { digits.removeLast() }
            text += ".\(digits)"
        }
        return text
    }

    private func describe(offset: Int) -> String {
        guard offset != 0 else { return "Z" }
        let size = offset.magnitude
        return "\(offset < 0 ? "-" : "+")\(padded(Int(size / 60), 2)):\(padded(Int(size % 60), 2))"
    }

    private func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

extension PropertyDateTime: Decodable {
    /// Decodes the text of a date or time, as RFC 3339 writes it.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let dateTime = PropertyDateTime(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "this is not a date or time")
        }
        self = dateTime
    }
}

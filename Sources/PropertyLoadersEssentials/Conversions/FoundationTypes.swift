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

    /// Reads a string that is a valid URL by RFC 3986, with a scheme. An invalid character is an error; it is not
    /// percent-encoded. A URL for HTTP or WebSocket must have a host, and a port must be at most 65,535. A `#` in a user or
    /// a password, and a `/` or a `?` at the start of a password, are errors, since the user would be the host.
    public init(property node: PropertyNode) throws(PropertyError) {
        let text = try node.textForConversion(expected: Self.propertyTypeName)
        guard !text.isEmpty, let url = URL(string: text, encodingInvalidCharacters: false) else {
            let isOfSeveralHosts = Self.hasSeveralHosts(text)
            let remedy =
                isOfSeveralHosts
                ? "Let the program read it as a String: a URL has one host"
                : text.firstIndex(ofText: "://") != nil && text.utf8.contains(UInt8(ascii: "@"))
                    ? Self.escapedPassword : "Percent-encode invalid characters: a space is %20"
            throw Self.mismatch(.notParsable, node, remedy: text.isEmpty ? nil : remedy)
        }
        if let remedy = url.remedyAsSetting { throw Self.mismatch(.notParsable, node, remedy: remedy) }
        self = url
    }

    /// Whether commas separate several hosts, as in the addresses of a MongoDB cluster.
    private static func hasSeveralHosts(_ text: String) -> Bool {
        guard let start = text.firstIndex(ofText: "://") else { return false }
        let authority = text.utf8[start...].dropFirst(3).prefix { !"/?#".utf8.contains($0) }
        let hosts = authority.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).last ?? authority
        return hosts.contains(.comma)
    }

    /// The remedy if RFC 3986 allows the URL, but nobody can have meant it as a setting; otherwise nil.
    private var remedyAsSetting: String? {
        let text = absoluteString
        guard let scheme else {
            return text.hasPrefix("/") && !text.hasPrefix("//")
                ? "Write file:// before a path" : "Write the scheme before it, such as https://"
        }
        // RFC 3986 reads `localhost:8080` as the scheme `localhost`.
        let rest = text.dropFirst(scheme.count + 1).prefix { $0 != "/" && $0 != "?" }
        if !rest.isEmpty, rest.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            return "Write the scheme before it, such as https://"
        }
        if ["http", "https", "ws", "wss"].contains(scheme.lowercased()), host(percentEncoded: true)?.isEmpty != false {
            return "Write the host behind \(scheme.lowercased())://"
        }
        if Self.endsAuthorityEarly(text.dropFirst(scheme.count + 1)) { return Self.escapedPassword }
        return port.map { $0 > 65_535 } == true ? "Correct the port: it is at most 65535" : nil
    }

    private static let escapedPassword =
        "Percent-encode special characters of the user and the password: @ is %40, # is %23, / is %2F"

    /// Whether a user or a password ends the authority too early, so that RFC 3986 reads the user as the host. A `#` does
    /// so anywhere, and a `/` or a `?` at the start of the password. The argument is the URL behind the colon of its scheme.
    private static func endsAuthorityEarly(_ rest: Substring) -> Bool {
        let rest = rest.utf8
        guard rest.starts(with: "//".utf8) else { return false }
        let authority = rest.dropFirst(2).prefix { !"/?#".utf8.contains($0) }
        let tail = rest[authority.endIndex...]
        guard tail.contains(UInt8(ascii: "@")) else { return false }
        return tail.first == UInt8(ascii: "#") || authority.last == UInt8(ascii: ":")
    }
}

extension UUID: PropertyConvertible {
    /// The name of the type in messages.
    public static var propertyTypeName: String { "a UUID such as \"6ba7b810-9dad-11d1-80b4-00c04fd430c8\"" }

    /// Reads a string with the digits of a UUID in any case, in groups of 8, 4, 4, 4 and 12.
    public init(property node: PropertyNode) throws(PropertyError) {
        let text = try node.textForConversion(expected: Self.propertyTypeName)
        guard let id = UUID(uuidString: text) else { throw Self.mismatch(.notParsable, node) }
        self = id
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
        let dateTime: PropertyDateTime?, reason: PropertyError.Reason
        switch node.value {
        case .dateTime(let value): (dateTime, reason) = (value, .wrongType)
        // JSON and untyped sources write dates as text.
        case .string(let text), .text(let text): (dateTime, reason) = (PropertyDateTime(text), .notParsable)
        default: throw PropertyError(.wrongType, node, expected: Self.propertyTypeName)
        }
        guard let date = dateTime.flatMap({ Date($0) }) else {
            throw Self.mismatch(reason, node, remedy: "Write the date, the time and the offset from UTC")
        }
        self = date
    }

    /// Creates the instant of an offset date-time. Returns nil for a local date or time.
    ///
    /// A leap second becomes the first second of the next minute, since `Date` has no leap seconds.
    public init?(_ dateTime: PropertyDateTime) {
        guard let day = dateTime.day, let time = dateTime.time, let offset = dateTime.offset else { return nil }
        let minutes = (day.daysSince2001 * 24 + time.hour) * 60 + time.minute - offset
        // Uses `Int64`, because a 32-bit `Int` can represent the minutes of all years, but the seconds only up to 2069.
        let seconds = Int64(minutes) * 60 + Int64(time.second ?? 0)
        self.init(timeIntervalSinceReferenceDate: Double(seconds) + Double(time.nanosecond ?? 0) / 1e9)
    }
}

extension PropertyDateTime {
    /// Creates an instant in UTC, to the nearest nanosecond, or returns nil outside of the years 0 to 9999.
    package init?(_ date: Date) {
        let seconds = date.timeIntervalSinceReferenceDate, whole = seconds.rounded(.down)
        // No year from 0 to 9999 is farther away. The limit keeps the numbers small.
        guard abs(seconds) < 8000 * 366 * 86_400 else { return nil }
        let nanosecond = Int(((seconds - whole) * 1e9).rounded())
        let rounded = nanosecond < 1_000_000_000 ? whole : whole + 1
        let days = (rounded / 86_400).rounded(.down), second = Int(rounded - days * 86_400)
        self.init(
            day: Day(since2001: Int(days)),
            time: Time(
                hour: second / 3600, minute: second / 60 % 60, second: second % 60,
                nanosecond: nanosecond % 1_000_000_000 == 0 ? nil : nanosecond),
            offset: 0)
    }
}

extension PropertyDateTime.Day {
    /// The number of days since 2001-01-01 in the proleptic Gregorian calendar.
    fileprivate var daysSince2001: Int {
        // Years begin in March, so that the leap day is the last day of its year. They are counted from -400, so that
        // they are never negative: January of the year 0 is in the year -1 here, and division of negative numbers
        // rounds toward zero.
        let years = 400 + (month <= 2 ? year - 1 : year)
        let leapDays = years / 4 - years / 100 + years / 400
        // There are 876,888 days from -0400-03-01 to 2001-01-01.
        return 365 * years + leapDays + (153 * ((month + 9) % 12) + 2) / 5 + day - 1 - 876_888
    }

    /// Creates the day after a number of days since 2001-01-01.
    fileprivate init(since2001 days: Int) {
        func start(_ year: Int, _ month: Int = 1) -> Int { Self(year: year, month: month, day: 1).daysSince2001 }
        // Not later than the year of the day, since the start of a year is at most two days from the mean.
        var year = 2000 + Int((Double(days) / 365.2425).rounded(.down))
        while start(year + 1) <= days { year += 1 }
        let month = (1...12).last { start(year, $0) <= days } ?? 1
        self.init(year: year, month: month, day: days - start(year, month) + 1)
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

extension UUID: SourceConvertible {
    package var sourceValue: PropertyValue { .string(uuidString) }
    package static var schema: JsonSchema {
        ["type": "string", "pattern": "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$"]
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

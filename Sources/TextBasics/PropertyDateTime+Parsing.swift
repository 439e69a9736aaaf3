extension PropertyDateTime: LosslessStringConvertible {
    /// Creates a date-time of any kind from RFC 3339 text, such as `2026-11-21T06:30:00.25+01:00`, `2026-11-21`,
    /// `06:30`.
    ///
    /// As in TOML 1.1, a space or `t` may replace the `T`, seconds are optional, and a fraction is truncated to
    /// nanoseconds. The result is nil if the text is not a date-time, or if its day or its time does not exist.
    ///
    /// - Parameter description: the text. It must contain nothing but the date-time.
    public init?(_ description: String) {
        let bytes = Array(description.utf8)
        guard let scanned = try? Self.scan({ bytes.indices.contains($0) ? bytes[$0] : 0 }),
            scanned.length == bytes.count
        else { return nil }
        self = scanned.value
    }

    /// The error for text that is not a valid date-time.
    package struct ScanError: Error {
        /// The parts of a date-time.
        package enum Part: Sendable { case date, time, offset }

        /// The part that is invalid.
        package let part: Part
        /// Whether the part is well-formed but out of range, such as February 30.
        package let isOutOfRange: Bool
        /// The byte offset of the part.
        package let offset: Int
    }

    /// Parses the date-time at the start of a text.
    ///
    /// - Parameter byte: returns the byte at an offset, or zero after the end of the text. It is called for offsets up
    ///   to four bytes after the date-time.
    /// - Returns: the date-time and its length in bytes. The caller must check what follows it.
    /// - Throws: a `ScanError` if there is no valid date-time at the start.
    package static func scan(
        _ byte: @escaping (Int) -> UInt8
    ) throws(ScanError) -> (value: PropertyDateTime, length: Int) {
        var scanner = DateTimeScanner(bytes: byte)
        let value = try scanner.dateTime()
        return (value, scanner.offset)
    }
}

/// A recursive-descent parser of RFC 3339 with the extensions of TOML 1.1.
private struct DateTimeScanner {
    typealias ScanError = PropertyDateTime.ScanError

    let bytes: (Int) -> UInt8
    private(set) var offset = 0

    /// Reads a date-time of any kind.
    ///
    /// ABNF of TOML: `date-time = offset-date-time / local-date-time / local-date / local-time`.
    mutating func dateTime() throws(ScanError) -> PropertyDateTime {
        let day = byte(2) == .colon ? nil : try day()
        let isTimeNext = day == nil || skipTimeDelimiter()
        let timeStart = offset
        let time = isTimeNext ? try time() : nil
        let offsetStart = offset
        let minutes = day != nil && time != nil ? try timeOffset() : nil
        if let day, !PropertyDateTime.exists(day) { throw outOfRange(.date, at: 0) }
        if let time, !PropertyDateTime.exists(time) { throw outOfRange(.time, at: timeStart) }
        guard let value = PropertyDateTime(day: day, time: time, offset: minutes) else {
            throw outOfRange(.offset, at: offsetStart)
        }
        return value
    }

    /// Reads a day (ABNF: `full-date = date-fullyear "-" date-month "-" date-mday`).
    private mutating func day() throws(ScanError) -> PropertyDateTime.Day {
        guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2), !byte(0).isDigit
        else { throw malformed(.date, at: 0) }
        return .init(year: year, month: month, day: day)
    }

    /// Reads a time of day (ABNF: `partial-time = time-hour ":" time-minute [ ":" time-second [ time-secfrac ] ]`).
    private mutating func time() throws(ScanError) -> PropertyDateTime.Time {
        let start = offset
        guard let hour = number(2), skip(":"), let minute = number(2) else { throw malformed(.time, at: start) }
        guard skip(":") else { return .init(hour: hour, minute: minute) }
        guard let second = number(2) else { throw malformed(.time, at: start) }
        guard skip(".") else { return .init(hour: hour, minute: minute, second: second) }
        guard byte(0).isDigit else { throw malformed(.time, at: start) }
        return .init(hour: hour, minute: minute, second: second, nanosecond: nanosecond())
    }

    // TOML 1.1: digits beyond the precision, here nanoseconds, are truncated and not rounded.
    private mutating func nanosecond() -> Int {
        var (value, unit) = (0, 100_000_000)
        while byte(0).isDigit {
            value += Int(byte(0) &- 0x30) * unit
            unit /= 10
            offset += 1
        }
        return value
    }

    /// Reads an offset from UTC in minutes (ABNF: `time-offset = "Z" / time-numoffset`).
    ///
    /// Returns nil if there is no offset, as in a local date-time.
    private mutating func timeOffset() throws(ScanError) -> Int? {
        let start = offset
        if skip("Z") || skip("z") { return 0 }
        let isWest = byte(0) == .minus
        guard skip("-") || skip("+") else { return nil }
        guard let hours = number(2), skip(":"), let minutes = number(2) else { throw malformed(.offset, at: start) }
        guard hours < 24, minutes < 60 else { throw outOfRange(.offset, at: start) }
        return (isWest ? -1 : 1) * (hours * 60 + minutes)
    }

    // ABNF: `time-delim = "T" / %x20`. A space is a delimiter only if a digit follows it. Otherwise a local date ends
    // before the space.
    private mutating func skipTimeDelimiter() -> Bool {
        skip("T") || skip("t") || byte(1).isDigit && skip(" ")
    }

    private func byte(_ distance: Int) -> UInt8 { bytes(offset + distance) }

    private mutating func number(_ width: Int) -> Int? {
        var value = 0
        for distance in 0..<width {
            guard byte(distance).isDigit else { return nil }
            value = value * 10 + Int(byte(distance) &- 0x30)
        }
        offset += width
        return value
    }

    private mutating func skip(_ wanted: Unicode.Scalar) -> Bool {
        guard byte(0) == UInt8(ascii: wanted) else { return false }
        offset += 1
        return true
    }

    private func malformed(_ part: ScanError.Part, at place: Int) -> ScanError {
        ScanError(part: part, isOutOfRange: false, offset: place)
    }

    private func outOfRange(_ part: ScanError.Part, at place: Int) -> ScanError {
        ScanError(part: part, isOutOfRange: true, offset: place)
    }
}

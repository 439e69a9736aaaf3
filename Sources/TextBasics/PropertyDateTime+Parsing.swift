extension PropertyDateTime: LosslessStringConvertible {
    /// Reads RFC 3339 text of any of the four kinds: `2026-11-21T06:30:00.25+01:00`, `2026-11-21`, `06:30`.
    ///
    /// A space or a small `t` may stand for the `T`, seconds may be left out, and digits of a second past the ninth are
    /// cut off: the rules of TOML 1.1.
    public init?(_ description: String) {
        var scanner = DateTimeScanner(description)
        guard let value = scanner.dateTime() else { return nil }
        self = value
    }
}

private struct DateTimeScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = text[...].utf8
    }

    mutating func dateTime() -> PropertyDateTime? {
        var day: PropertyDateTime.Day?
        if rest.dropFirst(4).first == UInt8(ascii: "-") {
            guard let some = self.day() else { return nil }
            day = some
            if rest.isEmpty { return PropertyDateTime(day: day) }
            guard skip("T") || skip("t") || skip(" ") else { return nil }
        }
        guard let time = time() else { return nil }
        guard !rest.isEmpty else { return PropertyDateTime(day: day, time: time) }
        guard let offset = offset(), rest.isEmpty else { return nil }
        return PropertyDateTime(day: day, time: time, offset: offset)
    }

    private mutating func day() -> PropertyDateTime.Day? {
        guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2) else { return nil }
        return .init(year: year, month: month, day: day)
    }

    private mutating func time() -> PropertyDateTime.Time? {
        guard let hour = number(2), skip(":"), let minute = number(2) else { return nil }
        guard skip(":") else { return .init(hour: hour, minute: minute) }
        guard let second = number(2) else { return nil }
        guard skip(".") else { return .init(hour: hour, minute: minute, second: second) }
        guard let nanosecond = fraction() else { return nil }
        return .init(hour: hour, minute: minute, second: second, nanosecond: nanosecond)
    }

    private mutating func fraction() -> Int? {
        let digits = rest.prefix { isDigit($0) }
        guard !digits.isEmpty else { return nil }
        rest = rest.dropFirst(digits.count)
        var nanosecond = 0
        for byte in digits.prefix(9) { nanosecond = nanosecond * 10 + Int(byte - UInt8(ascii: "0")) }
        for _ in digits.count..<max(9, digits.count) { nanosecond *= 10 }
        return nanosecond
    }

    private mutating func offset() -> Int? {
        if skip("Z") || skip("z") { return 0 }
        let isWest = rest.first == UInt8(ascii: "-")
        guard skip("-") || skip("+"), let hours = number(2), skip(":"), let minutes = number(2) else { return nil }
        guard hours < 24, minutes < 60 else { return nil }
        return (isWest ? -1 : 1) * (hours * 60 + minutes)
    }

    private mutating func number(_ width: Int) -> Int? {
        let digits = rest.prefix(width)
        guard digits.count == width, digits.allSatisfy({ isDigit($0) }) else { return nil }
        rest = rest.dropFirst(width)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private mutating func skip(_ byte: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: byte) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

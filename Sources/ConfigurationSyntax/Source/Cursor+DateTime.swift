import TextBasics

// Dates and times as RFC 3339 writes them, with the liberties of TOML 1.1.
extension Cursor {
    /// Whether digits begin a date (`1979-`) or a time (`07:`) here, and not a number.
    var isDateOrTime: Bool {
        peek(4) == UInt8(ascii: "-") && areDigits(4) || peek(2) == UInt8(ascii: ":") && areDigits(2)
    }

    /// ABNF: `date-time = offset-date-time / local-date-time / local-date / local-time`.
    mutating func dateTime() throws(SyntaxFault) -> PropertyDateTime {
        let place = offset
        if peek(2) == UInt8(ascii: ":") {
            let time = try partialTime()
            guard let value = PropertyDateTime(time: time) else { throw SyntaxFault(.noSuchTime, at: place) }
            try endOfDateTime(.badTime, start: place)
            return value
        }
        let day = try fullDate()
        guard hasTime else {
            guard let value = PropertyDateTime(day: day) else { throw SyntaxFault(.noSuchDate, at: place) }
            try endOfDateTime(.badDate, start: place)
            return value
        }
        advance()
        let clock = offset
        let time = try partialTime()
        let zone = offset
        let east = try timeOffset()
        try endOfDateTime(.badTime, start: clock)
        guard PropertyDateTime(day: day) != nil else { throw SyntaxFault(.noSuchDate, at: place) }
        guard PropertyDateTime(time: time) != nil else { throw SyntaxFault(.noSuchTime, at: clock) }
        guard let value = PropertyDateTime(day: day, time: time, offset: east) else {
            throw SyntaxFault(.noSuchOffset, at: zone)
        }
        return value
    }

    /// ABNF: `full-date = date-fullyear "-" date-month "-" date-mday`.
    private mutating func fullDate() throws(SyntaxFault) -> PropertyDateTime.Day {
        let place = offset
        guard let year = number(4), passes(UInt8(ascii: "-")), let month = number(2), passes(UInt8(ascii: "-")),
            let day = number(2), !byte.isDigit
        else { throw SyntaxFault(.badDate, at: place) }
        return PropertyDateTime.Day(year: year, month: month, day: day)
    }

    /// ABNF: `partial-time = time-hour ":" time-minute [ ":" time-second [ time-secfrac ] ]`.
    private mutating func partialTime() throws(SyntaxFault) -> PropertyDateTime.Time {
        let place = offset
        guard let hour = number(2), passes(UInt8(ascii: ":")), let minute = number(2) else {
            throw SyntaxFault(.badTime, at: place)
        }
        var time = PropertyDateTime.Time(hour: hour, minute: minute)
        // TOML 1.1: seconds may be left out.
        guard passes(UInt8(ascii: ":")) else { return time }
        time.second = number(2)
        guard time.second != nil else { throw SyntaxFault(.badTime, at: place) }
        guard passes(UInt8(ascii: ".")) else { return time }
        time.nanosecond = nanoseconds()
        guard time.nanosecond != nil else { throw SyntaxFault(.badTime, at: place) }
        return time
    }

    // TOML 1.1: digits beyond the precision are truncated, not rounded.
    private mutating func nanoseconds() -> Int? {
        guard byte.isDigit else { return nil }
        var value = 0
        var unit = 100_000_000
        while byte.isDigit {
            value += Int(byte &- 0x30) * unit
            unit /= 10
            advance()
        }
        return value
    }

    /// ABNF: `time-offset = "Z" / time-numoffset`. Nil where there is none: the time is a local one.
    private mutating func timeOffset() throws(SyntaxFault) -> Int? {
        let place = offset
        if passes(UInt8(ascii: "Z")) || passes(UInt8(ascii: "z")) { return 0 }
        let isWest = byte == UInt8(ascii: "-")
        guard isWest || byte == UInt8(ascii: "+") else { return nil }
        advance()
        guard let hours = number(2), passes(UInt8(ascii: ":")), let minutes = number(2) else {
            throw SyntaxFault(.badOffset, at: place)
        }
        guard hours <= 23, minutes <= 59 else { throw SyntaxFault(.noSuchOffset, at: place) }
        return (isWest ? -1 : 1) * (hours * 60 + minutes)
    }

    // ABNF: `time-delim = "T" / %x20`; a space that no digit follows ends a local date.
    private var hasTime: Bool {
        byte | 0x20 == UInt8(ascii: "t") || byte == .space && peek(1).isDigit
    }

    private func areDigits(_ count: Int) -> Bool { (0..<count).allSatisfy { peek($0).isDigit } }

    private mutating func number(_ digits: Int) -> Int? {
        guard areDigits(digits) else { return nil }
        var value = 0
        for _ in 0..<digits {
            value = value * 10 + Int(byte &- 0x30)
            advance()
        }
        return value
    }

    private mutating func passes(_ wanted: UInt8) -> Bool {
        guard byte == wanted else { return false }
        advance()
        return true
    }

    private func endOfDateTime(_ problem: SyntaxFault.Problem, start: Int) throws(SyntaxFault) {
        if byte.isWordPart || ".+-:".utf8.contains(byte) { throw SyntaxFault(problem, at: start) }
    }
}

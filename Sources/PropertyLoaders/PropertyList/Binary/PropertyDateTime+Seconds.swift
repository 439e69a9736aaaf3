internal import Properties

extension PropertyDateTime {
    /// Makes an instant of the seconds since the start of 2001 in UTC, to the nearest nanosecond.
    ///
    /// - Returns: nil for what is no number, and outside of the years 0 to 9999.
    init?(secondsSince2001 seconds: Double) {
        guard seconds.isFinite, abs(seconds) < 1e12 else { return nil }
        // Where Int has 32 bits, it holds the seconds up to 2069.
        var whole = Int64(seconds.rounded(.down))
        var nanosecond = Int(((seconds - seconds.rounded(.down)) * 1e9).rounded())
        if nanosecond == 1_000_000_000 { (whole, nanosecond) = (whole + 1, 0) }
        let days = Self.quotient(whole, 86_400)
        let second = Int(whole - days * 86_400)
        let time = Time(
            hour: second / 3600, minute: second / 60 % 60, second: second % 60,
            nanosecond: nanosecond == 0 ? nil : nanosecond)
        self.init(day: Self.day(daysSince2001: Int(days)), time: time, offset: 0)
    }

    // Years are counted from March, so that the day that some years lack is the last one; an era is 400 years,
    // 146,097 days. The first of March of the year 2000 began an era, 306 days before 2001.
    private static func day(daysSince2001 days: Int) -> Day {
        let days = days + 306
        let era = quotient(days, 146_097)
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        // Months from March have 31, 30, 31, 30, 31 days, twice and again: 153 days for five.
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return Day(year: 2000 + era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month: month, day: day)
    }

    private static func quotient<Number: SignedInteger>(_ number: Number, _ divisor: Number) -> Number {
        number >= 0 ? number / divisor : -((divisor - 1 - number) / divisor)
    }
}

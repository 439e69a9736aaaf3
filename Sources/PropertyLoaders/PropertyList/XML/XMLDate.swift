internal import Properties

/// Reads the text of `<date>`.
enum XMLDate {
    /// `YYYY-MM-DDTHH:MM:SSZ`, and nothing else: the form that every writer of property lists has.
    static func read(_ text: String, at offset: Int) throws(PlistFault) -> PropertyDateTime {
        let bytes = Array(text.utf8)
        let form = Array("dddd-dd-ddTdd:dd:ddZ".utf8)
        guard bytes.count == form.count, zip(bytes, form).allSatisfy(fits) else {
            throw PlistFault(.badDate(text), at: offset)
        }
        func number(_ range: Range<Int>) -> Int {
            bytes[range].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        }
        let day = PropertyDateTime.Day(year: number(0..<4), month: number(5..<7), day: number(8..<10))
        let time = PropertyDateTime.Time(hour: number(11..<13), minute: number(14..<16), second: number(17..<19))
        // The format has no leap seconds: a date is a count of seconds that knows none.
        guard number(17..<19) < 60, let date = PropertyDateTime(day: day, time: time, offset: 0) else {
            throw PlistFault(.noSuchDate(text), at: offset)
        }
        return date
    }

    private static func fits(_ byte: UInt8, _ form: UInt8) -> Bool {
        form == UInt8(ascii: "d") ? (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) : byte == form
    }
}

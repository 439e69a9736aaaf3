import Testing
import TextBasics

@Suite("PropertyDateTime: scanning RFC 3339 text")
struct PropertyDateTimeTests {
    @Test(
        "The length does not include the text after the date-time",
        arguments: [
            ("2026-11-21", 10), ("2026-11-21 ", 10), ("2026-11-21 x", 10), ("2026-11-21 06:30]", 16), ("06:30,", 5),
            ("06:30:00.123456789123 #", 21), ("2026-11-21T06:30:00+01:00Z", 25), ("2026-11-21t06:30z", 17),
        ])
    func length(text: String, length: Int) throws {
        #expect(try PropertyDateTime.scan(text).length == length)
    }

    @Test(
        "An error contains the invalid part, its offset, and whether it is well-formed but out of range",
        arguments: [
            ("", "date 0 false"), ("2026-1-05", "date 0 false"), ("2026-01-055", "date 0 false"),
            ("2026-02-29", "date 0 true"), ("7:30", "date 0 false"), ("07:3", "time 0 false"), ("24:00", "time 0 true"),
            ("2026-11-21T", "time 11 false"), ("2026-11-21T06:30:61", "time 11 true"),
            ("2026-11-21T06:30:00.", "time 11 false"), ("2026-11-21T06:30+1", "offset 16 false"),
            ("2026-11-21T06:30+24:00", "offset 16 true"), ("2026-02-29T25:00Z", "date 0 true"),
        ])
    func errors(text: String, description: String) throws {
        let error = try #require(throws: PropertyDateTime.ScanError.self) { try PropertyDateTime.scan(text) }
        #expect("\(error.part) \(error.offset) \(error.isOutOfRange)" == description)
    }
}

import Foundation
import TextBasics
import Testing

@Suite("Dates and times")
struct PropertyDateTimeTests {
    static let valid: [(text: String, description: String, kind: PropertyDateTime.Kind)] = [
        ("2026-11-21T06:30:00.25+01:00", "2026-11-21T06:30:00.25+01:00", .offsetDateTime),
        ("2026-11-21 06:30z", "2026-11-21T06:30Z", .offsetDateTime),
        ("2026-11-21t06:30:00-00:00", "2026-11-21T06:30:00Z", .offsetDateTime),
        ("0000-02-29T23:59:60.1234567899", "0000-02-29T23:59:60.123456789", .localDateTime),
        ("9999-12-31", "9999-12-31", .localDate), ("06:30", "06:30", .localTime),
        ("06:30:00.000000000", "06:30:00.0", .localTime), ("23:59:60", "23:59:60", .localTime),
    ]

    @Test("A text is read, and written in one form that is read as the same", arguments: valid)
    func read(_ row: (text: String, description: String, kind: PropertyDateTime.Kind)) throws {
        let value = try #require(PropertyDateTime(row.text))
        #expect("\(value)" == row.description)
        #expect(value.kind == row.kind)
        let again = try #require(PropertyDateTime("\(value)"))
        #expect(again == value && again.hashValue == value.hashValue)
    }

    @Test(
        "Another text is not a date or a time",
        arguments: [
            "", "2026", "2026-02-30", "2025-02-29", "1900-02-29", "2026-13-01", "2026-00-01", "2026-1-01", "24:00",
            "06:60",
            "06:30:61", "06:30:00.", "6:30", "2026-11-21T", "2026-11-21T06:30+24:00", "2026-11-21T06:30+1:00",
            "06:30Z", "2026-11-21Z", "2026-11-21  06:30", " 2026-11-21", "2026-11-21 ", "2026-11-21T06:30:00Z\0",
            "２０２６-11-21",
        ])
    func refused(_ text: String) { #expect(PropertyDateTime(text) == nil) }

    @Test("Each day that exists in the calendar of Foundation is a date, and no other")
    func calendar() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        var count = 0
        for year in [1600, 1700, 1999, 2000, 2023, 2024, 2100, 2400] {
            for month in 0...13 {
                for day in 0...32 {
                    let parts = DateComponents(calendar: calendar, year: year, month: month, day: day)
                    let value = PropertyDateTime(day: .init(year: year, month: month, day: day))
                    #expect((value != nil) == parts.isValidDate(in: calendar), "\(year)-\(month)-\(day)")
                    count += 1
                }
            }
        }
        #expect(count == 8 * 14 * 33)
    }

    @Test("Parts that make no kind of date and time are refused")
    func parts() {
        let day = PropertyDateTime.Day(year: 2026, month: 11, day: 21),
            time = PropertyDateTime.Time(hour: 6, minute: 30)
        #expect(PropertyDateTime() == nil)
        #expect(PropertyDateTime(offset: 0) == nil)
        #expect(PropertyDateTime(day: day, offset: 0) == nil)
        #expect(PropertyDateTime(time: time, offset: 0) == nil)
        #expect(PropertyDateTime(day: day, time: time, offset: 1440) == nil)
        #expect(PropertyDateTime(day: day, time: time, offset: -1439) != nil)
        #expect(PropertyDateTime(time: .init(hour: 6, minute: 30, nanosecond: 1)) == nil)
    }
}

import Properties
import PropertyLoadersEssentials
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("Conversions: every kind of value, read as every type")
struct ConversionTableTests {
    @Test("Reading a kind of value as each type returns the value or the error in the table", arguments: kinds)
    func pairs(kind: Kind) throws {
        let store = try PropertyStore(Literal(["x": kind.value]))
        var values: [String] = [], failures: [String: [String]] = [:]
        for target in targets {
            do throws(PropertyError) {
                values.append("\(target.name) \(try target.read(store))")
            } catch {
                failures["\(error.reason)", default: []].append(target.name)
            }
        }
        for reason in ["missing", "out of range", "not parsable", "not one of the cases"] {
            if let names = failures[reason] { values.append("\(reason): \(names.joined(separator: ", "))") }
        }
        #expect(values.joined(separator: " | ") == kind.results)
        #expect((kinds.count, targets.count) == (34, 22))
    }
}

struct Kind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let value: PropertyValue
    /// The values, such as `Int 30`, then the types that fail for each reason. A type that is not listed fails with the
    /// reason "wrong type".
    let results: String

    init(_ name: String, _ value: PropertyValue, _ results: String) {
        (testDescription, self.value, self.results) = (name, value, results)
    }
}

private struct Target: Sendable {
    let name: String
    let read: @Sendable (PropertyStore) throws(PropertyError) -> String

    init<T>(_ name: String, _ type: T.Type, _ text: @escaping @Sendable (T) -> String = { "\($0)" }) {
        self.name = name
        read = { store throws(PropertyError) in text(try store.require("x", as: type)) }
    }
}

private enum Level: String, CaseIterable { case debug, info }
private enum Count: Int { case thirty = 30 }
private struct Pair: Decodable { var a: Int }

private let targets: [Target] = [
    Target("Bool", Bool.self), Target("Int", Int.self), Target("Int8", Int8.self), Target("UInt8", UInt8.self),
    Target("UInt64", UInt64.self), Target("Int128", Int128.self), Target("Double", Double.self),
    Target("Float", Float.self), Target("String", String.self),
    Target("[Int]", [Int].self) { "\($0)" }, Target("[UInt8]", [UInt8].self) { "\($0)" },
    Target("[String]", [String].self) { "\($0)" },
    Target("[String: Int]", [String: Int].self) { $0.map { "\($0)=\($1)" }.sorted().joined(separator: ",") },
    Target("URL", URL.self) { $0.absoluteString },
    Target("Date", Date.self) { "\(Int($0.timeIntervalSince1970))" },
    Target("Data", Data.self) { $0.map { "\($0)" }.joined(separator: ",") },
    Target("Duration", Duration.self),
    Target("PropertyDateTime", PropertyDateTime.self),
    Target("Level", Level.self), Target("Count", Count.self), Target("Pair", Pair.self) { "\($0.a)" },
    Target("Any", Any.self) { "\(type(of: $0))" },
]

private let time = PropertyDateTime.Time(hour: 6, minute: 30, second: 0)
private let day = PropertyDateTime.Day(year: 2026, month: 11, day: 21)
private func dateTime(_ value: PropertyDateTime?) -> PropertyValue { value.map { .dateTime($0) } ?? nil }

let kinds: [Kind] = [
    Kind(
        "null", nil,
        """
        missing: Bool, Int, Int8, UInt8, UInt64, Int128, Double, Float, String, [Int], [UInt8], [String], [String: \
        Int], URL, Date, Data, Duration, PropertyDateTime, Level, Count, Pair, Any
        """),
    Kind("a boolean", true, "Bool true | Any Bool"),
    Kind(
        "an integer", 30,
        "Int 30 | Int8 30 | UInt8 30 | UInt64 30 | Int128 30 | Double 30.0 | Float 30.0 | Count thirty | Any Int"),
    Kind(
        "a negative integer", -1,
        """
        Int -1 | Int8 -1 | Int128 -1 | Double -1.0 | Float -1.0 | Any Int | out of range: UInt8, UInt64 | not one of \
        the cases: Count
        """),
    Kind(
        "an integer past 2^53", 9_007_199_254_740_993,
        """
        Int 9007199254740993 | UInt64 9007199254740993 | Int128 9007199254740993 | Any Int | out of range: Int8, \
        UInt8, Double, Float | not one of the cases: Count
        """),
    Kind(
        "an integer that fits only into 64 bits without a sign", .unsigned(.max),
        """
        UInt64 18446744073709551615 | Int128 18446744073709551615 | Any UInt64 | out of range: Int, Int8, UInt8, \
        Double, Float, Count
        """),
    Kind(
        "an integer that needs more than 64 bits", .bigInteger("-18446744073709551616"),
        """
        Int128 -18446744073709551616 | Double -1.8446744073709552e+19 | Float -1.8446744e+19 | Any Int128 | out of \
        range: Int, Int8, UInt8, UInt64, Count
        """),
    Kind(
        "a whole number", 30.0,
        "Int 30 | Int8 30 | UInt8 30 | UInt64 30 | Int128 30 | Double 30.0 | Float 30.0 | Count thirty | Any Double"),
    Kind("a fraction", 0.5, "Double 0.5 | Float 0.5 | Any Double"),
    Kind(
        "a number beyond the range of Float", 1e39,
        "Double 1e+39 | Any Double | out of range: Int, Int8, UInt8, UInt64, Int128, Float, Count"),
    Kind("not a number", .double(.nan), "Double nan | Float nan | Any Double"),
    Kind(
        "a string", "debug",
        "String debug | Level debug | Any String | not parsable: URL, Date, Data, Duration, PropertyDateTime"),
    Kind(
        "a string of digits", "30",
        """
        String 30 | Any String | not parsable: URL, Date, Data, Duration, PropertyDateTime | not one of the cases: \
        Level
        """),
    Kind(
        "the string true", "true",
        """
        String true | Data 182,187,158 | Any String | not parsable: URL, Date, Duration, PropertyDateTime | not one \
        of the cases: Level
        """),
    Kind(
        "a string that is a duration", "1m30s",
        """
        String 1m30s | Duration 90.0 seconds | Any String | not parsable: URL, Date, Data, PropertyDateTime | not \
        one of the cases: Level
        """),
    Kind(
        "a string that is a date", "2026-11-21T06:30:00Z",
        """
        String 2026-11-21T06:30:00Z | Date 1795242600 | PropertyDateTime 2026-11-21T06:30:00Z | Any String | not \
        parsable: URL, Data, Duration | not one of the cases: Level
        """),
    Kind(
        "untyped text", .text("30"),
        """
        Int 30 | Int8 30 | UInt8 30 | UInt64 30 | Int128 30 | Double 30.0 | Float 30.0 | String 30 | [Int] [30] | \
        [UInt8] [30] | [String] ["30"] | Count thirty | Any String | not parsable: Bool, URL, Date, Data, Duration, \
        PropertyDateTime | not one of the cases: Level
        """),
    Kind(
        "untyped yes", .text("yes"),
        """
        Bool true | String yes | [String] ["yes"] | Any String | not parsable: Int, Int8, UInt8, UInt64, Int128, \
        Double, Float, [Int], [UInt8], URL, Date, Data, Duration, PropertyDateTime, Count | not one of the cases: \
        Level
        """),
    Kind(
        "untyped fraction", .text("0.5"),
        """
        Double 0.5 | Float 0.5 | String 0.5 | [String] ["0.5"] | Any String | not parsable: Bool, Int, Int8, UInt8, \
        UInt64, Int128, [Int], [UInt8], URL, Date, Data, Duration, PropertyDateTime, Count | not one of the cases: \
        Level
        """),
    Kind(
        "untyped duration", .text("PT1M30S"),
        """
        String PT1M30S | [String] ["PT1M30S"] | Duration 90.0 seconds | Any String | not parsable: Bool, Int, Int8, \
        UInt8, UInt64, Int128, Double, Float, [Int], [UInt8], URL, Date, Data, PropertyDateTime, Count | not one of \
        the cases: Level
        """),
    Kind(
        "untyped date", .text("2026-11-21T06:30:00Z"),
        """
        String 2026-11-21T06:30:00Z | [String] ["2026-11-21T06:30:00Z"] | Date 1795242600 | PropertyDateTime \
        2026-11-21T06:30:00Z | Any String | not parsable: Bool, Int, Int8, UInt8, UInt64, Int128, Double, Float, \
        [Int], [UInt8], URL, Data, Duration, Count | not one of the cases: Level
        """),
    Kind(
        "untyped list", .text("a,b"),
        """
        String a,b | [String] ["a", "b"] | Any String | not parsable: Bool, Int, Int8, UInt8, UInt64, Int128, \
        Double, Float, [Int], [UInt8], URL, Date, Data, Duration, PropertyDateTime, Count | not one of the cases: \
        Level
        """),
    Kind(
        "untyped case", .text("debug"),
        """
        String debug | [String] ["debug"] | Level debug | Any String | not parsable: Bool, Int, Int8, UInt8, UInt64, \
        Int128, Double, Float, [Int], [UInt8], URL, Date, Data, Duration, PropertyDateTime, Count
        """),
    Kind(
        "infinity", .double(-.infinity),
        "Double -inf | Float -inf | Any Double | out of range: Int, Int8, UInt8, UInt64, Int128, Count"),
    Kind("data", .data([1, 2]), "[UInt8] [1, 2] | Data 1,2 | Any Data"),
    Kind(
        "an offset date-time", dateTime(.init(day: day, time: time, offset: 60)),
        "Date 1795239000 | PropertyDateTime 2026-11-21T06:30:00+01:00 | Any Date"),
    Kind("a local date", dateTime(.init(day: day)), "PropertyDateTime 2026-11-21 | Any PropertyDateTime"),
    Kind(
        "a local date-time", dateTime(.init(day: day, time: time)),
        "PropertyDateTime 2026-11-21T06:30:00 | Any PropertyDateTime"),
    Kind("a local time", dateTime(.init(time: time)), "PropertyDateTime 06:30:00 | Any PropertyDateTime"),
    Kind("an empty array", [], "[Int] [] | [UInt8] [] | [String] [] | Any Array<Any>"),
    Kind("an array of strings", ["a", "b"], "[String] [\"a\", \"b\"] | Any Array<Any>"),
    Kind("an array", [1, 2], "[Int] [1, 2] | [UInt8] [1, 2] | Any Array<Any>"),
    Kind("a table", ["a": 1], "[String: Int] a=1 | Pair 1 | Any Dictionary<String, Any>"),
    Kind(
        "a Swift value", .opaque(OpaqueValue(Level.debug)),
        "Level debug | Any Level"),
]

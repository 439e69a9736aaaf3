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
        let found = targets.map { ($0.name, $0.read(store)) }.filter { $0.1 != "wrong type" }
        #expect(found.map { "\($0.0) \($0.1)" }.joined(separator: " | ") == kind.results)
    }

    @Test("The table has all kinds of values and all types")
    func complete() {
        #expect(kinds.count == 34)
        #expect(targets.count == 22)
    }
}

struct Kind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let value: PropertyValue
    /// The result for each type, such as `Int 30`. A type that is not listed fails with the reason "wrong type".
    let results: String

    init(_ name: String, _ value: PropertyValue, _ results: String) {
        (testDescription, self.value, self.results) = (name, value, results)
    }
}

private struct Target: Sendable {
    let name: String
    let read: @Sendable (PropertyStore) -> String

    init<T>(_ name: String, _ type: T.Type, _ text: @escaping @Sendable (T) -> String = { "\($0)" }) {
        self.name = name
        read = { store in
            do throws(PropertyError) {
                return text(try store.require("x", as: type))
            } catch {
                return "\(error.reason)"
            }
        }
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
        Bool missing | Int missing | Int8 missing | UInt8 missing | UInt64 missing | Int128 missing | Double \
        missing | Float missing | String missing | [Int] missing | [UInt8] missing | [String] missing | [String: \
        Int] missing | URL missing | Date missing | Data missing | Duration missing | PropertyDateTime missing | \
        Level missing | Count missing | Pair missing | Any missing
        """),
    Kind(
        "a boolean", true,
        """
        Bool true | Any Bool
        """),
    Kind(
        "an integer", 30,
        """
        Int 30 | Int8 30 | UInt8 30 | UInt64 30 | Int128 30 | Double 30.0 | Float 30.0 | Count thirty | Any Int
        """),
    Kind(
        "a negative integer", -1,
        """
        Int -1 | Int8 -1 | UInt8 out of range | UInt64 out of range | Int128 -1 | Double -1.0 | Float -1.0 | \
        Count not one of the cases | Any Int
        """),
    Kind(
        "an integer past 2^53", 9_007_199_254_740_993,
        """
        Int 9007199254740993 | Int8 out of range | UInt8 out of range | UInt64 9007199254740993 | Int128 \
        9007199254740993 | Double out of range | Float out of range | Count not one of the cases | Any Int
        """),
    Kind(
        "an integer that fits only into 64 bits without a sign", .unsigned(.max),
        """
        Int out of range | Int8 out of range | UInt8 out of range | UInt64 18446744073709551615 | Int128 \
        18446744073709551615 | Double out of range | Float out of range | Count out of range | Any UInt64
        """),
    Kind(
        "an integer that needs more than 64 bits", .bigInteger("-18446744073709551616"),
        """
        Int out of range | Int8 out of range | UInt8 out of range | UInt64 out of range | Int128 \
        -18446744073709551616 | Double -1.8446744073709552e+19 | Float -1.8446744e+19 | Count out of range | Any \
        Int128
        """),
    Kind(
        "a whole number", 30.0,
        """
        Int 30 | Int8 30 | UInt8 30 | UInt64 30 | Int128 30 | Double 30.0 | Float 30.0 | Count thirty | Any \
        Double
        """),
    Kind(
        "a fraction", 0.5,
        """
        Double 0.5 | Float 0.5 | Any Double
        """),
    Kind(
        "a number beyond the range of Float", 1e39,
        """
        Int out of range | Int8 out of range | UInt8 out of range | UInt64 out of range | Int128 out of range | \
        Double 1e+39 | Float out of range | Count out of range | Any Double
        """),
    Kind(
        "not a number", .double(.nan),
        """
        Double nan | Float nan | Any Double
        """),
    Kind(
        "a string", "debug",
        """
        String debug | URL debug | Date not parsable | Data not parsable | Duration not parsable | \
        PropertyDateTime not parsable | Level debug | Any String
        """),
    Kind(
        "a string of digits", "30",
        """
        String 30 | URL 30 | Date not parsable | Data not parsable | Duration not parsable | PropertyDateTime \
        not parsable | Level not one of the cases | Any String
        """),
    Kind(
        "the string true", "true",
        """
        String true | URL true | Date not parsable | Data 182,187,158 | Duration not parsable | PropertyDateTime \
        not parsable | Level not one of the cases | Any String
        """),
    Kind(
        "a string that is a duration", "1m30s",
        """
        String 1m30s | URL 1m30s | Date not parsable | Data not parsable | Duration 90.0 seconds | \
        PropertyDateTime not parsable | Level not one of the cases | Any String
        """),
    Kind(
        "a string that is a date", "2026-11-21T06:30:00Z",
        """
        String 2026-11-21T06:30:00Z | URL not parsable | Date 1795242600 | Data not parsable | Duration not \
        parsable | PropertyDateTime 2026-11-21T06:30:00Z | Level not one of the cases | Any String
        """),
    Kind(
        "untyped text", .text("30"),
        """
        Bool not parsable | Int 30 | Int8 30 | UInt8 30 | UInt64 30 | Int128 30 | Double 30.0 | Float 30.0 | \
        String 30 | URL 30 | Date not parsable | Data not parsable | Duration not parsable | PropertyDateTime \
        not parsable | Level not one of the cases | Count thirty | Any String
        """),
    Kind(
        "untyped yes", .text("yes"),
        """
        Bool true | Int not parsable | Int8 not parsable | UInt8 not parsable | UInt64 not parsable | Int128 not \
        parsable | Double not parsable | Float not parsable | String yes | URL yes | Date not parsable | Data \
        not parsable | Duration not parsable | PropertyDateTime not parsable | Level not one of the cases | \
        Count not parsable | Any String
        """),
    Kind(
        "untyped fraction", .text("0.5"),
        """
        Bool not parsable | Int not parsable | Int8 not parsable | UInt8 not parsable | UInt64 not parsable | \
        Int128 not parsable | Double 0.5 | Float 0.5 | String 0.5 | URL 0.5 | Date not parsable | Data not \
        parsable | Duration not parsable | PropertyDateTime not parsable | Level not one of the cases | Count \
        not parsable | Any String
        """),
    Kind(
        "untyped duration", .text("PT1M30S"),
        """
        Bool not parsable | Int not parsable | Int8 not parsable | UInt8 not parsable | UInt64 not parsable | \
        Int128 not parsable | Double not parsable | Float not parsable | String PT1M30S | URL PT1M30S | Date not \
        parsable | Data not parsable | Duration 90.0 seconds | PropertyDateTime not parsable | Level not one of \
        the cases | Count not parsable | Any String
        """),
    Kind(
        "untyped date", .text("2026-11-21T06:30:00Z"),
        """
        Bool not parsable | Int not parsable | Int8 not parsable | UInt8 not parsable | UInt64 not parsable | \
        Int128 not parsable | Double not parsable | Float not parsable | String 2026-11-21T06:30:00Z | URL not \
        parsable | Date 1795242600 | Data not parsable | Duration not parsable | PropertyDateTime \
        2026-11-21T06:30:00Z | Level not one of the cases | Count not parsable | Any String
        """),
    Kind(
        "untyped list", .text("a,b"),
        """
        Bool not parsable | Int not parsable | Int8 not parsable | UInt8 not parsable | UInt64 not parsable | \
        Int128 not parsable | Double not parsable | Float not parsable | String a,b | URL a,b | Date not \
        parsable | Data not parsable | Duration not parsable | PropertyDateTime not parsable | Level not one of \
        the cases | Count not parsable | Any String
        """),
    Kind(
        "untyped case", .text("debug"),
        """
        Bool not parsable | Int not parsable | Int8 not parsable | UInt8 not parsable | UInt64 not parsable | \
        Int128 not parsable | Double not parsable | Float not parsable | String debug | URL debug | Date not \
        parsable | Data not parsable | Duration not parsable | PropertyDateTime not parsable | Level debug | \
        Count not parsable | Any String
        """),
    Kind(
        "infinity", .double(-.infinity),
        """
        Int out of range | Int8 out of range | UInt8 out of range | UInt64 out of range | Int128 out of range | \
        Double -inf | Float -inf | Count out of range | Any Double
        """),
    Kind(
        "data", .data([1, 2]),
        """
        [UInt8] [1, 2] | Data 1,2 | Any Data
        """),
    Kind(
        "an offset date-time", dateTime(.init(day: day, time: time, offset: 60)),
        """
        Date 1795239000 | PropertyDateTime 2026-11-21T06:30:00+01:00 | Any Date
        """),
    Kind(
        "a local date", dateTime(.init(day: day)),
        """
        PropertyDateTime 2026-11-21 | Any PropertyDateTime
        """),
    Kind(
        "a local date-time", dateTime(.init(day: day, time: time)),
        """
        PropertyDateTime 2026-11-21T06:30:00 | Any PropertyDateTime
        """),
    Kind(
        "a local time", dateTime(.init(time: time)),
        """
        PropertyDateTime 06:30:00 | Any PropertyDateTime
        """),
    Kind(
        "an empty array", [],
        """
        [Int] [] | [UInt8] [] | [String] [] | Any Array<Any>
        """),
    Kind(
        "an array of strings", ["a", "b"],
        """
        [String] ["a", "b"] | Any Array<Any>
        """),
    Kind(
        "an array", [1, 2],
        """
        [Int] [1, 2] | [UInt8] [1, 2] | Any Array<Any>
        """),
    Kind(
        "a table", ["a": 1],
        """
        [String: Int] a=1 | Pair 1 | Any Dictionary<String, Any>
        """),
    Kind(
        "a Swift value", .opaque(OpaqueValue(Level.debug)),
        """
        Level debug | Any Level
        """),
]

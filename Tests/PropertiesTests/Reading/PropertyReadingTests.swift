import Properties
import PropertyLoadersEssentials
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("Reading: property, require, defaults")
struct PropertyReadingTests {
    /// A value that shows which of its initializers created it.
    struct Traced: Decodable, PropertyConvertible, RawRepresentable {
        static var propertyTypeName: String { "a string" }
        var rawValue: String
        init(rawValue: String) { self.rawValue = "raw \(rawValue)" }
        init(property node: PropertyNode) throws(PropertyError) { rawValue = "convertible" }
        init(from decoder: any Decoder) throws { rawValue = "decoded" }
    }

    struct RawAndDecoded: Decodable, RawRepresentable {
        var rawValue: String
        init(rawValue: String) { self.rawValue = "raw \(rawValue)" }
        init(from decoder: any Decoder) throws { rawValue = "decoded" }
    }

    @Test("A stored value of the type is preferred, then a conversion, then a raw value, then decoding")
    func order() throws {
        let stored = Traced(rawValue: "stored")
        let store = try PropertyStore(Literal(["stored": .opaque(OpaqueValue(unchecked: stored)), "text": "a"]))
        #expect((store.property("stored") as Traced?)?.rawValue == "raw stored")
        #expect((store.property("text") as Traced?)?.rawValue == "convertible")
        #expect((store.property("text") as RawAndDecoded?)?.rawValue == "raw a")
    }

    @Test("A default replaces a missing or null value, and never hides a wrong one")
    func defaults() throws {
        let store = try PropertyStore(Literal(["wrong": "30", "null": nil, "there": 1]))
        #expect(try store.property("absent", default: 5) == 5)
        #expect(try store.property("null", default: 5) == 5)
        #expect(try store.property("there", default: 5) == 1)
        let error = #expect(throws: PropertyError.self) { try store.property("wrong", default: 5) }
        #expect(error?.reason == .wrongType)
    }

    @Test("Dictionaries of Any contain plain Swift values at every depth and leave out nulls")
    func anyValues() throws {
        let store = try PropertyStore(
            Literal(["t": ["a": 1, "b": [true, "x", ["c": 0.5]], "n": nil, "d": .data([1])]]))
        let table: [String: Any] = try store.require("t")
        #expect(table.keys.sorted() == ["a", "b", "d"])
        #expect(table["a"] as? Int == 1)
        let array = try #require(table["b"] as? [Any])
        #expect(array[0] as? Bool == true)
        #expect(array[1] as? String == "x")
        #expect((array[2] as? [String: Any])?["c"] as? Double == 0.5)
        #expect(table["d"] as? Data == Data([1]))
        #expect(store.property("t") as Any? is [String: Any])
    }

    @Test("Each element of a collection is converted like a single value, and optional elements may be null")
    func collections() throws {
        let store = try PropertyStore(
            Literal(["a": [1, nil, 3], "t": ["x": 1, "y": nil], "deep": [["x": [1]], [:]], "empty": []]))
        #expect(store.property("a") as [Int]? == nil)
        #expect(store.property("a") as [Int?]? == [1, nil, 3])
        #expect(store.property("t") as [String: Int]? == ["x": 1])
        #expect(store.property("t") as [String: Int?]? == ["x": 1, "y": nil])
        #expect(store.property("deep") as [[String: [UInt8]]]? == [["x": [1]], [:]])
        #expect(store.property("empty") as [String]? == [])
        #expect(store.property("a") as Set<Int>? == nil)
    }

    @Test(
        "Valid durations",
        arguments: [
            ("1m30s", Duration.seconds(90)), ("250ms", .milliseconds(250)), ("1.5s", .milliseconds(1500)),
            ("1h", .seconds(3600)), ("2d12h", .seconds(216_000)), ("10us", .microseconds(10)),
            // The micro sign, U+00B5, and the Greek letter that keyboards have, U+03BC.
            ("1\u{B5}s", .microseconds(1)), ("1\u{3BC}s", .microseconds(1)),
            ("5ns", .nanoseconds(5)), ("-30s", .seconds(-30)), ("0s", .zero), ("PT1M30S", .seconds(90)),
            ("P1D", .seconds(86_400)),
            ("P1DT2H", .seconds(93_600)), ("P2W", .seconds(1_209_600)), ("PT0.5S", .milliseconds(500)),
            ("-PT5S", .seconds(-5)),
        ])
    func durations(text: String, duration: Duration) throws {
        let store = try PropertyStore(Literal(["typed": .string(text), "untyped": .text(text)]))
        #expect(try store.require("typed") as Duration == duration)
        #expect(try store.require("untyped") as Duration == duration)
    }

    @Test(
        "Invalid durations",
        arguments: [
            "", "30", "s", "-", "1m 30s", "30s1m", "1s1s", "1.s", ".5s", "1.5ns5", "1x", "P", "PT", "P1Y", "P1M", "PT1",
            "1e3s",
            "0.0000000000000000001s", "99999999999999999999999999999999d", "PT1MT1S", "١s", "--1s", "1us2\u{B5}s",
            "1\u{B5}s2\u{3BC}s",
        ])
    func noDurations(text: String) throws {
        let store = try PropertyStore(Literal(["x": .string(text)]))
        let error = #expect(throws: PropertyError.self) { try store.require("x") as Duration }
        #expect(error?.reason == .notParsable)
    }
}

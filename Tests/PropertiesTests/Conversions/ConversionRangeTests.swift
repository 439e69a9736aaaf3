import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Values that a type cannot hold exactly are rejected")
struct ConversionRangeTests {
    @Test(
        "A duration whose seconds do not fit into 64 bits is out of range",
        arguments: ["200000000000000d", "-200000000000000d", "9223372036854775808s", "P200000000000000D"])
    func longDuration(text: String) throws {
        let store = try PropertyStore(Literal(["wait": .string(text)]))
        #expect(store.property("wait") as Duration? == nil)
        let error = #expect(throws: PropertyError.self) { _ = try store.require("wait", as: Duration.self) }
        #expect(error?.reason == .outOfRange)
        #expect(
            error?.description
                == "literal: 'wait' is the string \"\(text)\"; expected a duration of less than 2^63 seconds. "
                + "Change the value.")
    }

    @Test("The longest positive and negative durations whose seconds fit into 64 bits can be read")
    func longestDuration() throws {
        let store = try PropertyStore(Literal(["most": "9223372036854775807.999s", "least": "-9223372036854775807s"]))
        #expect(try store.require("most", as: Duration.self).components.seconds == .max)
        #expect(try store.require("least", as: Duration.self).components.seconds == -.max)
    }

    @Test(
        "A floating-point number of 2^53 or more cannot be read as an integer, because it may have been rounded",
        arguments: ["9007199254740993.0", "9007199254740992.0", "-9007199254740993.0", "1e16", "1e23"])
    func largeDouble(text: String) throws {
        let store = PropertyStore.quiet
        try store.apply(JsonPropertyLoader(string: "{\"count\": \(text)}", name: "c.json"))
        #expect(store.property("count") as Int128? == nil)
        let error = #expect(throws: PropertyError.self) { _ = try store.require("count", as: Int128.self) }
        #expect(error?.reason == .outOfRange)
        #expect(
            error?.description.hasSuffix("; expected an integer. Write it without a fraction or exponent.") == true)
    }

    @Test("A whole number below 2^53 can be read as an integer, even if it is written with a fraction or an exponent")
    func exactDouble() throws {
        let store = PropertyStore.quiet
        let json = "{\"a\": 9007199254740991.0, \"b\": -9007199254740991.0, \"c\": 1e3, \"d\": 9007199254740993}"
        try store.apply(JsonPropertyLoader(string: json, name: "c.json"))
        #expect(store.property("a") == 9_007_199_254_740_991)
        #expect(store.property("b") == -9_007_199_254_740_991)
        #expect(store.property("c") == 1000)
        #expect(store.property("d") == 9_007_199_254_740_993)
    }

    @Test("As an array, data can be read only as bytes, even if it is empty", arguments: [[], [1, 2]] as [[UInt8]])
    func data(bytes: [UInt8]) throws {
        let store = try PropertyStore(Literal(["d": .data(bytes)]))
        let things: [Any]? = store.property("d")
        #expect(store.property("d") as [UInt8]? == bytes)
        #expect(store.property("d") as [String]? == nil)
        #expect(things == nil)
        #expect(store.property("d") as [UInt8?]? == nil)
    }

    @Test("Untyped text becomes the Float nearest to the text, not to the nearest Double")
    func float() throws {
        // Just above the midpoint between 1 and the next Float. The nearest Double is the midpoint itself, which would
        // round down to 1.
        let text = "1.00000005960464477540"
        let store = try PropertyStore(Literal(["x": .text(text)]))
        #expect(store.property("x") == Float(text))
    }
}

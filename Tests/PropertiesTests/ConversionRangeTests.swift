import Properties
import Testing

@Suite("What a type cannot hold as it was written is refused")
struct ConversionRangeTests {
    @Test(
        "A duration that has no components is out of range",
        arguments: ["200000000000000d", "-200000000000000d", "9223372036854775808s", "P200000000000000D"])
    func longDuration(text: String) throws {
        let store = try PropertyStore(Literal(["wait": .string(text)]))
        #expect(store.property("wait") as Duration? == nil)
        let error = #expect(throws: PropertyError.self) { _ = try store.require("wait", as: Duration.self) }
        #expect(error?.reason == .outOfRange)
        #expect(
            error?.description
                == "literal: 'wait' is the string \"\(text)\"; expected a duration of less than 2^63 seconds.")
    }

    @Test("The longest durations have components")
    func longestDuration() throws {
        let store = try PropertyStore(Literal(["most": "9223372036854775807.999s", "least": "-9223372036854775807s"]))
        #expect(try store.require("most", as: Duration.self).components.seconds == .max)
        #expect(try store.require("least", as: Duration.self).components.seconds == -.max)
    }
}

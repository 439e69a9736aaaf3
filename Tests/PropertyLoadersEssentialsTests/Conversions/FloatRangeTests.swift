import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Numbers that no value of a type holds")
struct FloatRangeTests {
    private static let limits = "from -3.4028235e+38 to 3.4028235e+38"

    @Test(
        "A number beyond a Float is out of range, in each notation and source",
        arguments: ["1e308", "-1e308", "1e39", "3.4028236e38", "1" + String(repeating: "0", count: 308)])
    func floats(_ number: String) throws {
        let json = try PropertyStore(
            sources: JsonPropertyLoader(string: "{\"a\": \(number), \"b\": [\(number)]}", name: "c"))
        let variables = ["APP_A": number, "APP_B": number]
        let text = try PropertyStore(sources: EnvironmentPropertyLoader(prefix: "APP", environment: variables))
        for store in [json, text] {
            store.declare(TypedKey<Float>("a"), TypedKey<Double>("a"))
            store.declare(TypedKey<[Float]>("b"))
            let one = #expect(throws: PropertyError.self) { try store.require("a", as: Float.self) }
            #expect(one?.reason == .outOfRange)
            #expect(one?.description.contains("; expected a number \(Self.limits). Change the value.") == true)
            let inner = #expect(throws: PropertyError.self) { try store.require("b", as: [Float].self) }
            #expect(inner?.description.contains("; expected a number \(Self.limits). Change the value.") == true)
        }
    }

    @Test("A number that a Float holds only rounded is read, unless it is an integer")
    func rounded() throws {
        let text = "{\"a\": 0.1, \"b\": 3.4028235e38, \"c\": 1e-60, \"d\": 16777217}"
        let store = try PropertyStore(sources: JsonPropertyLoader(string: text, name: "c.json"))
        #expect(store.property("a") == Float(0.1))
        #expect(store.property("b") == Float.greatestFiniteMagnitude)
        #expect(store.property("c") == Float(0))
        let error = #expect(throws: PropertyError.self) { try store.require("d", as: Float.self) }
        #expect(
            error?.description
                == "c.json:1:48: 'd' is the integer 16777217; expected a number that Float holds exactly. Change the value."
        )
    }

    @Test("The noun of a key is followed by the range of its type, unless the key has limits of its own")
    func nouns() throws {
        let store = try PropertyStore(
            sources: JsonPropertyLoader(string: "{\"ratio\": 1e308, \"port\": 70000}", name: "c.json"))
        func message<Value>(_ key: TypedKey<Value>) -> String? {
            #expect(throws: PropertyError.self) { try store.require(key) }?.description
        }
        #expect(
            [
                message(TypedKey<Float>("ratio", expected: "a ratio")),
                message(TypedKey<Float>("ratio", in: 0...1, expected: "a ratio")),
                message(TypedKey<UInt16>("port", expected: "a port")),
                message(TypedKey<UInt16>("port", in: 1..., expected: "a port")),
            ] == [
                "c.json:1:11: 'ratio' is the number 1e+308; expected a ratio \(Self.limits). Change the value.",
                "c.json:1:11: 'ratio' is the number 1e+308; expected a ratio from 0.0 to 1.0. Change the value.",
                "c.json:1:26: 'port' is the integer 70000; expected a port from 0 to 65535. Change the value.",
                "c.json:1:26: 'port' is the integer 70000; expected a port of at least 1. Change the value.",
            ])
    }
}

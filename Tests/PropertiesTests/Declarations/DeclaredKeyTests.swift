import Properties
import Testing

@Suite("Declared keys: limits and the list")
struct DeclaredKeyTests {
    @Test(
        "The limits of a key are part of its errors",
        arguments: [
            (TypedKey<Int>("x", in: 1...5), "an integer from 1 to 5"),
            (TypedKey("x", in: 1..<5), "an integer from 1 to less than 5"),
            (TypedKey("x", in: 1...), "an integer of at least 1"),
            (TypedKey("x", in: ...(-1), expected: "a number of seconds"), "a number of seconds of at most -1"),
            (TypedKey("x", in: ..<0), "an integer of less than 0"),
            (TypedKey("x", in: 1...5, expected: "a level"), "a level from 1 to 5"),
        ])
    func limits(key: TypedKey<Int>, expected: String) throws {
        let store = try PropertyStore(Literal(["x": 0]))
        let error = #expect(throws: PropertyError.self) { try store.require(key) }
        #expect(error?.description == "literal: 'x' is the integer 0; expected \(expected). Change the value.")
    }

    @Test("Limits of numbers and durations")
    func kinds() throws {
        let store = try PropertyStore(Literal(["n": 300, "d": "2m", "f": 1.5]))
        store.declare(
            TypedKey<UInt8>("n", in: 1...100), TypedKey<Duration>("d", in: .milliseconds(100)...(.seconds(90))),
            TypedKey<Double>("f", in: 0...1))
        let errors = #expect(throws: ConfigurationErrors.self) { try store.verify() }
        #expect(
            errors?.lines == """
                literal: 'd' is the string "2m"; expected a duration from 100ms to 90s. Change the value.
                literal: 'f' is the number 1.5; expected a number from 0.0 to 1.0. Change the value.
                literal: 'n' is the integer 300; expected an integer from 1 to 100. Change the value.
                """)
    }

    @Test("Several declarations of one name are listed once, and are secret or required if one of them is")
    func combined() {
        let store = PropertyStore()
        store.declare(TypedKey<Int>("x", default: 1, summary: "first"))
        #expect(store.declaredKeys.map(\.defaultText) == ["1"])
        store.declare(TypedKey<Int>("x", summary: "second"))
        #expect(store.help() == "  --x <integer>           first. (required, default: 1)\n")
        PropertyStore(parent: store).declareSecret("x")
        #expect(store.declaredKeys.map(\.isSecret) == [false])
        store.declareSecret("x", "y")
        #expect(
            store.help() == """
                  --x <integer>           first. (required, secret)
                  --y <value>             A value. (secret)

                """)
    }

    @Test("The default of a key is hidden if its name, a table that it is in, or a part of it is secret")
    func secretDefaults() throws {
        let store = PropertyStore()
        store.declare(
            TypedKey("a.x", default: "hunter1"), TypedKey("b", default: ["x": "hunter2"]),
            TypedKey("c", default: "hunter3", isSecret: true), TypedKey("d", default: 1))
        store.declareSecret("a", "b.x")
        #expect(store.declaredKeys.compactMap(\.defaultText) == ["1"])
        let text = store.jsonSchema() + store.help()
        #expect(!text.contains("hunter"))
    }
}

import Properties
import Testing

// The keys `port` and `password` are declared in `ReadmeTests`.
extension TypedKey<Int> {
    fileprivate static var timeout: Self {
        TypedKey("api.timeout", expected: "an integer in seconds")
    }
}

@Suite("Typed keys")
struct TypedKeyTests {

    @Test("A key's default replaces a missing value, and never a wrong one")
    func defaults() throws {
        let empty = PropertyStore()
        #expect(empty.property(.port) == 8080)
        #expect(try empty.require(.port) == 8080)
        #expect(empty.property(.timeout) == nil)
        let wrong = try PropertyStore(Literal(["server.port": "80"]))
        #expect(wrong.property(.port) == nil)
        #expect(throws: PropertyError.self) { try wrong.require(.port) }
    }

    @Test("The noun of a key is what an error expects, and a secret key masks its value")
    func unitAndSecret() throws {
        let store = PropertyStore()
        try store.apply(Lines("c", "api.timeout = true\ndb.password = 12345"))
        let unit = #expect(throws: PropertyError.self) { try store.require(.timeout) }
        #expect(
            unit?.description
                == "c:1:15: 'api.timeout' is the boolean true; expected an integer in seconds. "
                + "Change the value.")
        let missing = #expect(throws: PropertyError.self) { try PropertyStore().require(.timeout) }
        #expect(missing?.description == "'api.timeout' is missing; expected an integer in seconds. Set it in a source.")
        let secret = #expect(throws: PropertyError.self) { try store.require(.password) }
        #expect(
            secret?.description
                == "c:2:15: 'db.password' is an integer that is secret; expected a string. "
                + "Change the value.")
    }
}

@Suite("A store as JSON")
struct StoreJsonTests {

    @Test("The whole store or one of its tables as JSON")
    func json() throws {
        let store = try PropertyStore(
            Literal(["a": ["b": [1, "x\n\"\u{1}é", nil, true, 0.5], "e": [:], "d": .data([1, 2, 3, 4])], "f": []]))
        #expect(
            try store.json() == """
                {
                  "a": {
                    "b": [
                      1,
                      "x\\n\\"\\u0001é",
                      null,
                      true,
                      0.5
                    ],
                    "e": {},
                    "d": "AQIDBA=="
                  },
                  "f": []
                }
                """)
        #expect(try store.json(at: "a.e") == "{}")
        #expect(try store.json(at: "a.d") == "\"AQIDBA==\"")
        #expect(try store.json(at: "x") == nil)
    }
}

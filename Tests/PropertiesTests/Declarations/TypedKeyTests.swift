import Properties
import TestSupport
import Testing

extension TypedKey<Int> {
    fileprivate static let timeout = TypedKey("api.timeout", expected: "an integer in seconds")
}

@Suite("Typed keys")
struct TypedKeyTests {

    @Test("A key's default replaces a missing value, and never a wrong one")
    func defaults() throws {
        let empty = PropertyStore.quiet
        #expect(empty.property(.port) == 8080)
        #expect(try empty.require(.port) == 8080)
        #expect(empty.property(.timeout) == nil)
        let wrong = try PropertyStore(Literal(["server.port": "80"]))
        #expect(wrong.property(.port) == nil)
        #expect(throws: PropertyError.self) { try wrong.require(.port) }
    }

    @Test("The noun of a key is what an error expects, and a secret key masks its value")
    func unitAndSecret() throws {
        let store = PropertyStore.quiet
        try store.apply(Lines("c", "api.timeout = true\ndb.password = 12345"))
        let unit = #expect(throws: PropertyError.self) { try store.require(.timeout) }
        #expect(
            unit?.description
                == "c:1:15: 'api.timeout' is the boolean true; expected an integer in seconds. "
                + "Change the value.")
        let missing = #expect(throws: PropertyError.self) { try PropertyStore.quiet.require(.timeout) }
        #expect(missing?.description == "'api.timeout' is missing; expected an integer in seconds. Set it in a source.")
        let secret = #expect(throws: PropertyError.self) { try store.require(.password) }
        #expect(
            secret?.description
                == "c:2:15: 'db.password' is an integer that is secret; expected a string. "
                + "Put it in quotes.")
    }
}

@Suite("A read by a typed key is the same with and without a conversion")
struct BasicReadTests {
    static let values: [PropertyValue] = [
        nil, true, false, 0, 7, -7, .integer(.max), .unsigned(.max), .bigInteger("99999999999999999999"), 7.0, 0.5,
        .double(.infinity), "", "7", "x", .text(""), .text("7"), .text("true"), .text("0.5"), .text("x"), .data([7]),
        [],
        [7], [:], ["a": 7], "${seven}", "a${seven}",
    ]

    // The snapshot converts every value; the store returns those that have the type already.
    private func compare<Value: Equatable & Sendable>(_ key: TypedKey<Value>, _ store: PropertyStore) {
        func read(_ source: some PropertyReading) -> Result<Value, PropertyError> {
            Result { () throws(PropertyError) in try source.require(key) }
        }
        switch (read(store), read(store.snapshot)) {
        case (.success(let basic), .success(let converted)): #expect(basic == converted)
        case (.failure(let basic), .failure(let converted)): #expect("\(basic)" == "\(converted)")
        case (let basic, let converted): Issue.record("\(basic) is not \(converted)")
        }
        #expect(store.property(key) == store.snapshot.property(key))
    }

    private func compare<Value: Equatable & Sendable>(_ values: Value..., in store: PropertyStore) {
        for value in values {
            compare(TypedKey<Value>("x"), store)
            compare(TypedKey("x", default: value), store)
            compare(TypedKey("x", isSecret: true) { $0 != value }, store)
            compare(TypedKey("x", default: value) { $0 == value }, store)
            compare(TypedKey<Value?>("x"), store)
        }
    }

    @Test("Every kind of value, read as each basic type, with and without a default and a check", arguments: values)
    func all(value: PropertyValue) throws {
        let store = PropertyStore.quiet, empty = PropertyStore.quiet, child = PropertyStore(parent: store)
        store.replacePlaceholders()
        try store.apply(Literal(["x": value, "seven": 7]))
        try child.apply(Literal(["other": 1]))
        for store in [store, empty, child] {
            compare(0, 7, -7, in: store)
            compare("", "7", "x", in: store)
            compare(true, false, in: store)
            compare(0, 0.5, 7, in: store)
        }
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

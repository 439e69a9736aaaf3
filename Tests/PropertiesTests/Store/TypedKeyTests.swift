import Properties
import Testing

// The keys `port` and `password` are declared in `ReadmeTests`.
extension TypedKey<Int> {
    fileprivate static var timeout: Self {
        TypedKey("api.timeout", expected: "an integer in seconds")
    }
}

extension TypedKey<String> {
    fileprivate static var host: Self { TypedKey("server.host") }
}

extension PropertyKey {
    fileprivate static let url = PropertyKey("api.url")
}

@Suite("Typed keys")
struct TypedKeyTests {
    @Test("A typed key determines the type; for an untyped key, the type is inferred from the place of use")
    func inference() throws {
        let store = try PropertyStore(Literal(["server": ["port": 80], "api": ["url": "x", "timeout": 5]]))
        let port = store.property(.port)
        let timeout = try store.require(.timeout)
        let url: String? = store.property(.url)
        #expect(port == 80)
        #expect(timeout + 1 == 6)
        #expect(url == "x")
    }

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

@Suite("Checks at start")
struct VerifyTests {
    @Test("All declared keys that are missing or wrong are reported at once, then the undeclared keys")
    func all() throws {
        let store = PropertyStore()
        try store.apply(
            Lines("c.toml", "server.prot = 80\nserver.host = 5\nlimits.a = 1\ndb.password = \"x\"\nold = true"))
        store.declare(.port, .timeout, .host, .password, TypedKey<[String: Int]>("limits"))
        let found = #expect(throws: ConfigurationErrors.self) { try store.verify(unknownKeys: .ignored) }
        #expect(
            found?.lines == """
                c.toml:2:15: 'server.host' is the integer 5; expected a string. Put it in quotes.
                'api.timeout' is missing; expected an integer in seconds. Set it in a source.
                """)
        let strict = #expect(throws: ConfigurationErrors.self) { try store.verify() }
        #expect(
            strict?.found.filter { $0.reason == .unknownKey }.map(\.description) == [
                "c.toml:1:1: 'server.prot' is not a key that is read. Did you mean 'server.port'?",
                "c.toml:5:1: 'old' is not a key that is read. Check its spelling, or remove it.",
            ])
    }

    @Test("Correct values pass, also in a child with its parent's declarations")
    func right() throws {
        let store = try PropertyStore(Literal(["server": ["host": "h"], "extra": 1]))
        store.declare(.host, .port)
        let child = PropertyStore(parent: store)
        try child.verify(unknownKeys: .ignored)
        #expect(throws: ConfigurationErrors.self) { try child.verify() }
        child.acceptUncheckedChanges()
        try child.apply(Literal("b", ["server.port": 0]))
        #expect(throws: ConfigurationErrors.self) { try child.verify(unknownKeys: .ignored) }
        try store.verify(unknownKeys: .ignored)
    }

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

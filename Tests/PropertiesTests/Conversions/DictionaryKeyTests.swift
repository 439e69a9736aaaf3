import Properties
import PropertyLoadersEssentials
import Testing

@Suite("Dictionaries whose keys are not strings")
struct DictionaryKeyTests {
    private enum Level: String, Decodable, CodingKeyRepresentable { case debug, info }

    /// A key that ignores case.
    private struct Header: Hashable, CodingKeyRepresentable {
        let name: String
        var codingKey: any CodingKey { name.codingKey }
        init?<T: CodingKey>(codingKey: T) { name = codingKey.stringValue.lowercased() }
    }

    private struct Port: Decodable { var port: Int }

    private func store(_ text: String) throws -> PropertyStore {
        let store = PropertyStore()
        try store.apply(JsonPropertyLoader(string: text, name: "c.json"))
        return store
    }

    private func message<T>(_ text: String, _ type: T.Type) throws -> String? {
        let store = try store(text)
        return #expect(throws: PropertyError.self) { try store.require("m", as: type) }?.description
    }

    @Test("Two keys of a table that are the same key of the dictionary are an error that names both")
    func duplicates() throws {
        #expect(
            try message("{\"m\":{\"1\":\"a\",\"01\":\"b\"}}", [Int: String].self)
                == """
                c.json:1:20: 'm.01' is the string "b"; expected a key that is not equal to '1' as Int. \
                Remove one of the two.
                """)
        #expect(
            try message("{\"m\":{\"Host\":1,\"x\":2,\"HOST\":3}}", [Header: Int].self)
                == """
                c.json:1:29: 'm.HOST' is the integer 3; expected a key that is not equal to 'Host' as Header. \
                Remove one of the two.
                """)
        #expect(
            try message("{\"m\":{\"e\\u0301\":1,\"\\u00E9\":2}}", [String: Int].self)
                == """
                c.json:1:28: 'm.\u{E9}' is the integer 2; expected keys that differ by more than Unicode normalisation. \
                Remove one of the two.
                """)
    }

    @Test("Distinct keys are converted, also in a dictionary inside a Decodable type")
    func keys() throws {
        let store = try store(
            "{\"m\":{\"1\":\"a\",\"-2\":\"b\",\"3\":null},\"l\":{\"debug\":{\"port\":1}},\"h\":{\"A\":1}}")
        #expect(store.property("m") == [1: "a", -2: "b"])
        #expect(store.property("m") == [1: "a", -2: "b", 3: nil] as [Int: String?])
        #expect(try store.bind([Level: Port].self, at: "l")[.debug]?.port == 1)
        #expect((store.property("h") as [Header: Int]?)?.first?.key.name == "a")
        struct All: Decodable { var m: [Int: String] }
        #expect(try store.bind(All.self).m.count == 2)
    }

    @Test("A key that cannot be converted is an error, and the other keys are still converted")
    func refused() throws {
        let store = try store("{\"m\":{\"x\":\"a\",\"1\":2},\"l\":{\"loud\":1}}")
        let errors = #expect(throws: ConfigurationErrors.self) { try store.bind([Int: String].self, at: "m") }
        #expect(
            errors?.lines == """
                c.json:1:11: 'm.x' is the string "a"; expected a key that is an integer. Rename the key.
                c.json:1:19: 'm.1' is the integer 2; expected a string. Put it in quotes.
                """)
        let error = #expect(throws: PropertyError.self) { try store.require("l", as: [Level: Int].self) }
        #expect(
            error?.description
                == "c.json:1:34: 'l.loud' is the integer 1; expected a key that is a string that Level accepts. "
                + "Rename the key.")
    }
}

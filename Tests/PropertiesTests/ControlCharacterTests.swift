import Properties
import PropertyLoadersEssentials
import Testing

@Suite("What a source writes cannot pass for what the package says")
struct ControlCharacterTests {
    private let key = "a\u{1B}[31m\nadmin = true (x)"
    private let shown = "a\\u{1b}[31m\\nadmin = true (x)"

    @Test("Control characters of names are escaped in entries, errors and warnings")
    func names() throws {
        let store = PropertyStore()
        try store.apply(Literal("s\n1", [key: 1]))
        #expect(store.description == "\(shown) = 1 (s\\n1)")
        let error = #expect(throws: PropertyError.self) { _ = try store.require(key, as: Bool.self) }
        #expect(error?.description == "s\\n1: '\(shown)' is the integer 1; expected true or false.")
        #expect(error?.name == key)
        let missing = #expect(throws: PropertyError.self) { _ = try store.require(key + "x", as: Bool.self) }
        #expect(
            missing?.description
                == "'\(shown)x' is missing; expected true or false. Did you mean '\(shown)' (s\\n1)?")
        let unknown = #expect(throws: PropertyErrors.self) { try store.verify(unknownKeys: .refused) }
        #expect(unknown?.description == "s\\n1: '\(shown)' is not a key that is read.")
        try store.apply(Literal("two", [key: ["x": 1]]))
        let warning = try #require(store.warnings.first)
        #expect(warning.description.hasPrefix("two: '\(shown)' is a table; "))
        #expect(!warning.longDescription.contains("\u{1B}"))
        #expect(store.json()?.contains("a\\u001b[31m\\nadmin") == true)
    }

    @Test("Control characters are escaped in the cells of a table")
    func cells() {
        var table = TextTable("property", "value")
        table.add(key, "\u{7F}\u{9B}é")
        #expect(table.description.hasSuffix("\na\\u{1b}[31m admin = true (x)  \\u{7f}\\u{9b}é"))
    }
}

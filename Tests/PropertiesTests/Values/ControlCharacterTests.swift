import Properties
import PropertyLoadersEssentials
import Testing

@Suite("Control characters of a source are never printed")
struct ControlCharacterTests {
    private let key = "a\u{1B}[31m\nadmin = true (x)"
    private let shown = "a\\u{1b}[31m\\nadmin = true (x)"

    @Test("Control characters of names are escaped in entries and errors")
    func names() throws {
        let store = PropertyStore()
        try store.apply(Literal("s\n1", [key: 1]))
        #expect(store.entriesText == "\(shown) = 1 (s\\n1)")
        let error = #expect(throws: PropertyError.self) { _ = try store.require(key, as: Bool.self) }
        #expect(error?.description == "s\\n1: '\(shown)' is the integer 1; expected true or false. Write true.")
        #expect(error?.name == key)
        let missing = #expect(throws: PropertyError.self) { _ = try store.require(key + "x", as: Bool.self) }
        #expect(
            missing?.description
                == "'\(shown)x' is missing; expected true or false. Did you mean '\(shown)' (s\\n1)?")
        let unknown = #expect(throws: ConfigurationErrors.self) { try store.verify(unknownKeys: .refused) }
        #expect(
            unknown?.lines
                == "s\\n1: '\(shown)' is not a key that is read. Check its spelling, or remove it.")
        try store.apply(Literal("two", [key: ["x": 1]]))
        #expect(try store.json()?.contains("a\\u001b[31m\\nadmin") == true)
    }

    /// The C0 and C1 controls, DEL, the line and paragraph separators, and the bidirectional controls.
    private static let controls: [Unicode.Scalar] =
        [0...0x1F, 0x7F...0x9F, 0x61C...0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069]
        .flatMap { $0 }.compactMap { Unicode.Scalar($0 as UInt32) }

    @Test("Control characters are escaped wherever a source contains them")
    func everywhere() throws {
        #expect(Self.controls.count == 79)
        let hostile = String(String.UnicodeScalarView(Self.controls)) + "é…→"
        let source = PropertySource(name: hostile, labels: [hostile])
        let origin = PropertyOrigin(source: source, place: 0)
        let store = PropertyStore()
        try store.apply(Hostile(text: hostile, origin: origin))
        let entry = try #require(store.entries.first)
        let error = PropertyLoadError(.syntax, hostile, at: origin, expected: hostile, remedy: hostile)
        let mismatch = #expect(throws: PropertyError.self) { _ = try store.require(hostile, as: Int.self) }
        let json = try #require(try store.json())
        let shown = [
            store.entriesText, entry.description, entry.valueText, entry.node.description, origin.description,
            source.description, error.description, error.longDescription, try #require(mismatch).description,
            JsonText.quoted(hostile), json,
        ]
        for text in shown {
            let found = text.unicodeScalars.filter { Self.controls.contains($0) && $0 != "\n" }
            #expect(found.isEmpty, "\(Array(found)) in \(text.debugDescription)")
            #expect(text.hasSuffix("\n") == false)
        }
        #expect(json.split(separator: "\n").count == 3)
    }
}

private struct Hostile: PropertyLoader {
    let text: String
    let origin: PropertyOrigin

    func load() -> PropertyLayer {
        let entry = PropertyTable.Entry(key: text, node: PropertyNode(.string(text), origin: origin))
        return PropertyLayer(PropertyTable(entries: [entry]), source: origin.source)
    }
}

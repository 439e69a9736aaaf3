import Properties
import PropertyLoadersEssentials
import Testing

@Suite("Control characters of a source are never printed")
struct ControlCharacterTests {
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
            JsonString.quoted(hostile), json,
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

import Properties
import Testing

@Suite("Lines and columns")
struct PropertyOriginTests {
    @Test("The line and column of each byte in a long text agree with a simple count", arguments: [7, 90, 5_000])
    func longTexts(lineLength: Int) {
        var text = ""
        while text.utf8.count < 10_000 { text += String(repeating: "aé漢😀", count: lineLength / 4 + 1) + "\r\n" }
        let bytes = Array(text.utf8)
        let source = SourceText(bytes: bytes)
        var expected = (line: 1, column: 1)
        for (offset, byte) in bytes.enumerated() {
            if offset % 13 == 0 { #expect(source.lineAndColumn(at: offset) == expected) }
            if byte == 0x0A { expected = (expected.line + 1, 1) } else if byte & 0xC0 != 0x80 { expected.column += 1 }
        }
    }

    @Test("A byte order mark takes no column, and an offset past the end has the place of the end")
    func edges() {
        let source = SourceText(bytes: [0xEF, 0xBB, 0xBF] + Array("ab\nc".utf8))
        #expect(source.lineAndColumn(at: 0) == (1, 1))
        #expect(source.lineAndColumn(at: 4) == (1, 2))
        #expect(source.lineAndColumn(at: 6) == (2, 1))
        #expect(source.lineAndColumn(at: 99) == (2, 2))
        #expect(SourceText(bytes: []).lineAndColumn(at: 5) == (1, 1))
    }

    @Test(
        "An error shows the part of a long line around its place",
        arguments: [1, 30, 49, 50, 51, 52, 99, 100, 101, 300])
    func excerpt(column: Int) throws {
        for length in [column, column + 1, column + 48, column + 49, column + 50, column + 99, column + 101, 500] {
            let letters = (0..<length).map { ["a", "é", "漢", "😀", "\t"][$0 % 5] }
            for end in ["", "\n", "\r\nnext"] {
                let text = SourceText(bytes: Array(("first\n" + letters.joined() + end).utf8))
                let source = PropertySource(name: "a", text: text)
                let offset = 6 + letters[..<(column - 1)].joined().utf8.count
                let error = PropertyLoadError(.syntax, "b", at: PropertyOrigin(source: source, place: UInt32(offset)))
                let start = max(0, column - 51)
                let shown = letters[start...].prefix(100)
                let marker = letters[start..<(column - 1)].map { $0 == "\t" ? "\t" : " " }.joined()
                #expect(
                    error.longDescription
                        == "a:2:\(column): error: b\n    2 | \(shown.joined())\n      | \(marker)^")
            }
        }
    }
}

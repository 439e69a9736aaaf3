import PropertiesTool
import Testing

@Suite("Tables of text")
struct TextTableTests {
    @Test("A cell that is too wide is shortened in the middle, so that other rows are not padded to its width")
    func clipped() {
        var table = TextTable("property", "value", "from")
        for number in 0..<1000 { table.add("a\(number)", "1", "file.json:1:1") }
        table.add(
            String(repeating: "k", count: 50_000) + ".port", "2", String(repeating: "/d", count: 2000) + "/c.toml:12:3")
        let lines = table.description.split(separator: "\n")
        #expect(lines.count == 1003)
        #expect(lines.allSatisfy { $0.unicodeScalars.count <= 3 * TextTable.widestCell + 4 })
        #expect(lines.last?.hasPrefix("kkk") == true)
        #expect(lines.last?.contains("…") == true)
        #expect(lines.last?.contains("k.port  2  ") == true)
        #expect(lines.last?.hasSuffix("/d/c.toml:12:3") == true)
    }

    @Test("Columns are aligned, and no line ends in a space")
    func aligned() {
        var table = TextTable("a", "b", "c")
        table.add("long", "", "x")
        table.add("x", "", "")
        #expect(table.description == "a     b  c\n────  ─  ─\nlong     x\nx")
    }

    @Test("Control characters are escaped")
    func controls() {
        var table = TextTable("property", "value")
        table.add("a\u{1B}[31m\nadmin", "\u{7F}\u{9B}é")
        #expect(table.description.hasSuffix("\na\\u{1b}[31m\\nadmin  \\u{7f}\\u{9b}é"))
    }
}

import PropertiesTool
import Testing

@Suite("Tables of text")
struct TextTableTests {
    private static func table(_ rows: [[String]]) -> TextTable {
        var table = TextTable("property", "value", "from")
        for row in rows { table.add(row[0], row[1], row[2]) }
        return table
    }

    private static let terminal = Terminal(columns: 40, hasColors: false)

    @Test("A cell that is too wide does not widen its column in a file, and is not shortened")
    func wideCells() {
        let long = String(repeating: "k", count: 50_000) + ".port"
        let table = Self.table((0..<1000).map { ["a\($0)", "1", "file.json:1:1"] } + [[long, "2", "c.toml:12:3"]])
        let lines = table.text(on: nil).split(separator: "\n")
        #expect(lines.count == 1003)
        #expect(lines.dropLast().allSatisfy { $0.count < 40 })
        #expect(lines.last == "\(long)  2      c.toml:12:3")
    }

    @Test("On a terminal an ellipsis replaces the middle of a word that is too wide")
    func clipped() {
        let long = String(repeating: "k", count: 50_000) + ".port"
        let path = String(repeating: "/d", count: 2000) + "/c.toml:12:3"
        let text = Self.table([["a", "1", "b.toml:1:1"], [long, "2", path]]).text(on: Self.terminal)
        #expect(
            text == """
                property         value  from
                ───────────────  ─────  ────────────────
                a                1      b.toml:1:1
                kkkkkkk…kk.port  2      /d/d/d/d…ml:12:3
                """)
    }

    @Test("On a terminal a cell wraps at spaces to three lines")
    func wrapped() {
        let sentence = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
        let text = Self.table([["a.b", sentence, "c:1"], ["d", "日本 語の 文章 です", "c:2"]]).text(on: Self.terminal)
        #expect(
            text == """
                property  value                     from
                ────────  ────────────────────────  ────
                a.b       one two three four five   c:1
                          six seven eight nine ten
                          eleven twelve thirteen…
                d         日本 語の 文章 です       c:2
                """)
    }

    @Test("Text of many combining marks costs no more than its size")
    func marks() {
        let hostile = "a" + String(repeating: "\u{301}", count: 100_000)
        let text = Self.table([[hostile, hostile + " " + hostile, "c:1"]]).text(on: Self.terminal)
        #expect(text.unicodeScalars.count < 20_000)
        #expect(text.split(separator: "\n").count < 8)
    }

    @Test("Columns are aligned, and no line ends in a space")
    func aligned() {
        var table = TextTable("a", "b", "c")
        table.add("long", "", "x")
        table.add("x", "", "")
        table.add("日", "é", "x")
        for terminal in [nil, Self.terminal] {
            #expect(table.text(on: terminal) == "a     b  c\n────  ─  ─\nlong     x\nx\n日    é  x")
        }
    }

    @Test("Control characters are escaped")
    func controls() {
        var table = TextTable("property", "value")
        table.add("a\u{1B}[31m\nadmin", "\u{7F}\u{9B}é")
        #expect(table.text(on: nil).hasSuffix("\na\\u{1b}[31m\\nadmin  \\u{7f}\\u{9b}é"))
    }
}

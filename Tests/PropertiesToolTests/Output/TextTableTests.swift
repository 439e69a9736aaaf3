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

    @Test("Text of many combining marks costs no more than its size")
    func marks() {
        let hostile = "a" + String(repeating: "\u{301}", count: 100_000)
        let text = Self.table([[hostile, hostile + " " + hostile, "c:1"]]).text(on: Self.terminal)
        #expect(text.unicodeScalars.count < 20_000)
        #expect(text.split(separator: "\n").count < 8)
    }
}

import PropertiesTool
import Testing

@Suite("Cells on a terminal")
struct CellWidthTests {
    @Test(
        "Characters take as many cells as on a terminal",
        arguments: [
            ("", 0), ("a b", 3), ("é", 1), ("e\u{301}", 1), ("日本語", 6), ("ｱ", 1), ("Ａ", 2), ("한글", 4),
            ("\u{1112}\u{1161}\u{11AB}", 2), ("😀", 2), ("👩‍👩‍👧", 2), ("🇩🇪🇫🇷", 4), ("👍🏽", 2), ("①", 1), ("☎", 1), ("⌚", 2),
            ("\u{200B}", 0), ("─", 1), ("…", 1), ("𠀀", 2), ("ก\u{E34}", 1),
        ])
    func widths(text: String, cells: Int) {
        #expect(CellWidth.of(text) == cells)
    }
}

import Testing
import TextBasics

@Suite("PrintableText: quotes in messages")
struct PrintableTextTests {
    @Test(
        "Quoted text is in backticks, has no control characters, and is clipped to 60 scalars",
        arguments: [
            ("a b", "`a b`"), ("", "``"), ("a`b", "\"a`b\""), ("a\u{1B}[31m", "`a\u{FFFD}[31m`"),
            ("a\u{202E}b", "`a\u{FFFD}b`"),
            (String(repeating: "x", count: 60), "`\(String(repeating: "x", count: 60))`"),
            (String(repeating: "x", count: 61), "`\(String(repeating: "x", count: 60))…`"),
        ])
    func quoted(text: String, expected: String) {
        #expect(PrintableText.quoted(text) == expected)
    }
}

import Properties
import PropertyLoadersEssentials
import Testing

@Suite("The end of a file that is one property")
struct LineEndTests {
    @Test(
        "One line feed is left out, and nothing else",
        arguments: [("a\n", "a"), ("a\r\n", "a"), ("a\n\n", "a\n"), ("a\u{C}", "a\u{C}"), ("a\u{2028}", "a\u{2028}")])
    func end(text: String, value: String) throws {
        let scratch = try Scratch()
        try scratch.write(text, to: "keys/k")
        let store = try PropertyStore(sources: DirectoryPropertyLoader(url: scratch.file("keys")))
        #expect(store.property("k") == value)
    }
}

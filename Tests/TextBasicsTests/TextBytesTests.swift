import Testing
import TextBasics

@Suite("Text is compared by its bytes")
struct TextBytesTests {
    @Test("Strings that are equal only after Unicode normalisation are not the same")
    func normalisation() {
        // The sign for ångström, and an A with a ring. Both have three bytes.
        let (sign, letter) = ("\u{212B}", "A\u{30A}")
        #expect(sign == letter)
        #expect(!sign.isSame(as: letter))
        #expect(sign.isSame(as: "\u{212B}"))
    }

    @Test("A string and a part of another one can be the same")
    func parts() {
        let text = "server.port"
        #expect("port".isSame(as: text.suffix(4)))
        #expect(!"host".isSame(as: text.suffix(4)))
    }
}

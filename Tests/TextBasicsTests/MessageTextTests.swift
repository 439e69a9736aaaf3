import Testing
import TextBasics

@Suite("MessageText")
struct MessageTextTests {
    @Test("A literal quotes nothing, and whatever is inserted into one may be a quote")
    func quotes() {
        let literal: MessageText = "`,` between 2 values", word = "hush"
        #expect((literal.text, literal.quotes) == ("`,` between 2 values", false))
        let quoting: MessageText = "\(word) is not a valid number"
        #expect((quoting.text, quoting.quotes) == ("hush is not a valid number", true))
        let number: MessageText = "more than \(5) levels"
        #expect((number.text, number.quotes) == ("more than 5 levels", true))
    }

    @Test("A text that is inserted into another one decides for itself")
    func inner() {
        let name: MessageText = "an array", word = "hush"
        let plain: MessageText = "make it \(name)"
        #expect((plain.text, plain.quotes) == ("make it an array", false))
        let outer: MessageText = "\(plain), not \("\(word)" as MessageText)"
        #expect((outer.text, outer.quotes) == ("make it an array, not hush", true))
    }
}

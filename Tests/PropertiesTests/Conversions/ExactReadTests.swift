import FoundationEssentials
import Properties
import PropertyLoadersEssentials
import Testing

@Suite("Reads reject values that cannot be converted exactly")
struct ExactReadTests {
    @Test("As an array, data can be read only as bytes, even if it is empty", arguments: [[], [1, 2]] as [[UInt8]])
    func data(bytes: [UInt8]) throws {
        let store = try PropertyStore(Literal(["d": .data(bytes)]))
        let same: [UInt8]? = store.property("d")
        let texts: [String]? = store.property("d")
        let things: [Any]? = store.property("d")
        let optionals: [UInt8?]? = store.property("d")
        #expect(same == bytes)
        #expect(texts == nil)
        #expect(things == nil)
        #expect(optionals == nil)
    }

    @Test("Untyped text becomes the Float nearest to the text, not to the nearest Double")
    func float() throws {
        // Just above the midpoint between 1 and the next Float. The nearest Double is the midpoint itself, which would
        // round down to 1.
        let text = "1.00000005960464477540"
        let store = try PropertyStore(Literal(["x": .text(text)]))
        #expect(store.property("x") == Float(text))
    }
}

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

    @Test("Tables with keys that differ only in Unicode normalisation cannot be read as a dictionary at any depth")
    func normalisation() throws {
        let twins: PropertyValue = ["e\u{301}": 1, "\u{E9}": 2]
        let store = try PropertyStore(Literal(["a": ["b": twins, "list": [twins]], "top": twins]))
        let names = ["a", "a.b", "a.list", "top"]
        for name in names {
            #expect(store.property(name) as [String: Any]? == nil, "\(name)")
            #expect(store.property(name) as Any? == nil, "\(name)")
            #expect(throws: PropertyError.self, "\(name)") { try store.require(name, as: Any.self) }
        }
    }

    @Test("Untyped text becomes the Float nearest to the text, not to the nearest Double")
    func float() throws {
        // Just above the midpoint between 1 and the next Float. The nearest Double is the midpoint itself, which would
        // round down to 1.
        let text = "1.00000005960464477540"
        let store = try PropertyStore(Literal(["x": .text(text)]))
        #expect(store.property("x") == Float(text))
    }

    @Test("Two sources whose identities differ only in Unicode normalisation are different")
    func identities() throws {
        let store = try PropertyStore(Literal("e\u{301}.json", ["a": 1]), Literal("\u{E9}.json", ["b": 2]))
        #expect(store.listing == ["a=1", "b=2"])
    }
}

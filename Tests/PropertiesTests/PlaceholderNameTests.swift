import Properties
import PropertyLoadersEssentials
import Testing

@Suite("Names in placeholders")
struct PlaceholderNameTests {
    @Test("Names that differ by Unicode normalisation alone are two lookups")
    func normalisation() throws {
        let names = ["caf\u{E9}", "cafe\u{301}"]
        let rules = PropertyPlaceholders(lookups: ["n": { .init("\($0.utf8.count)") }])
        let store = PropertyStore()
        let literal = Literal(["a": .string("${n:\(names[0])}"), "b": .string("${n:\(names[1])}")])
        try store.apply(literal.replacingPlaceholders(rules))
        #expect(store.property("a") == 5)
        #expect(store.property("b") == 6)
    }
}

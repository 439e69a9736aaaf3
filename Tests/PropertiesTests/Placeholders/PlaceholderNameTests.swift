import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Names in placeholders")
struct PlaceholderNameTests {
    @Test("Names that differ only in Unicode normalisation are looked up separately")
    func normalisation() throws {
        let names = ["caf\u{E9}", "cafe\u{301}"]
        let rules = PropertyPlaceholders(lookups: ["n": { .init("\($0.utf8.count)") }])
        let store = PropertyStore()
        let literal = Literal(["a": .string("${n:\(names[0])}"), "b": .string("${n:\(names[1])}")])
        try store.apply(literal.replacingPlaceholders(rules))
        #expect(store.property("a") == 5)
        #expect(store.property("b") == 6)
    }

    @Test("The remedy corrects a default that follows a colon without a dash")
    func defaultWithoutDash() {
        let literal = Literal(["x": "${port:8080}", "port": 1])
        let error = loadError {
            try PropertyStore().apply(literal.replacingPlaceholders())
        }
        #expect(
            error?.description
                == "literal: '${port:8080}' in 'x' leads to no property. Perhaps ${port:-8080} was meant.")
    }
}

import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Very many errors are reported in little time")
struct ErrorCostTests {
    @Test("Only the first of very many unresolved placeholders gets a suggestion")
    func placeholders() {
        let entries = (0..<8000).map { ("property\($0)", PropertyValue.string("${propertx\($0)}")) }
        var loader = Literal([:])
        loader.table = PropertyTable(entries)
        let source = loader.replacingPlaceholders()
        let time = ThreadTime.measure {
            #expect(throws: PropertyLoadError.self) { try PropertyStore().apply(source) }
        }
        #expect(time < .seconds(10), "\(time)")
    }

    @Test("Of very many unknown keys, only those that are shown get suggestions")
    func unknownKeys() throws {
        var loader = Literal([:])
        loader.table = PropertyTable((0..<3000).map { ("unknown\($0)", PropertyValue.integer(0)) })
        let store = try PropertyStore(loader)
        let time = ThreadTime.measure {
            do {
                try store.verify(unknownKeys: .refused) {
                    for number in 0..<3000 { _ = store.property("unknowx\(number)") as Int? }
                }
                Issue.record("nothing was refused")
            } catch {
                // `#expect(throws:)` would create the descriptions of all errors, which takes long.
                #expect((error as? PropertyErrors)?.problems.count == 3000)
            }
        }
        #expect(time < .seconds(10), "\(time)")
    }
}

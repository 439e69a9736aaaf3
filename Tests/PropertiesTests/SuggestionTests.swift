import Properties
import Testing

@Suite("Suggestions are near, and cost little")
struct SuggestionTests {
    @Test(
        "A name of one or two letters is near none but itself in capitals",
        arguments: [("b", "a"), ("", "a"), ("ab", "ac"), ("api.b", "api.a"), ("x", "y1")])
    func short(missing: String, present: String) throws {
        let store = try PropertyStore(Literal([present: 1]))
        let error = #expect(throws: PropertyError.self) { try store.require(missing, as: Int.self) }
        #expect(error?.suggestion == nil)
    }

    @Test(
        "A longer one is near what a slip of the hand makes of it",
        arguments: [("B", "b"), ("prt", "port"), ("api.prot", "api.port"), ("apj.port", "api.port"), ("Übre", "Über")])
    func near(missing: String, present: String) throws {
        let store = try PropertyStore(Literal([present: 1]))
        let error = #expect(throws: PropertyError.self) { try store.require(missing, as: Int.self) }
        #expect(error?.suggestion == present)
    }

    @Test("Twenty problems among 10,000 tables are told at once")
    func many() throws {
        let tables = (0..<10_000).map { ("table_of_number_\($0)", PropertyValue.table(PropertyTable([("port", 1)]))) }
        let store = try PropertyStore(Literal(["service": .table(PropertyTable(tables))]))
        let clock = ContinuousClock()
        let time = clock.measure {
            for number in 0..<20 {
                let error = #expect(throws: PropertyError.self) {
                    try store.require("service.tabel_of_letters_\(number)", as: Int.self)
                }
                #expect(error?.suggestion == nil)
            }
        }
        // It was far more when a text was made of each name each time.
        #expect(time < .seconds(30), "\(time)")
    }
}

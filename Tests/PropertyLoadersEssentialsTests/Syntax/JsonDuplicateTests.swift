import PropertyLoadersEssentials
import Testing

@Suite("JSON keys that stand twice")
struct JsonDuplicateTests {
    @Test("Each is found, whatever its length and however many keys are before it", arguments: [1, 2, 7, 8, 9, 40])
    func everyLength(length: Int) throws {
        for count in [2, 16, 17, 300] {
            let keys = (0..<count).map { String($0, radix: 36) }.map { String(repeating: "k", count: length) + $0 }
            let members = (keys + [keys[0]]).map { "\"\($0)\": 1" }
            let document = try JsonDocument(bytes: "{\(members.joined(separator: ",\n"))}".utf8, name: "twice.json")
            let warning = try #require(document.warnings.first)
            #expect(document.warnings.count == 1)
            #expect(warning.reason == .duplicate)
            #expect(warning.origin.line == count + 1)
            #expect(warning.notes.first?.origin.line == 1)
            guard case .table(let table) = document.root.value else { continue }
            #expect(table.count == count)
        }
    }

    @Test("They are told in the order of the text, those of an object that ends later too")
    func order() throws {
        let keys = (0..<20).map { "\"k\($0)\": 1" }.joined(separator: ", ")
        let text = "{\(keys),\n\"k3\": 2,\n\"inner\": {\"a\": 1, \"a\": 2},\n\"k4\": 3}"
        let warnings = try JsonDocument(bytes: text.utf8, name: "order.json").warnings
        #expect(warnings.map(\.origin.line) == [2, 3, 4])
    }
}

import ConfigurationSyntax
import Testing

@Suite("JsonDocument: duplicate keys")
struct JsonDocumentTests {
    @Test("A duplicate key of any length is found in an object of any size", arguments: [1, 2, 7, 8, 9, 40])
    func everyLength(length: Int) throws {
        for count in [2, 16, 17, 300] {
            let keys = (0..<count).map { String($0, radix: 36) }.map { String(repeating: "k", count: length) + $0 }
            let members = (keys + [keys[0]]).map { "\"\($0)\": 1" }
            let document = try JsonDocument(bytes: "{\(members.joined(separator: ",\n"))}".utf8, name: "twice.json")
            let warning = try #require(document.duplicateKeys.first)
            #expect(document.duplicateKeys.count == 1)
            #expect(warning.reason == .duplicate)
            #expect(warning.line == count + 1)
            #expect(warning.note.map { warning.source.lineAndColumn(at: $0.offset).line } == 1)
            #expect(document.root.members?.count == count)
        }
    }

    @Test("Duplicates are in the order of the text, even if an object inside ends earlier")
    func order() throws {
        let keys = (0..<20).map { "\"k\($0)\": 1" }.joined(separator: ", ")
        let text = "{\(keys),\n\"k3\":\n{\"b\": 1, \"b\": 2},\n\"inner\": {\"a\": 1, \"a\": 2},\n\"k4\": 3}"
        let warnings = try JsonDocument(bytes: text.utf8, name: "order.json").duplicateKeys
        #expect(warnings.map(\.line) == [2, 3, 4, 5])
    }
}

import ConfigurationSyntax
import TestSupport
import Testing

@Suite("TomlParser: keys and tables")
struct TomlParserTablesTests {
    @Test("A valid document has the recorded values")
    func values() throws {
        #expect(try RecordedMessages.compare("toml-values") { try? toml($0) } == (110, []))
    }

    static let sizes = [1, 15, 16, 17, 18, 33, 64, 65, 66, 256, 257, 1_000]

    @Test("In a table of any size, every key is found and every duplicate is an error", arguments: sizes)
    func manyKeys(_ count: Int) throws {
        let text = (0..<count).map { "key_\($0) = \($0)\n" }.joined()
        let document = try TomlDocument(bytes: text.utf8, name: "test")
        for number in [0, count / 2, count - 1] {
            #expect(document.root["key_\(number)"]?.notation == "\(number)")
            let error = try #require(throws: SyntaxError.self) {
                try TomlDocument(bytes: (text + "key_\(number) = 1").utf8, name: "test")
            }
            #expect(error.note.map { error.source.lineAndColumn(at: $0.offset).line } == number + 1)
        }
        #expect(document.root["key_\(count)"]?.notation == nil)
    }

    @Test("Every value and every key has its line and column")
    func places() throws {
        let text = "# settings\ntitle = \"a\"\n[server]\n\"p\\u006Frt\" = 80\nlist = [1,\n\t22]\n'q'.r = true\n"
        let document = try TomlDocument(bytes: text.utf8, name: "config.toml")
        let members = try #require(document.root.members)
        let server = try #require(document.root["server"]?.members)
        let keys = Dictionary(uniqueKeysWithValues: server.map { ($0.key, $0) })
        #expect(document.root["title"]?.place == "2:9")
        #expect(members.map(\.keyPlace) == ["2:1", "3:2"])
        #expect(document.root["server"]?.place == "3:1")
        #expect(keys["port"]?.keyPlace == "4:1")
        #expect(keys["port"]?.value.place == "4:15")
        #expect(document.root["server", "list"]?.elements?.map(\.place) == ["5:9", "6:2"])
        #expect(keys["q"]?.keyPlace == "7:1")
    }

    @Test("A path of keys finds one value")
    func path() throws {
        let document = try TomlDocument(bytes: "a.b = { c = [1, 2] }\nd = 1".utf8, name: "test")
        #expect(document.root["a", "b", "c"]?.notation == "[1, 2]")
        #expect(document.root["a", "b"]?.notation == "{c: [1, 2]}")
        #expect(document.root["a", "c"]?.notation == nil)
        #expect(document.root["d", "c"]?.notation == nil)
    }
}

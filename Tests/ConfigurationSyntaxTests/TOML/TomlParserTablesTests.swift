import ConfigurationSyntax
import Testing

@Suite("TomlParser: keys and tables")
struct TomlParserTablesTests {
    static let documents: [(String, String, String)] = [
        ("an empty document is an empty table", "", "{}"),
        ("comments alone are an empty table", "# one\n\n\t# two", "{}"),
        ("a byte order mark is skipped", "\u{FEFF}a = 1", "{a: 1}"),
        ("lines end in LF or CRLF", "a = 1\r\n\r\nb = 2 # c\r\n", "{a: 1, b: 2}"),
        ("bare keys may be digits and dashes", "1234 = 1\n-_- = 2", "{1234: 1, -_-: 2}"),
        ("true and false may be keys", "true = 1\ninf = 2", "{true: 1, inf: 2}"),
        (
            "quoted keys are like strings", #""a b" = 1\#n'c d' = 2\#n"é\t" = 3\#n"" = 4"#,
            "{a b: 1, c d: 2, é\t: 3, : 4}"
        ),
        ("a dot in quotes is part of the key", #"a."b.c".d = 1"#, "{a: {b.c: {d: 1}}}"),
        ("blanks around dots are ignored", "a . b\t.c = 1", "{a: {b: {c: 1}}}"),
        ("a dotted key of digits is not a float", "3.14 = 1", "{3: {14: 1}}"),
        (
            "dotted keys add to their table", "a.b = 1\nc = 2\na.d.e = 3\na.d.f = 4",
            "{a: {b: 1, d: {e: 3, f: 4}}, c: 2}"
        ),
        ("a header defines a table", "[a]\nb = 1\n[c.d]\ne = 2", "{a: {b: 1}, c: {d: {e: 2}}}"),
        ("a table may be empty", "[a]\n[b]", "{a: {}, b: {}}"),
        ("a super-table may follow its sub-table", "[a.b]\nx = 1\n[a]\ny = 2", "{a: {b: {x: 1}, y: 2}}"),
        ("a header may have blanks and quotes", "[ a . \"b.c\" ]\nx = 1", "{a: {b.c: {x: 1}}}"),
        (
            "a header may define a table inside one of dotted keys", "[a]\nb.c = 1\n[a.b.d]\nx = 1",
            "{a: {b: {c: 1, d: {x: 1}}}}"
        ),
        ("a dotted key may go through a super-table", "[a.b.c]\nx = 1\n[a]\nb.d = 2", "{a: {b: {c: {x: 1}, d: 2}}}"),
        ("double brackets append a table", "[[a]]\nx = 1\n[[a]]\n[[a]]\nx = 2", "{a: [{x: 1}, {}, {x: 2}]}"),
        (
            "headers add to the last table of an array", "[[a]]\n[a.b]\nx = 1\n[[a.c]]\n[[a]]\n[[a.c]]\ny = 2\n[a.b]",
            "{a: [{b: {x: 1}, c: [{}]}, {c: [{y: 2}], b: {}}]}"
        ),
        ("an array may span lines", "a = [ # one\n  1, 2\n  , # two\n\n  3,\n]", "{a: [1, 2, 3]}"),
        ("an array mixes types", #"a = [1, "b", [true, []], {c = 1.5}]"#, #"{a: [1, "b", [true, []], {c: 1.5}]}"#),
        ("an inline table may span lines", "a = {\n  b = 1, # one\n  c.d = 2,\n}", "{a: {b: 1, c: {d: 2}}}"),
        ("an inline table may be empty", "a = {}\nb = { }\nc = {\n}", "{a: {}, b: {}, c: {}}"),
        ("the value of a dotted key may be an inline table", "a.b = {c = 1}\na.d = 2", "{a: {b: {c: 1}, d: 2}}"),
        ("keys compare byte by byte", "\"\\u00e9\" = 1\n\"e\\u0301\" = 2", "{é: 1, e\u{301}: 2}"),
    ]

    @Test("A valid document parses to these values", arguments: documents)
    func rule(_ name: String, _ text: String, _ tree: String) throws {
        #expect(try toml(text) == tree, "\(name)")
    }

    static let sizes = [1, 15, 16, 17, 18, 33, 100, 1_000]

    @Test("In a table of any size, every key is found and every duplicate is an error", arguments: sizes)
    func manyKeys(_ count: Int) throws {
        let text = (0..<count).map { "key_\($0) = \($0)\n" }.joined()
        let document = try TomlDocument(bytes: text.utf8, name: "test")
        for number in [0, count / 2, count - 1] {
            #expect(document["key_\(number)"]?.notation == "\(number)")
            let error = try #require(throws: SyntaxError.self) {
                try TomlDocument(bytes: (text + "key_\(number) = 1").utf8, name: "test")
            }
            #expect(error.note.map { error.source.lineAndColumn(at: $0.offset).line } == number + 1)
        }
        #expect(document["key_\(count)"]?.notation == nil)
    }

    @Test("Every value and every key has its line and column")
    func places() throws {
        let text = "# settings\ntitle = \"a\"\n[server]\n\"p\\u006Frt\" = 80\nlist = [1,\n\t22]\n'q'.r = true\n"
        let document = try TomlDocument(bytes: text.utf8, name: "config.toml")
        let members = try #require(document.root.members)
        let server = try #require(document["server"]?.members)
        let keys = Dictionary(uniqueKeysWithValues: server.map { ($0.key, $0) })
        #expect(document["title"]?.place == "2:9")
        #expect(members.map(\.keyPlace) == ["2:1", "3:2"])
        #expect(document["server"]?.place == "3:1")
        #expect(keys["port"]?.keyPlace == "4:1")
        #expect(keys["port"]?.value.place == "4:15")
        #expect(document["server", "list"]?.elements?.map(\.place) == ["5:9", "6:2"])
        #expect(keys["q"]?.keyPlace == "7:1")
    }

    @Test("A path of keys finds one value")
    func path() throws {
        let document = try TomlDocument(bytes: "a.b = { c = [1, 2] }\nd = 1".utf8, name: "test")
        #expect(document["a", "b", "c"]?.notation == "[1, 2]")
        #expect(document["a", "b"]?.notation == "{c: [1, 2]}")
        #expect(document["a", "c"]?.notation == nil)
        #expect(document["d", "c"]?.notation == nil)
    }
}

import ConfigurationSyntax
import Testing

@Suite("JsonParser: RFC 8259 and comments")
struct JsonParserTests {
    static let documents: [(String, String, String)] = [
        ("any value may be at the top", " \t\r\n12 ", "12"),
        ("a string may stand at the top", #""a""#, #""a""#),
        ("the three literals", "[true, false, null]", "[true, false, null]"),
        ("an object keeps its order", #"{"b": 1, "a": {"c": []}, "": {}}"#, "{b: 1, a: {c: []}, : {}}"),
        ("a byte order mark is skipped", "\u{FEFF}[]", "[]"),
        ("lines may end in CRLF or CR", "[1,\r\n2,\r3]", "[1, 2, 3]"),
        (
            "integers of 64 bits", "[9223372036854775807, -9223372036854775808]",
            "[9223372036854775807, -9223372036854775808]"
        ),
        (
            "integers above Int64.max", "[9223372036854775808, 18446744073709551615]",
            "[9223372036854775808u, 18446744073709551615u]"
        ),
        (
            "larger integers keep their digits", "[18446744073709551616, -9223372036854775809, 100000000000000000000]",
            "[18446744073709551616big, -9223372036854775809big, 100000000000000000000big]"
        ),
        ("-0 is the integer 0", "[-0, -0.0, 0]", "[0, -0.0, 0]"),
        ("a number with a fraction or an exponent is a double", "[1.0, 1e3, 1E-2, 1e+2]", "[1.0, 1000.0, 0.01, 100.0]"),
        ("a double that is too small becomes zero", "[1e-400, -1e-400]", "[0.0, -0.0]"),
        ("doubles keep their precision", "[0.1, 123456789.12345679, 5e-324]", "[0.1, 123456789.12345679, 5e-324]"),
        ("escapes", #"["\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC\ud83d\ude00"]"#, "[\"\"\\/\u{8}\u{C}\n\r\tAé€😀\"]"),
        ("an escaped U+0000 is text", #"["a\u0000b"]"#, "[\"a\0b\"]"),
        ("a comment inside a string is text", #"["http://a/*b*/"]"#, #"["http://a/*b*/"]"#),
        ("line comments", "[1, // one\n2 // two\n] // three", "[1, 2]"),
        ("block comments", "/**/[/*a*/1/* b\n** */,/***/2]/*/*/", "[1, 2]"),
        ("comments between all parts of an object", "{//\n\"a\"/**/:/**/1/**/,//\n\"b\"://\n2}", "{a: 1, b: 2}"),
        ("a comment that is not ASCII", "[1 // größe 日本 😀\n]", "[1]"),
        ("a string that is not ASCII", #"["größe 日本 😀 \n 日"]"#, "[\"größe 日本 😀 \n 日\"]"),
        ("the last value of a duplicate key is used", #"{"a": 1, "b": 2, "a": [3]}"#, "{b: 2, a: [3]}"),
        ("keys compare byte by byte", #"{"\u00e9": 1, "e\u0301": 2}"#, "{é: 1, e\u{301}: 2}"),
    ]

    @Test("A valid document parses to these values", arguments: documents)
    func rule(_ name: String, _ text: String, _ tree: String) throws {
        #expect(try json(text) == tree, "\(name)")
    }

    @Test(
        "If comments are not allowed, a comment is an error at its start",
        arguments: ["[1] // a", "/* a */ [1]", "[1,/**/2]"])
    func strict(_ text: String) throws {
        let error = try #require(throws: SyntaxError.self) {
            try JsonDocument(bytes: text.utf8, name: "a", allowsComments: false)
        }
        #expect(error.problem == "there is a comment")
        #expect(error.offset == text.utf8.firstIndex(of: UInt8(ascii: "/"))?.utf16Offset(in: text))
    }

    @Test("`allowsTrailingCommas` allows a comma after the last value", arguments: ["[1, ]", "{\"a\": 1,}", "[[1,],]"])
    func trailingCommas(_ text: String) throws {
        let document = try JsonDocument(bytes: text.utf8, name: "a", allowsTrailingCommas: true)
        #expect(document.duplicateKeys.isEmpty)
        #expect(throws: SyntaxError.self) { try JsonDocument(bytes: text.utf8, name: "a") }
    }

    @Test(
        "A comma without a value before it is an error even if trailing commas are allowed",
        arguments: ["[1,,]", "[,]", "{,}"])
    func twoCommas(_ text: String) {
        #expect(throws: SyntaxError.self) {
            try JsonDocument(bytes: text.utf8, name: "a", allowsTrailingCommas: true)
        }
    }

    @Test("`duplicateKeys` has an error with the positions of both keys")
    func warning() throws {
        let text = "{\n  \"a\": 1,\n  \"b\": {\"\\u0061\": 1, \"a\": 2},\n  \"a\": 3\n}"
        let warnings = try JsonDocument(bytes: text.utf8, name: "c.json").duplicateKeys.map(\.description)
        #expect(
            warnings == [
                "c.json:3:22: the key `a` is defined twice, and this value counts (first at c.json:3:9). "
                    + "Remove one of the two.",
                "c.json:4:3: the key `a` is defined twice, and this value counts (first at c.json:2:3). "
                    + "Remove one of the two.",
            ])
    }

    @Test("Every value and every key has its line and column")
    func places() throws {
        let text = "// é\n{ \"\\u0061\": 1,\r\n\t\"b\": [true, \"é\", -2]}"
        let document = try JsonDocument(bytes: text.utf8, name: "c")
        #expect(document.root.members?.map(\.keyPlace) == ["2:3", "3:2"])
        #expect(document["a"]?.place == "2:13")
        #expect(document["b"]?.elements?.map(\.place) == ["3:8", "3:14", "3:19"])
    }
}

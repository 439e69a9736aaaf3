import ConfigurationSyntax
import TestSupport
import Testing

@Suite("JsonParser: RFC 8259 and comments")
struct JsonParserTests {
    @Test("A valid document has the recorded values")
    func values() throws {
        #expect(try RecordedMessages.compare("json-values") { try? json($0) } == (23, []))
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

    static let trailingCommas: [(text: String, value: String?)] = [
        ("[1,]", "[1]"), ("[1 , ]", "[1]"), (#"{"a": 1,}"#, "{a: 1}"), ("[[1,],]", "[[1]]"),
        ("[1, /* a */ ] // b", "[1]"), ("{\"a\": [\r\n1,\r\n],\r\n}", "{a: [1]}"),
        (#"{"a": {"b": "x",}, "c": [true,],}"#, #"{a: {b: "x"}, c: [true]}"#),
        ("[,]", nil), ("{,}", nil), ("[1,,]", nil), ("[,1]", nil), (#"{"a": 1,,}"#, nil), (#"{"a":,}"#, nil),
        ("[1],", nil),
        ("[1,", nil), (#"{"a": 1,]"#, nil), ("[1;]", nil), ("1,", nil),
    ]

    @Test("If trailing commas are allowed, one may follow the last value, and nothing else changes")
    func trailing() throws {
        for (text, value) in Self.trailingCommas {
            let document = try? JsonDocument(bytes: text.utf8, name: "a", allowsTrailingCommas: true)
            #expect(document?.root.notation == value, "\(text)")
            #expect(throws: SyntaxError.self, "\(text)") { try JsonDocument(bytes: text.utf8, name: "a") }
        }
        #expect(Self.trailingCommas.count == 18)
        #expect(throws: SyntaxError.self) {
            try JsonDocument(bytes: "[1, /**/]".utf8, name: "a", allowsComments: false, allowsTrailingCommas: true)
        }
    }

    @Test("`trailingCommas` has a warning with the place of each, and at most 100")
    func trailingWarnings() throws {
        let text = "{\n  \"a\": [1, 2,],\n  \"b\": 3, // last\n}"
        let document = try JsonDocument(bytes: text.utf8, name: "c.json", allowsTrailingCommas: true)
        #expect(
            document.trailingCommas.map(\.description) == [
                "c.json:2:13: a comma follows the last value, which many parsers of JSON refuse. Remove this comma.",
                "c.json:3:9: a comma follows the last value, which many parsers of JSON refuse. Remove this comma.",
            ])
        let many = "[" + String(repeating: "[1,],", count: 200) + "]"
        #expect(try JsonDocument(bytes: many.utf8, name: "a", allowsTrailingCommas: true).trailingCommas.count == 100)
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

    @Test("In an object of any size, the last value of each key counts", arguments: [5, 16, 17, 40, 64, 65, 300])
    func manyDuplicates(_ count: Int) throws {
        var random = SplitMix(state: UInt64(count))
        let keys = (0..<2 * count).map { _ in "key_\(Int.random(in: 0..<count, using: &random))" }
        let last = Dictionary(keys.enumerated().map { ($1, $0) }) { $1 }
        let members = keys.enumerated().map { "\"\($1)\": \($0)" }.joined(separator: ", ")
        let document = try JsonDocument(bytes: "{\(members)}".utf8, name: "a")
        let expected = last.sorted { $0.value < $1.value }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
        #expect(document.root.notation == "{\(expected)}")
    }

    @Test("Every value and every key has its line and column")
    func places() throws {
        let text = "// é\n{ \"\\u0061\": 1,\r\n\t\"b\": [true, \"é\", -2]}"
        let document = try JsonDocument(bytes: text.utf8, name: "c")
        #expect(document.root.members?.map(\.keyPlace) == ["2:3", "3:2"])
        #expect(document.root["a"]?.place == "2:13")
        #expect(document.root["b"]?.elements?.map(\.place) == ["3:8", "3:14", "3:19"])
    }
}

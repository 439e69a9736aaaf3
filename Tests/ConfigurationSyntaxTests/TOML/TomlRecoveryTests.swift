import ConfigurationSyntax
import Testing

/// Returns the positions of all errors in a TOML text, as `line:column`.
private func errors(_ text: String) -> [String] {
    do {
        _ = try TomlDocument(bytes: text.utf8, name: "a.toml")
        return []
    } catch {
        return ([error] + error.furtherErrors).map { "\($0.line):\($0.column)" }
    }
}

@Suite("TomlParser+Recovery: after an error, parsing goes on at the next statement")
struct TomlRecoveryTests {
    static let documents: [(text: String, errors: [String])] = [
        ("a = 1x\nb = [1,, 2]\n[c\nd =", ["1:5", "2:8", "3:1", "4:4"]),
        ("a =\nb = [1, 2x]\n[c\nd = \"e\n", ["1:4", "2:9", "3:1", "4:5"]),
        ("a = 1\na = 2\nb = yes\n", ["2:1", "3:5"]),
        ("a = 1\r\na = [\r\n\"]\", # ]\r\n]\r\nb = x\r\n", ["2:1", "5:5"]),
        ("a = 1\na = \"\"\"\nb = x\n\"\"\"\nc = x\n", ["2:1"]),
        // Lines that do not look like a statement are skipped after an error, and are errors after a statement.
        ("a = x\nb 1\nc 1\nd = 1\ne 1\n", ["1:5", "5:3"]),
        ("a = x\n# b = \"\n\n  c = x\n\"d\" . 'e=\"' = x\n", ["1:5", "4:7", "5:15"]),
        // What may be a part of a value is not a statement.
        ("a = [\n  x,\n  [1, 2],\n  { b = y },\n  \"\n]\",\n]\nc = x\n", ["2:3", "8:5"]),
        ("a = [x, \"[\", '[', \"\\\"[\" ] # [\nb = x\n", ["1:6", "2:5"]),
        ("a = { b = x,\n  c = y,\n  d = z\n}\ne = x\n", ["1:11", "5:5"]),
        ("a = \"\"\"\n\\q\nb = 1\n\"\"\"\"\"\nc = x\n", ["2:1"]),
        ("a = \"\\q\nb = x\n", ["1:6", "2:5"]),
        ("a = it's [\nb = x\n", ["1:5", "2:5"]),
        // A bracket that is not closed ends where a line cannot be a part of the value.
        ("a = [\n  1,\nb = x\n", ["3:1", "3:5"]),
        ("a = [1, 2\n[b]\nc = x\n", ["2:1", "3:5"]),
        ("a = [[1, 2], [3\n[b.c] # d\ne = x\n", ["2:1", "3:5"]),
        ("a = { b = 1\n[[c]]\nd = x\n", ["2:1", "3:5"]),
        ("a = { b = 1,\nc = x\nd = y\n", ["2:5"]),
        ("a = [\n\"\\xAg\" = 1\nb = x\n", ["2:2", "3:5"]),
        ("a = [\n[[b] ]\nc = x\n", ["2:3", "3:5"]),
        ("a = [\n  [true],\n  [x],\n  [\"b\"],\n  [1]\n]\nb = x\n", ["3:4", "7:5"]),
        ("a = [\n  b = 1, c = 2 },\n  { b = 1, c = 2 },\n]\nd = x\n", ["2:3", "5:5"]),
        ("a = [\n  [1]],\n  [2],\n]\nb = x\n", ["2:7", "5:5"]),
        // A string that is not closed, and one that is closed twice.
        ("a = \"\"\"\nb = x\n", ["1:5"]),
        ("a = '''b\nc = '''d'''\ne = x\n", ["2:8"]),
        ("a = \"\"b\"\"\"\nc = \"\"\"\n[d]\ne f\n\"\"\"\n", ["1:7"]),
        // Keys below a header with an error are not those of another table.
        ("a = 1\n[b]\na = 1\n[c\na = 1\na = 2\nd = x\n", ["4:1", "7:5"]),
        ("a = 1\nb = x\n[\"c\"]\na = 2\n", ["2:5"]),
        // A conflict after a header with an error may be its consequence.
        ("[[a]\n[a.b]\n[[a]]\nc = x\n", ["1:1", "4:5"]),
        ("[a]\n[[a]]\nb = 1\n[[a]]\nb = 2\n", ["2:3"]),
        // Nothing is certain in text of another format, with other line ends, after a merge conflict or a limit.
        ("a = x\n{ \"b\": 1 }\nc = x\n", ["1:5", "3:5"]),
        ("{\n\"a\" = x\n", ["1:1"]),
        ("- a\nb = x\n", ["1:1"]),
        ("a = 1\rb = x\r\nc = x\n", ["1:6"]),
        ("a = 1\n<<<<<<< b\nc = 1\n=======\nc = 2\n>>>>>>> d\n", ["2:1"]),
        ("a = \(brackets(200))\nb =\n", ["1:133"]),
    ]

    @Test("The errors of a document are those of its statements", arguments: documents)
    func positions(_ document: (text: String, errors: [String])) {
        #expect(errors(document.text) == document.errors, "\(document.text)")
    }

    @Test("The description of an error is what it is without further ones, and those have none")
    func first() throws {
        let error = try #require(throws: SyntaxError.self) {
            try TomlDocument(bytes: "a = 1x\nb =\n".utf8, name: "a.toml")
        }
        #expect(error.description == "a.toml:1:5: `1x` is not a valid number; expected a number, or text in quotes")
        #expect(error.furtherErrors.map(\.problem) == ["a value is missing"])
        #expect(error.furtherErrors.allSatisfy { $0.furtherErrors.isEmpty })
    }

    @Test("After 20 errors, a further one says that there may be more")
    func limit() throws {
        for (count, expected) in [(20, 20), (21, 21), (50, 21)] {
            #expect(errors((0..<count).map { "k\($0) =\n" }.joined()).count == expected)
        }
        let error = try #require(throws: SyntaxError.self) {
            try TomlDocument(bytes: (0..<50).map { "k\($0) =\n" }.joined().utf8, name: "a.toml")
        }
        #expect(
            error.furtherErrors.last?.description == "a.toml:21:6: there may be more errors from here on. "
                + "Correct the errors before this place, and check the text again.")
    }

    @Test("JSON has one error")
    func json() throws {
        let error = try #require(throws: SyntaxError.self) {
            try JsonDocument(bytes: "{\"a\": x,\n\"b\": y}".utf8, name: "a.json")
        }
        #expect(error.offset == 6)
        #expect(error.furtherErrors.isEmpty)
    }
}

import ConfigurationSyntax
import TestSupport
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
    @Test("The errors of a document are those of its statements")
    func positions() throws {
        #expect(try RecordedMessages.compare("toml-further") { errors($0).joined(separator: " ") } == (36, []))
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

}

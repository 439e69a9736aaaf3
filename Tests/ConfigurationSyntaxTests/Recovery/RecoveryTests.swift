import ConfigurationSyntax
import TestSupport
import Testing

/// Returns the messages of all errors in a TOML text, sorted by their places.
func tomlErrors(_ text: String, name: String = "a.toml") -> [String] {
    do {
        _ = try TomlDocument(bytes: text.utf8, name: name)
        return []
    } catch {
        return messages(of: error)
    }
}

/// Returns the messages of all errors in a JSON text, sorted by their places.
func jsonErrors(_ text: String, name: String = "a.json") -> [String] {
    do {
        _ = try JsonDocument(bytes: text.utf8, name: name)
        return []
    } catch {
        return messages(of: error)
    }
}

private func messages(of error: SyntaxError) -> [String] {
    ([error] + error.furtherErrors).sorted { $0.offset < $1.offset }.map(\.description)
}

@Suite("The parsers report all errors of a text")
struct RecoveryTests {
    @Test("A valid version of a part has no errors, and each invalid version has one")
    func parts() {
        for part in tomlParts.map({ $0.named("name") }) {
            #expect(tomlErrors(tomlDocument([part.valid])) == [])
            for text in part.mistakes {
                let errors = tomlErrors(tomlDocument(["a = 1", text]))
                #expect(errors.count == 1, "\(text)\n\(errors)")
            }
        }
        for part in jsonParts.map({ $0.named("name") }) {
            let others = [#""first": 1¶"#, #""last": 1¶"#]
            #expect(jsonErrors(jsonDocument([others[0], part.valid, others[1]])) == [])
            for text in part.mistakes {
                let errors = jsonErrors(jsonDocument([others[0], text, others[1]]))
                #expect(errors.count == 1, "\(text)\n\(errors)")
            }
        }
    }

    @Test("In at least 95 % of random TOML with two to five mistakes, each mistake is reported as it is alone")
    func randomToml() {
        let inexact = PlantedMistakes.inexactDocuments(of: 200, from: tomlParts, seed: 1, composed: tomlDocument) {
            tomlErrors($0)
        }
        #expect(inexact.count <= 10, "\(inexact.count) documents:\n\(inexact.joined(separator: "\n---\n"))")
    }

    @Test("In at least 95 % of random JSON with two to five mistakes, each mistake is reported as it is alone")
    func randomJson() {
        let inexact = PlantedMistakes.inexactDocuments(of: 200, from: jsonParts, seed: 2, composed: jsonDocument) {
            jsonErrors($0)
        }
        #expect(inexact.count <= 10, "\(inexact.count) documents:\n\(inexact.joined(separator: "\n---\n"))")
    }

    @Test("The first error of a text is what it is without further ones, and the others follow it")
    func order() throws {
        let text = "a = 1x\nb = [1,, 2]\n[c\nd ="
        let error = try #require(throws: SyntaxError.self) { try TomlDocument(bytes: text.utf8, name: "a.toml") }
        #expect(error.description == "a.toml:1:5: `1x` is not a valid number; expected a number, or text in quotes")
        #expect(
            error.furtherErrors.map { "\($0.line):\($0.column) \($0.problem)" } == [
                "2:8 there is an extra comma", "3:1 the table header that opens here is never closed",
                "4:4 a value is missing",
            ])
        #expect(error.furtherErrors.allSatisfy { $0.furtherErrors.isEmpty })
    }

    @Test("All errors in a line of JSON are reported if they are in different elements")
    func elements() {
        #expect(
            jsonErrors(#"{"a": [1x, True, 3, 'b'], "c": .5, d: 1}"#).map { $0.prefix(11) } == [
                "a.json:1:8:", "a.json:1:12", "a.json:1:21", "a.json:1:32", "a.json:1:36",
            ])
    }

    @Test("After 20 errors, a further one says that there may be more")
    func limit() {
        let more =
            "there may be more errors from here on. Correct the errors before this place, and check the text again."
        let toml = tomlErrors((0..<50).map { "k\($0) =\n" }.joined())
        #expect(toml.count == 21)
        #expect(toml.last == "a.toml:21:6: \(more)")
        let json = jsonErrors("[\((0..<50).map { _ in "x" }.joined(separator: ", "))]")
        #expect(json.count == 21)
        #expect(json.last == "a.json:1:62: \(more)")
        #expect(tomlErrors((0..<20).map { "k\($0) =\n" }.joined()).count == 20)
    }

    @Test("An error that no repair mends is reported once")
    func once() {
        #expect(
            tomlErrors("t = { x.'").map { $0.prefix(12) } == ["a.toml:1:5: ", "a.toml:1:9: "],
            "\(tomlErrors("t = { x.'"))")
    }

    @Test("A text of more than 4 MB is not parsed again")
    func large() {
        let errors = tomlErrors("a = x\nb = x\n# " + String(repeating: "-", count: 4 << 20))
        #expect(errors.count == 2)
        #expect(errors.last?.hasPrefix("a.toml:1:5: there may be more errors from here on.") == true)
    }

    @Test(
        "A text in another format, in another encoding, or beyond a limit has one error",
        arguments: ["{\"a\": 1, \"b\": x}", "- a\n- b\n", "a = \(brackets(200))\nb =", "a = 1\rb =\r"])
    func hopeless(_ text: String) {
        #expect(tomlErrors(text).count == 1)
        #expect(jsonErrors("[server]\na = 1\nb = 2").count == 1)
        #expect(jsonErrors("a: 1\nb: 2").count == 1)
    }

    @Test("The search for errors in any part of random text ends", arguments: 0..<8)
    func noise(_ seed: Int) {
        var dice = Dice(seed)
        let alphabet = Array("\"'\\[]{}=:,.#/*-+_eE0x9truefalsnil \n\r\u{A0}é“<>")
        for length in 0..<60 {
            let text = String((0..<length).map { _ in alphabet[dice.roll(alphabet.count)] })
            #expect(tomlErrors(text).count <= 21)
            #expect(jsonErrors(text).count <= 21)
        }
    }

    @Test(
        "The search for errors in long repetitions ends",
        arguments: [
            "\"", "'''", "1,,", "[x,", "{\"a\" ", "a = [\nx, ", "a = {\n", "a\n", "[a\n", "x [] ", "[", "/*", "\\",
        ])
    func repetitions(_ text: String) {
        for start in ["", "[", "{", "a = [", "a = \"", "\"a\": "] {
            let long = start + String(repeating: text, count: 300)
            #expect(tomlErrors(long).count <= 21)
            #expect(jsonErrors(long).count <= 21)
        }
    }
}

import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("All errors of a .env file are reported")
struct DotEnvRecoveryTests {
    static let parts: [Part] = [
        Part("$=80", ["$ 80", "$: 80", "=80", "2$=80", "ä$=80", "$", "-$=80", "export $", "; $=80", "$=a\u{0}b"]),
        Part(
            "$=\"a b\" # c",
            [
                "$=\"a b\"c", "$=\"a\\qb\"", "$=\"a b", "$=\"\\u{D800}\"", "$=\"\\u0041\" # c", "$=\"a\\d\\w\"",
                "$=\"a b\"#c", "$=\"a \"b\"",
            ]),
        Part("$='a b'", ["$='a b", "$='a b'c", "$='a'b'", "$'a b'"]),
        Part("$='-----BEGIN\na=b\n-----END'", ["$='-----BEGIN\na b\n-----END' x", "$ '-----BEGIN-----END'\n\n"]),
        Part("$=\"one\\\ntwo\"", ["$=\"one\\ \ntwo\"", "$=\"one\\q\ntwo\"", "$=\"one\ntwo\" x"]),
        Part("# c", ["// c", "$ # c", "[section]"]),
        Part("export $=https://a/b#c", ["export $ https://a/b#c", "export export $=1", "set $=https://a"]),
        Part("\n$=1\n", ["\n$ 1\n"]),
    ]

    private static func errors(_ text: String) -> [String] {
        do {
            _ = try DotEnvPropertyLoader(string: text, name: ".env").load()
            return []
        } catch {
            return ConfigurationErrors([error]).problems.map { "\($0.place): \($0.message)" }
        }
    }

    private static func composed(_ parts: [String]) -> String { parts.joined(separator: "\n") + "\nLAST=1\n" }

    @Test("A valid version of a part has no errors, and each invalid version has one")
    func alone() {
        for part in Self.parts.map({ $0.named("N") }) {
            #expect(Self.errors(Self.composed([part.valid])) == [])
            for text in part.mistakes {
                let errors = Self.errors(Self.composed(["A=1", text]))
                #expect(errors.count == 1, "\(text)\n\(errors)")
            }
        }
    }

    @Test("In at least 95 % of random files with two to five mistakes, each mistake is reported as it is alone")
    func random() {
        let inexact = PlantedMistakes.inexactDocuments(
            of: 200, from: Self.parts, seed: 3, composed: Self.composed, errors: Self.errors)
        #expect(inexact.count <= 10, "\(inexact.count) documents:\n\(inexact.joined(separator: "\n---\n"))")
    }

    @Test("After 20 errors the report says that there may be more")
    func limit() throws {
        let error = try #require(throws: PropertyLoadError.self) {
            try DotEnvPropertyLoader(string: String(repeating: "A 1\n", count: 100), name: ".env").load()
        }
        #expect(error.furtherErrors.count == 20)
        #expect(
            error.furtherErrors.last?.description
                == ".env:21:3: there may be more errors from here on. "
                + "Correct the errors before this place, and check the text again.")
    }
}

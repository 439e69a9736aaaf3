import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

/// Returns the positions of all errors in a `.env` text, as `line:column`.
private func errors(_ text: String) -> [String] {
    do {
        _ = try DotEnvPropertyLoader(string: text, name: ".env").load()
        return []
    } catch {
        return ConfigurationErrors([error]).problems.map { String($0.place.dropFirst(".env:".count)) }
    }
}

@Suite("After an error, a .env file is parsed on at the next assignment")
struct DotEnvRecoveryTests {
    static let files: [(text: String, errors: [String])] = [
        ("A 1\nB=1\nC 3\n", ["1:3", "3:3"]),
        ("A 1\nexport B = \"x\"y\n  C-1.d='x'y\n", ["1:3", "2:15", "3:12"]),
        // Lines that do not look like an assignment are skipped after an error, and are errors after an assignment.
        ("A 1\nB 1\n# it's fine\n\nC=1\nD 1\n", ["1:3", "6:3"]),
        // A value in quotes is followed to its end.
        ("A=\"C:\\dir\nB=1\n\"\nC 1\n", ["1:6"]),
        (
            "A=\"C:\\dir\nB=1\n\"\nC=\"\\q\\w\\\"\nD=\\z\"\nE 1\nF=\"\\q\"\nG=1\nH=\\\nI 1\n",
            ["1:6", "4:4", "7:4", "10:3"]
        ),
        ("A='x'y\nB=\"x\"y\nC=\u{0}\nD='\u{0}\n'\nE=\"\\u{D800}\"\n", ["1:6", "2:6", "3:3", "4:4", "6:4"]),
        // Where a quote may open a value, no line is certain.
        ("A=\"x\nB=1\nC 1\n", ["1:3"]),
        ("A=\"x\nB=\"y\"\nC 1\n", ["2:4"]),
        ("A 'x\nB=1\n'\nC=\n", ["1:3"]),
        ("A it's\nB=1\nC 1\n", ["1:3"]),
        ("A 'x' # it's\nB=\"\\q\"\n", ["1:3", "2:4"]),
        // Nothing is certain in a file with other line ends.
        ("A=1\rB 1\rC=1\n", ["1:4"]),
    ]

    @Test("The errors of a file are those of its assignments", arguments: files)
    func positions(_ file: (text: String, errors: [String])) {
        #expect(errors(file.text) == file.errors, "\(file.text)")
    }

    @Test("After 20 errors, a further one says that there may be more")
    func limit() throws {
        let text = String(repeating: "A 1\nB=1\n", count: 100)
        let error = try #require(
            loadError {
                try DotEnvPropertyLoader(string: text, name: ".env").load()
            })
        #expect(error.furtherErrors.count == 20)
        #expect(
            error.furtherErrors.last?.description == ".env:41:3: there may be more errors from here on. "
                + "Correct the errors before this place, and check the text again.")
    }
}

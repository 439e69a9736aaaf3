import Properties
import PropertyLoadersEssentials
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

    static let mistakes = [
        "X 80", "X: 80", "=80", "2X=80", "äX=80", "X", "-X=80", "export X", "; X=80", "X=a\u{0}b", "X=\"a b\"c",
        "X=\"a\\qb\"", "X=\"\\u{D800}\"", "X=\"a\\d\\w\"", "X=\"a b\"#c", "X='a b'c", "X='-----BEGIN\na b\n-----END' x",
        "X=\"one\\ \ntwo\"", "X=\"one\\q\ntwo\"", "X=\"one\ntwo\" x", "// c", "[section]", "export export X=1",
    ]

    @Test("A mistake in one assignment is one error in that assignment", arguments: mistakes)
    func planted(_ mistake: String) {
        let assignments = ["A=1", "B=\"x\ny\"", "# it's", "C='x\nY 1\n'", "export D = it's", "E=\"\\\"\""]
        for place in 0...assignments.count {
            var lines = assignments
            lines.insert(mistake, at: place)
            let start = lines[..<place].map { $0.split(separator: "\n").count }.reduce(1, +)
            let found = errors(lines.joined(separator: "\n")).compactMap { Int($0.split(separator: ":")[0]) }
            let range = start..<start + mistake.split(separator: "\n").count
            #expect(found.count == 1 && found.allSatisfy(range.contains), "\(found) in \(lines)")
        }
    }

    @Test("After 20 errors, a further one says that there may be more")
    func limit() throws {
        let text = String(repeating: "A 1\nB=1\n", count: 100)
        let error = try #require(throws: PropertyLoadError.self) {
            try DotEnvPropertyLoader(string: text, name: ".env").load()
        }
        #expect(error.furtherErrors.count == 20)
        #expect(
            error.furtherErrors.last?.description == ".env:41:3: there may be more errors from here on. "
                + "Correct the errors before this place, and check the text again.")
    }
}

import Foundation
import Testing

/// A line of a block of shell in a document.
struct ShellLine: CustomStringConvertible {
    let path: String, line: Int
    /// Its words, without quotation marks and without a comment.
    let words: [String]

    var description: String { "\(path):\(line): \(words.joined(separator: " "))" }

    /// Returns the lines of all blocks of shell in a document.
    static func all(in text: String, path: String) -> [ShellLine] {
        var lines: [ShellLine] = [], isShell = false
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("```") {
                isShell = line == "```sh"
            } else if isShell {
                let words = line.split(separator: " ").prefix { !$0.hasPrefix("#") }
                    .map { $0.trimmingCharacters(in: ["'", "\""]) }
                lines.append(ShellLine(path: path, line: number + 1, words: words))
            }
        }
        return lines
    }

    /// What the line names and the repository does not have.
    var problems: [String] {
        var problems: [String] = []
        func check(_ exists: Bool, _ problem: String) { if !exists { problems.append("\(self): \(problem)") } }
        for (word, next) in zip(words, words.dropFirst() + [""]) {
            if word == "--filter" {
                let pattern = (try? Regex(next)) ?? Regex(verbatim: next)
                check(Self.tests.contains { $0.contains(pattern) }, "no test '\(next)'")
            }
            if word.hasPrefix("TEST_TARGETS=") {
                for target in word.dropFirst("TEST_TARGETS=".count).split(separator: ",") {
                    check(Self.exists("Tests/\(target)"), "no tests '\(target)'")
                }
            }
            if word.hasPrefix(".ci/") || word.hasPrefix("Tests/") { check(Self.exists(word), "no file '\(word)'") }
        }
        if let names = Self.names[words.first ?? ""] {
            for word in words.dropFirst() {
                check(names.contains(word), "\(words[0]) has no '\(word)'")
            }
        }
        if words.starts(with: ["swift", "run", "properties"]), words.count > 3 {
            check(NamedRepository.commands.contains(words[3]), "the tool has no command '\(words[3])'")
        }
        return problems
    }

    private static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: ReadmeBlocks.root.appendingPathComponent(path).path)
    }

    /// Each type in the tests, as `swift test --filter` sees its name and a test in it.
    private static let tests: [String] = NamedRepository.code.flatMap { path, _ -> [String] in
        guard path.hasPrefix("Tests/"), let text = try? ReadmeBlocks.text(of: path) else { return [] }
        let target = path.split(separator: "/")[1]
        return text.matches(of: #/\b(?:struct|class|enum|actor) (\w+)/#).map { "\(target).\($0.1)/" }
    }

    /// The arguments of scripts that take names, from the lists in them.
    private static let names: [String: Set<String>] = {
        func list(_ pattern: Regex<(Substring, Substring)>, _ script: String) -> Set<String> {
            let text = (try? ReadmeBlocks.text(of: script)) ?? ""
            return Set(text.matches(of: pattern).flatMap { $0.1.split(separator: " ").map(String.init) })
        }
        return [
            ".ci/run": list(#/(?m)^(?:release_)?steps=\(([a-z ]+)\)/#, ".ci/run").union(["--list", "--release"]),
            ".ci/sanitize": ["thread", "address"],
        ]
    }()

    /// The parts of `.ci/long`. Some have arguments.
    static let parts: Set<String> = {
        let text = (try? ReadmeBlocks.text(of: ".ci/long")) ?? ""
        let list = text.firstMatch(of: #/(?m)^parts=\(([a-z ]+)\)/#)?.1 ?? ""
        return Set(list.split(separator: " ").map(String.init)).union(["suites", "api", "--list"])
    }()
}

@Suite("The commands in documents")
struct ShellBlockTests {
    @Test("Every test, step, script and command that a block of shell names exists")
    func blocks() throws {
        let documents = ReadmeBlocks.documents + [".github/CONTRIBUTING.md", "Fixtures/Shop/README.md"]
        let lines = try documents.flatMap { ShellLine.all(in: try ReadmeBlocks.text(of: $0), path: $0) }
        #expect(lines.count > 40)
        for problem in lines.flatMap(\.problems) { Issue.record("\(problem)") }
        for line in lines where line.words.first == ".ci/long" && line.words.count > 1 {
            #expect(ShellLine.parts.contains(line.words[1]), "\(line)")
        }
    }

    @Test(
        "A command that names what does not exist is found",
        arguments: [
            ("swift test --filter MergedTests", "no test 'MergedTests'"),
            ("swift test --filter 'TomlValueTests/'  # a comment", "no test 'TomlValueTests/'"),
            ("TEST_TARGETS=ContainerTests,NoTests swift test", "no tests 'NoTests'"),
            (".ci/run format tests", ".ci/run has no 'tests'"), (".ci/sanitise thread", "no file '.ci/sanitise'"),
            ("swift run properties diff a b", "the tool has no command 'diff'"),
        ])
    func missing(command: String, problem: String) {
        let problems = ShellLine.all(in: "```sh\n\(command)\n```", path: "a.md").flatMap(\.problems)
        #expect(problems.count == 1 && problems.first?.hasSuffix(problem) == true, "\(problems)")
    }
}

import Foundation
import Testing

/// The repository as the tests of the names read it, once.
enum NamedRepository {
    static let documents: [Document] = {
        let markdown = paths.filter { $0.hasSuffix(".md") }.map { path in
            Document(markdown: (try? ReadmeBlocks.text(of: path)) ?? "", path: path)
        }
        let comments = code.filter { $0.path.hasPrefix("Sources/") }.map { Document(code: $0.text, path: $0.path) }
        return markdown + comments
    }()

    static let check: NameCheck = {
        var declarations = Declarations()
        for file in code {
            declarations.add(file.text, withLiterals: !file.path.hasPrefix("Tests/ReadmeTests/Names/"))
        }
        return NameCheck(declarations: declarations, paths: Set(paths), commands: Set(commands), options: options)
    }()

    /// The names of the tool's commands, from its list of them.
    static let commands: [String] = {
        let source = (try? ReadmeBlocks.text(of: "Sources/PropertiesTool/Commands/Command.swift")) ?? ""
        let list = source.firstMatch(of: /static let all = \[([a-z, ]+)\]/)?.1 ?? ""
        return list.split(separator: ", ").map(String.init)
    }()

    /// The options that the tool's code names.
    static let options: Set<String> = {
        let files = code.filter { $0.path.hasPrefix("Sources/PropertiesTool/") }
        return Set(files.flatMap(\.text.tokens).filter { $0.kind == .literal && isOption($0.text) }.map(\.text))
    }()

    static func isOption(_ text: some StringProtocol) -> Bool {
        text.hasPrefix("--") && text.count > 2 && text.dropFirst(2).allSatisfy { $0.isLowercase || $0 == "-" }
    }

    static let code: [(path: String, text: SwiftText)] = paths.filter { $0.hasSuffix(".swift") }.compactMap { path in
        (try? ReadmeBlocks.text(of: path)).map { (path, SwiftText($0)) }
    }

    /// The paths of all files and folders, apart from builds.
    private static let paths: [String] = {
        let folders = ["Sources", "Tests", "Fixtures", ".ci", ".github"]
        let files = folders.flatMap { ReadmeBlocks.files(in: $0, ending: "") }.filter { !$0.contains("/.build") }
        return folders + files + ["README.md", "Package.swift", "LICENSE.txt"]
    }()
}

@Suite("The names in documents, help texts and comments")
struct NamesTests {
    @Test("Every name in backticks exists")
    func names() {
        #expect(NamedRepository.documents.flatMap(\.spans).count > 2000)
        for problem in NamedRepository.documents.flatMap(NamedRepository.check.problems) {
            Issue.record("\(problem)")
        }
    }

    /// Names that were in documents when what they name was deleted or renamed, and what the test says of them.
    private static let stale = [
        ("`SyntaxMessageTests`", "no such name"),
        ("`AsyncResolver.resolve`", "`AsyncResolver` has no member `resolve`"),
        ("``AsyncResolver/resolve(_:)``", "`AsyncResolver` has no member `resolve`"),
        ("`Sources/Container/Scopes/Scope.swift`", "no such file"),
        ("`properties diff one.toml two.toml`", "the tool has no command 'diff'"),
        ("`properties check --strict`", "the tool has no option '--strict'"),
        ("`--no-colour`", "no such option"),
        ("`NO_COLOUR`", "no such name"),
        ("`Container(behaviour:)`", "`Container.init` has no such labels"),
        ("`reset(_:services:)`", "`reset` has no such labels"),
        ("`Assembler(container:loaders:)`", "`Assembler.init` has no such labels"),
        ("`container.start(sources).restartTwice()`", "nothing has a member of this name"),
        ("`.inObjectScope(.forever)`", "nothing has a member of this name"),
        ("`PropertyStor`", "the nearest is `PropertyStore`"),
    ]

    @Test("A name that does not exist is found", arguments: stale)
    func missing(_ text: String, _ says: String) {
        let document = Document(markdown: "A sentence about \(text).", path: "a.md")
        let problems = NamedRepository.check.problems(of: document).map(\.description)
        #expect(problems.contains { $0.hasPrefix("a.md:1: ") && $0.contains(says) }, "\(problems)")
    }

    @Test("The article on the tool begins with what its commands do")
    func commands() throws {
        #expect(NamedRepository.commands.count >= 5)
        let article = try ReadmeBlocks.guide("CommandLineTool")
        let sentence = try #require(article.firstMatch(of: /It ([a-z, ]+) the same sources/)?.1)
        let verbs = sentence.replacing(" and ", with: ", ").split(separator: ", ").map { String($0.dropLast()) }
        #expect(verbs.sorted() == NamedRepository.commands.sorted())
    }

    @Test("A help text names only options, commands and variables that the tool has")
    func helpTexts() {
        let literals = NamedRepository.code.filter { $0.path.hasPrefix("Sources/PropertiesTool/") }
            .flatMap { file in file.text.tokens.filter { $0.kind == .literal }.map { (file.path, $0) } }
        #expect(literals.count > 200)
        let whole = Set(literals.map(\.1.text))
        for (path, literal) in literals where literal.text.contains(" ") {
            for word in literal.text.split(whereSeparator: { !$0.isLetter && !"-_".contains($0) }) {
                let isVariable = word.contains("_") && word.allSatisfy { $0.isUppercase || $0 == "_" }
                // `PREFIX` stands for the value of an option.
                if word.hasPrefix("PREFIX_") { continue }
                guard NamedRepository.isOption(word) || isVariable else { continue }
                #expect(
                    whole.contains(String(word)), "\(path):\(literal.line): '\(word)' is in no table and is not read")
            }
        }
    }
}

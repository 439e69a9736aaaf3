import Foundation
import Testing

/// Reads the Swift blocks of the documents, and the compiled code that must contain these blocks.
enum ReadmeBlocks {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The README and the articles of every module.
    static let documents = ["README.md"] + files(in: "Sources", ending: ".md").filter { $0.contains(".docc/") }

    /// Returns the text of a guide.
    static func guide(_ name: String) throws -> String {
        try text(of: "Sources/ServiceHost/ServiceHost.docc/\(name).md")
    }

    static func text(of document: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(document), encoding: .utf8)
    }

    /// Returns the Swift blocks of a document, each as its lines without indentation.
    static func blocks(of document: String) throws -> [[String]] {
        var blocks: [[String]] = []
        var current: [String]?
        for line in lines(try text(of: document)) {
            if line.hasPrefix("```") {
                if let block = current { blocks.append(block) }
                current = current == nil && line == "```swift" ? [] : nil
            } else {
                current?.append(line)
            }
        }
        return blocks
    }

    /// Returns the files of Swift code that are compiled with the tests, or with the fixture packages that the gate
    /// builds.
    private static let compiledCode: [[String]] = {
        // The tests of this package, and the nested package with the packages that the articles are about. No other
        // nested package is compiled with tests.
        let tests = files(in: "Tests", ending: ".swift").filter {
            let folder = $0.split(separator: "/")[1]
            return folder.hasSuffix("Tests") || folder == "Integrations"
        }
        return (tests + files(in: "Fixtures", ending: ".swift")).compactMap { try? lines(text(of: $0)) }
    }()

    /// The places of each line in the compiled code.
    private static let places: [String: [(file: Int, line: Int)]] = {
        let places = compiledCode.enumerated().flatMap { file, lines in lines.indices.map { (file: file, line: $0) } }
        return Dictionary(grouping: places) { compiledCode[$0.file][$0.line] }
    }()

    /// Whether the lines of a block are consecutive lines of a compiled file.
    static func isCompiled(_ block: [String]) -> Bool {
        guard let first = block.first else { return false }
        return (places[first] ?? []).contains { compiledCode[$0.file][$0.line...].starts(with: block) }
    }

    /// Returns the targets of the document's links to files in the repository.
    static func links(of document: String) throws -> [String] {
        try text(of: document).matches(of: /\]\(([^)#\s]+)\)/).map { String($0.1) }
    }

    static func files(in folder: String, ending: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
        return (names?.compactMap { $0 as? String } ?? [])
            .filter { $0.hasSuffix(ending) && !$0.contains(".build/") }.sorted().map { "\(folder)/\($0)" }
    }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
}

@Suite("The documents")
struct ReadmeTests {
    @Test("Every Swift block of the README and the articles stands, compiled, in a test")
    func blocksAreCompiled() throws {
        for document in ReadmeBlocks.documents {
            for block in try ReadmeBlocks.blocks(of: document) {
                let isCompiled = ReadmeBlocks.isCompiled(block)
                #expect(isCompiled, "\(document) stands in no test:\n\(block.joined(separator: "\n"))")
            }
        }
    }

    @Test("The README, the overviews and the articles are found, with their blocks")
    func counts() throws {
        #expect(ReadmeBlocks.documents.count >= 40)
        #expect(try ReadmeBlocks.blocks(of: "README.md").count >= 5)
        #expect(try ReadmeBlocks.documents.flatMap(ReadmeBlocks.blocks).count >= 70)
    }

    @Test(
        "The README and the guides show the files and the output of one program, as the gate runs it",
        arguments: [
            ("README", ["config.toml", "report.txt", "reload.txt", "Package.swift"]),
            ("ServiceHost", ["explain.txt"]), ("Reloading", ["reload.txt"]),
        ])
    func firstExample(document: String, files: [String]) throws {
        let text = try document == "README" ? ReadmeBlocks.text(of: "README.md") : ReadmeBlocks.guide(document)
        for name in files {
            #expect(text.contains("\n\(try ReadmeBlocks.text(of: "Fixtures/Example/\(name)"))```\n"), "\(name)")
        }
    }

    @Test("The article on the Shop shows all files of its target, the settings and the package")
    func shop() throws {
        let article = try ReadmeBlocks.text(of: "Sources/ServiceHost/ServiceHost.docc/Shop.md")
        let sources = ReadmeBlocks.files(in: "Fixtures/Shop/Sources/Shop", ending: ".swift")
        #expect(sources.count == 6)
        for file in ["Fixtures/Shop/Package.swift", "Fixtures/Shop/config.toml"] + sources {
            let language = file.hasSuffix(".swift") ? "swift" : "toml"
            #expect(article.contains("\n```\(language)\n\(try ReadmeBlocks.text(of: file))```\n"), "\(file)")
        }
    }

    @Test("Every link between documents leads to a file that is there, on a forge and in the website")
    func links() throws {
        let documents = ReadmeBlocks.documents + ReadmeBlocks.files(in: ".github", ending: ".md")
        let links = try documents.flatMap { document in
            try ReadmeBlocks.links(of: document).map { (document: document, target: $0) }
        }
        #expect(links.count >= 110)
        for link in links where !link.target.hasPrefix("https://") {
            let folder = ReadmeBlocks.root.appendingPathComponent(link.document).deletingLastPathComponent()
            let path = folder.appendingPathComponent(link.target).path
            #expect(FileManager.default.fileExists(atPath: path), "\(link.document): \(link.target)")
        }
    }

    /// Forges show `<doc:Name>` as text, and a link to a symbol of another module with its slashes. The script that
    /// builds the website turns relative links between articles into these forms.
    @Test("No document has a link that only DocC understands")
    func formsOfLinks() throws {
        let forms = try Regex("<doc:|``/|\\]\\(doc:")
        #expect("see <doc:Scopes>".contains(forms) && "see ``/Container/Lazy``".contains(forms))
        for document in ReadmeBlocks.documents {
            for line in try ReadmeBlocks.text(of: document).split(separator: "\n") where line.contains(forms) {
                Issue.record("\(document): \(line)")
            }
        }
    }
}

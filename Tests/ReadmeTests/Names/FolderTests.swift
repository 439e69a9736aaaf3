import Testing

/// The code of a module, by its folders.
private struct ModuleFolders {
    /// The folder of each type that is declared outside of other types.
    private(set) var homes: [String: String] = [:]
    /// The words of the code in each folder.
    private(set) var words: [String: Set<String>] = [:]

    /// - Parameters:
    ///   - module: the module.
    ///   - listed: the folders of its row. A folder inside another one counts for itself if it is listed.
    init(_ module: String, _ listed: [String]) {
        for (path, text) in NamedRepository.code {
            let parts = path.split(separator: "/").map(String.init)
            guard parts.count > 3, parts[0] == "Sources", parts[1] == module else { continue }
            let inner = parts[2...3].joined(separator: "/")
            add(text.tokens, in: listed.contains(inner) ? inner : parts[2])
        }
    }

    private mutating func add(_ tokens: [SwiftText.Token], in folder: String) {
        var depth = 0, introducer = ""
        for token in tokens {
            switch (token.kind, token.text) {
            case (.mark, "{"): depth += 1
            case (.mark, "}"): depth -= 1
            case (.word, let word):
                words[folder, default: []].insert(word)
                if depth == 0, Self.introducers.contains(introducer), word.first?.isUppercase == true {
                    homes[word] = folder
                }
                introducer = word
            default: break
            }
        }
    }

    private static let introducers: Set = ["struct", "class", "enum", "protocol", "actor", "typealias"]
}

@Suite("The folders of the modules")
struct FolderTests {
    /// A row of the table of folders in the article about the architecture.
    struct Row: Sendable, CustomTestStringConvertible {
        let module: String
        /// The words of the row that begin with a capital, in their order: folders, also inside others.
        let words: [String]
        var testDescription: String { module }
    }

    private static let rows: [Row] = {
        let article = (try? ReadmeBlocks.text(of: ".github/ARCHITECTURE.md")) ?? ""
        let table = article.split(separator: "| module | folders |").last?.split(separator: "\n\n").first ?? ""
        return table.matches(of: /\n\| `(\w+)` \| ([^|]+) \|/).map { match in
            Row(module: String(match.1), words: match.2.matches(of: /\b[A-Z]\w*(?:\/[A-Z]\w*)?/).map { String($0.0) })
        }
    }()

    /// Folders that are one subject: a resolve finds, builds and waits.
    private static let subjects: [Set] = [
        ["Core/Registering", "Core/Resolving", "Core/Sharing", "Core/Async"]
    ]

    /// The types by which the core of the container tells events to the folders above it, and keeps options for them.
    private static let seam: Set = ["ContainerLife", "LifeOptions"]

    @Test("The table of folders has each module with folders")
    func table() { #expect(Self.rows.map(\.module).count == 7) }

    @Test("A folder names types of folders before it in the table", arguments: rows)
    func order(of row: Row) {
        let folders = ModuleFolders(row.module, row.words)
        #expect(row.words.sorted() == folders.words.keys.sorted())
        for (index, folder) in row.words.enumerated() {
            let subject = Self.subjects.first { $0.contains(folder) } ?? []
            let later = Set(row.words[(index + 1)...]).subtracting(subject)
            let known = folders.words[folder, default: []].filter { later.contains(folders.homes[$0] ?? "") }
                .subtracting(folder.hasPrefix("Core/") ? Self.seam : [])
            #expect(known.isEmpty, "\(folder) names \(known.sorted()), which stand in folders after it")
        }
    }
}

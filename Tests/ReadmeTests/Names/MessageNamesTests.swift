import Foundation
import Testing

/// Operators do not know the code of the service, so what they read speaks of files, variables, arguments and values.
@Suite("The names in messages")
struct MessageNamesTests {
    /// The modules whose messages are about the configuration or the run of a service. Those of the container are about
    /// mistakes of the program.
    private static let modules = [
        "ConfigurationSyntax", "Properties", "PropertiesTool", "PropertyLoaders", "PropertyLoadersEssentials",
        "ServiceHost", "TextBasics",
    ]

    /// Parts of the messages about mistakes of the program, which no operator can correct, and of descriptions for
    /// debuggers.
    private static let forDevelopers = [
        "customMirror`", "another variable, or none: declare(", "Call declare(", "@Setting(key:", "init(from:)",
        "PropertyStore with", "PropertyWatcher of", "URL(filePath:)",
    ]

    @Test("No message that an operator can get names a loader, a function, a parameter or a type of this package")
    func operators() throws {
        let files = ReadmeBlocks.files(in: "Sources", ending: ".swift")
        let sources = try files.map { SwiftText(try ReadmeBlocks.text(of: $0)).tokens }
        let types = Set(sources.joined().indexed.compactMap { Self.typeName(at: $0) })
        #expect(types.count > 200)
        #expect(types.contains("PropertyStore"))
        var (found, used, sentences) = ([String](), Set<String>(), 0)
        for (file, tokens) in zip(files, sources) {
            guard Self.modules.contains(where: { file.hasPrefix("Sources/\($0)/") }) else { continue }
            for token in tokens where token.kind == .literal && token.text.contains(" ") {
                sentences += 1
                let names = Self.names(in: token.text, types)
                if names.isEmpty { continue }
                let known = Self.forDevelopers.filter { token.text.contains($0) }
                used.formUnion(known)
                if known.isEmpty { found.append("\(file):\(token.line): \(names) in \"\(token.text)\"") }
            }
        }
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
        #expect(used == Set(Self.forDevelopers), "not in a message any more")
        #expect(sentences > 1000)
    }

    @Test(
        "It finds the messages that were for developers",
        arguments: [
            ("no such directory. Create it, or call optional() on its loader", ["optional(", "loader"]),
            ("Make the document flatter, or raise `depth` in the limits", ["`depth`"]),
            ("Let the server send it, or give the loader a `format`", ["loader", "`format`"]),
            ("Read it with a PropertyStore", ["PropertyStore"]),
            ("expected `true`, `=` or a `[`", []),
            ("Save the file as UTF-8 (chmod o-w)", []),
        ])
    func examples(message: String, names: [String]) {
        #expect(Self.names(in: message, ["PropertyStore", "Store"]).sorted() == names.sorted())
    }

    /// What is no name of the package although it is in backticks: words of the formats, and those of the answers.
    private static let words: Set<String> = [
        "true", "false", "null", "plutil", "warning", "default", "none", "not", "inf", "nan", "key",
    ]

    private static func names(in message: String, _ types: Set<String>) -> [String] {
        let calls = message.matches(of: /@?\b\w+\((?=\)|\w+:|…)/).map { String($0.0) }
        let quoted = message.matches(of: /`([A-Za-z]{3,})\b[^`]*`/).filter { !words.contains(String($0.1)) }
        let loaders = message.matches(of: /\b[Ll]oaders?\b/).map { String($0.0) }
        // A type whose name is one word, such as Container, cannot be told from a word at the beginning of a sentence.
        let found = message.matches(of: /\b[A-Z][a-z]+([A-Z]\w*)+\b/).map { String($0.0) }.filter(types.contains)
        return calls + quoted.map { String($0.0) } + loaders + found
    }

    /// The name of the type that is declared with a token, or nil.
    private static func typeName(at token: (token: SwiftText.Token, before: SwiftText.Token?)) -> String? {
        let keywords: Set = ["struct", "class", "enum", "protocol", "actor", "typealias"]
        guard token.token.kind == .word, let before = token.before, before.kind == .word else { return nil }
        return keywords.contains(before.text) ? token.token.text : nil
    }
}

extension FlattenSequence<[[SwiftText.Token]]> {
    /// The tokens, each with the one before it.
    fileprivate var indexed: [(token: SwiftText.Token, before: SwiftText.Token?)] {
        let all = Array(self)
        return all.indices.map { (all[$0], $0 > 0 ? all[$0 - 1] : nil) }
    }
}

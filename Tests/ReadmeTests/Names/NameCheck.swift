import Foundation
import Properties

/// Finds what the documents name and the repository does not have.
struct NameCheck {
    let declarations: Declarations
    /// The paths of all files and folders of the repository.
    let paths: Set<String>
    /// The names of the tool's commands and options.
    let commands: Set<String>, options: Set<String>
    /// The ends of all paths: each file by its name, and with the folders above it.
    private let pathEnds: Set<String>
    /// All names and literals without their case and signs, to find a relaxed spelling of the name of a property.
    private let plainNames: Set<String>
    /// The words in capitals of all literals, such as names of variables.
    private let capitals: Set<String>

    init(declarations: Declarations, paths: Set<String>, commands: Set<String>, options: Set<String>) {
        (self.declarations, self.paths) = (declarations, paths)
        (self.commands, self.options) = (commands, options)
        pathEnds = Set(
            paths.flatMap { path in
                let parts = path.split(separator: "/")
                return parts.indices.map { parts[$0...].joined(separator: "/") }
            })
        // Prose is no place where a name exists.
        let words = declarations.literals.filter { !$0.contains(" ") || $0.count < 20 }
        plainNames = Set(words.union(declarations.names).map(Self.plain))
        capitals = Set(
            words.filter { $0.contains(where: \.isUppercase) }.flatMap { $0.split { !Self.isInCapitals($0) } }
                .map(String.init))
    }

    private static func plain(_ name: String) -> String {
        name.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.lowercased()
    }

    private static func isInCapitals(_ character: Character) -> Bool {
        "A"..."Z" ~= character || "0"..."9" ~= character || character == "_"
    }

    struct Problem: CustomStringConvertible {
        let path: String, line: Int, span: String, problem: String
        var description: String { "\(path):\(line): `\(span)`: \(problem)" }
    }

    func problems(of document: Document) -> [Problem] {
        document.spans.filter { !$0.isForeign }.flatMap { span in
            problems(of: span, ownWords: document.ownWords).map {
                Problem(path: document.path, line: span.line, span: span.text, problem: $0)
            }
        }
    }

    func problems(of span: Document.Span, ownWords: Set<String>) -> [String] {
        let text = span.text
        if OtherNames.all.contains(text) { return [] }
        if let isFile = isExistingFile(text, ownWords) {
            return isFile ? [] : ["no such file\(nearest(text, in: paths))"]
        }
        if text.hasPrefix("properties ") { return toolProblems(text) }
        if let option = optionName(text) {
            let isKnown = options.contains(option) || isSpelling(option, ownWords)
            return isKnown ? [] : ["no such option\(nearest(option, in: options))"]
        }
        var names = NamesInSpan(check: self, ownWords: ownWords)
        names.read(span)
        return names.problems
    }

    // MARK: - Files, commands and options

    private static let roots = ["Sources", "Tests", "Fixtures", ".ci", ".github", "Package.swift", "README.md"]

    /// Whether a file exists, or nil if the text is not the name of a file of the repository.
    private func isExistingFile(_ text: String, _ ownWords: Set<String>) -> Bool? {
        let path = text.prefix { $0 != " " }
        let first = path.prefix { $0 != "/" }
        guard path.allSatisfy({ $0.isLetter || $0.isNumber || "/._+-".contains($0) }) else { return nil }
        let isCode = path.hasSuffix(".swift") || path.hasSuffix(".md")
        guard isCode || (Self.roots.contains(String(first)) && path.contains("/")) else { return nil }
        // A file of the package that the reader makes: the code of the document names its folder.
        let folders = path.split(separator: "/").dropFirst()
        if folders.count > 1, let folder = folders.first, ownWords.contains(String(folder)) { return true }
        return pathEnds.contains(String(path))
    }

    private func optionName(_ text: String) -> String? {
        guard text.hasPrefix("--"), text.dropFirst(2).first?.isLetter == true else { return nil }
        return String(text.prefix { $0 != " " && $0 != "=" })
    }

    /// Whether a text is a spelling of a name that the code or a test has, such as the name of a property in the
    /// environment, behind its prefix, or of a path of such names.
    private func isSpelling(_ text: String, _ ownWords: Set<String>) -> Bool {
        let name = text.prefix { $0 != "=" }
        if plainNames.contains(Self.plain(String(name))) { return true }
        let isVariable = name.contains("_") && name.allSatisfy(Self.isInCapitals)
        guard isVariable || name.contains(".") else { return false }
        let parts = name.split { !$0.isLetter && !$0.isNumber }.dropFirst(isVariable && !name.hasPrefix("_") ? 1 : 0)
        if plainNames.contains(Self.plain(parts.joined())) { return true }
        return !parts.isEmpty
            && parts.allSatisfy { part in
                let plain = Self.plain(String(part))
                return part.allSatisfy(\.isNumber) || plainNames.contains(plain) || ownWords.contains(plain)
            }
    }

    private func toolProblems(_ text: String) -> [String] {
        let words = text.split(separator: " ").map(String.init)
        var problems: [String] = []
        if words.count > 1, !words[1].hasPrefix("-"), !commands.contains(words[1]) {
            problems.append("the tool has no command '\(words[1])'\(nearest(words[1], in: commands))")
        }
        for word in words.compactMap(optionName) where !options.contains(word) {
            problems.append("the tool has no option '\(word)'\(nearest(word, in: options))")
        }
        return problems
    }

    // MARK: - Names

    func isType(_ name: String) -> Bool { declarations.types[name]?.isOwn == true }

    func isKnown(_ name: String, _ ownWords: Set<String>) -> Bool {
        if name.count == 1 || name.first?.isNumber == true || ownWords.contains(name) { return true }
        if OtherNames.all.contains(name) || OtherNames.keywords.contains(name) { return true }
        if isType(name) || declarations.names.contains(name) || commands.contains(name) { return true }
        if declarations.labels.contains(name) || pathEnds.contains(name) { return true }
        if name.allSatisfy(Self.isInCapitals) { return capitals.contains(name) || isSpelling(name, ownWords) }
        return name.first?.isUppercase == true ? false : isSpelling(name, ownWords)
    }

    /// Whether a function or case takes these labels, in this order. A name such as `a(b:)` has all parameters that a
    /// call must have. A call may have closures behind it.
    func accepts(_ name: String, _ labels: [String], isName: Bool) -> Bool {
        (declarations.parameters[name] ?? []).contains { parameters in
            var left = labels[...]
            for parameter in parameters {
                if left.first == parameter.label {
                    left.removeFirst()
                } else if isName, !parameter.isOptional {
                    return false
                }
            }
            return left.isEmpty || !isName && left.allSatisfy { $0 == "_" }
        }
    }

    func nearest(_ name: String, in names: some Sequence<String>) -> String {
        Suggestions.nearest(to: name, among: names).map { "; the nearest is `\($0)`" } ?? ""
    }

    func nearestName(_ name: String) -> String {
        nearest(name, in: declarations.names.union(declarations.types.keys).sorted())
    }
}

import Foundation

/// A document or a file of code, with the pieces in backticks that may name something.
struct Document {
    /// Text in backticks, outside blocks of code.
    struct Span {
        let text: String
        let line: Int
        /// Whether it is a link of DocC, in two backticks.
        let isLink: Bool
        /// Whether it stands where the document lists the names of another package.
        let isForeign: Bool
    }

    let path: String
    let spans: [Span]
    /// The words of its blocks of code, or of its code.
    let ownWords: Set<String>

    /// The columns of tables that list the names of another package.
    private static let foreignColumns: Set<String> = [
        "Factory", "Swinject", "swift-configuration", "pwdi", "before", "others", "message", "where",
    ]

    init(markdown text: String, path: String) {
        self.path = path
        var spans: [Span] = [], words: Set<String> = []
        var isCode = false
        var foreign: Set<Int>?
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.drop(while: { $0 == " " }).hasPrefix("```") {
                isCode.toggle()
            } else if isCode {
                words.formUnion(Self.words(of: String(line)))
            } else if line.hasPrefix("|") {
                let cells = Self.cells(of: line)
                if foreign == nil {
                    foreign = Set(cells.indices.filter { Self.foreignColumns.contains(cells[$0]) })
                }
                for (column, cell) in cells.enumerated() {
                    if foreign?.contains(column) == true { words.formUnion(Self.words(of: cell)) }
                    spans += Self.spans(of: cell, line: number + 1, isForeign: foreign?.contains(column) == true)
                }
            } else {
                foreign = nil
                spans += Self.spans(of: String(line), line: number + 1)
            }
        }
        (self.spans, ownWords) = (spans, words)
    }

    /// The comments of a file of code.
    init(code text: SwiftText, path: String) {
        self.path = path
        var isCode = false
        spans = text.tokens.flatMap { token -> [Span] in
            guard token.kind == .comment else { return [] }
            if token.text.drop(while: { $0 == "/" || $0 == " " }).hasPrefix("```") { isCode.toggle() }
            return isCode ? [] : Self.spans(of: token.text, line: token.line)
        }
        ownWords = Set(text.tokens.filter { $0.kind == .word }.map(\.text))
    }

    private static func words(of text: String) -> [String] {
        text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
    }

    private static func cells(of row: some StringProtocol) -> [String] {
        var cells = [""], isCode = false
        for character in row.dropFirst() {
            if character == "`" { isCode.toggle() }
            if character == "|", !isCode { cells.append("") } else { cells[cells.count - 1].append(character) }
        }
        return cells.map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private static func spans(of text: String, line: Int, isForeign: Bool = false) -> [Span] {
        var spans: [Span] = []
        var rest = Substring(text)
        while let start = rest.firstIndex(of: "`") {
            let ticks = rest[start...].prefix { $0 == "`" }
            rest = rest[ticks.endIndex...]
            guard let end = rest.firstRange(of: String(ticks)) else { break }
            let span = String(rest[..<end.lowerBound])
            spans.append(Span(text: span, line: line, isLink: ticks.count == 2, isForeign: isForeign))
            rest = rest[end.upperBound...]
        }
        return spans
    }
}

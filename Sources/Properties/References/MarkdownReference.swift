/// Writes declared keys as a table in Markdown.
enum MarkdownReference {
    static func text(of keys: [DeclaredKey]) -> String {
        guard !keys.isEmpty else { return "" }
        let rows = keys.map { key in
            let cells = [code(key.key.rawValue), text(key.expected), fallback(of: key), text(key.summary ?? "")]
            return "| \(cells.joined(separator: " | ")) |\n"
        }
        return "| key | values | default | description |\n|---|---|---|---|\n" + rows.joined()
    }

    private static func fallback(of key: DeclaredKey) -> String {
        if key.isSecret { return key.isRequired ? "required, secret" : "secret" }
        return key.defaultText.map(code) ?? (key.isRequired ? "required" : "")
    }

    /// Returns text in which nothing ends the cell or begins an HTML tag.
    private static func text(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).map { PrintableText.escaped(String($0)) }.joined(separator: " ")
            .unicodeScalars.reduce(into: "") { result, scalar in
                switch scalar {
                case "|": result += "\\|"
                case "<": result += "&lt;"
                case "&": result += "&amp;"
                default: result.unicodeScalars.append(scalar)
                }
            }
    }

    /// Returns text as a code span (CommonMark, 6.1), whose delimiters are longer than any run of backticks in it.
    private static func code(_ text: String) -> String {
        var longest = 0, run = 0
        for byte in text.utf8 {
            run = byte == .backtick ? run + 1 : 0
            longest = max(longest, run)
        }
        let delimiter = String(repeating: "`", count: longest + 1)
        // A space at each end, which the span does not include, separates backticks, and keeps spaces.
        let needsSpace = longest > 0 || text.utf8.first == .space || text.utf8.last == .space || text.isEmpty
        let space = needsSpace ? " " : ""
        // In tables, the backslash in front of a pipe is removed even in code (GitHub Flavored Markdown, 4.10).
        let content = PrintableText.escaped(text).unicodeScalars.reduce(into: "") {
            if $1 == "|" { $0 += "\\" }
            $0.unicodeScalars.append($1)
        }
        return delimiter + space + content + space + delimiter
    }
}

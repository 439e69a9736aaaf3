// The one place that puts a load error into words.
extension PropertyLoadError: CustomStringConvertible {
    /// One line: `config.toml:12:11: what happened; expected what. What to do.`
    public var description: String {
        PrintableText.escaped("\(origin): \(message)")
    }

    /// The form for a terminal: the message, then the line with a marker under the place.
    ///
    ///     config.toml:12:12: error: the string that starts here has no end; expected `"` before the end of the line
    ///        12 | base_url = "https://api.example.com
    ///           |            ^
    public var longDescription: String {
        report(as: "error")
    }

    /// The long form under another heading, such as "warning".
    package func report(as heading: String) -> String {
        var text = PrintableText.escaped("\(origin): \(heading): \(message)")
        if origin.source.showsLines, let excerpt = Excerpt(origin) { text += "\n\(excerpt)" }
        return text
    }

    private var message: String {
        var text = problem
        if let expected { text += "; expected \(expected)" }
        for note in notes { text += " (\(note.text) \(note.origin))" }
        if let remedy { text += ". \(remedy)." }
        return text
    }
}

extension PropertyLoadError: CustomReflectable {
    /// The description alone: a dump would show what the words are made of.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// A line of a source with a marker under one column.
private struct Excerpt: CustomStringConvertible {
    let description: String

    /// The longest part of a line that is shown, in scalars: a line of a minified file does not flood the terminal.
    private static let width = 100

    init?(_ origin: PropertyOrigin) {
        guard let line = origin.line, let column = origin.column, let offset = origin.offset,
            case .text(let source) = origin.source.places
        else { return nil }
        let text = source.lineText(around: offset, before: Self.width / 2, width: Self.width)
        let shown = Array(text.unicodeScalars)
        // A tab under a tab keeps the marker below its place; other controls would upset the terminal.
        let before = shown.prefix(min(column - 1, Self.width / 2)).map { $0 == "\t" ? "\t" : " " }
        let clean = shown.map { $0 != "\t" && $0.isControl ? "\u{FFFD}" : String($0) }
        let number = String(line)
        let gutter = String(repeating: " ", count: max(0, 5 - number.count))
        let blank = String(repeating: " ", count: max(5, number.count))
        description = "\(gutter)\(number) | \(clean.joined())\n\(blank) | \(before.joined())^"
    }
}

import TextBasics

/// Breaks text into lines for a terminal.
package enum TextWrap {
    /// Returns lines of at most `width` cells, broken at spaces. A longer word has a line of its own.
    package static func lines(_ text: String, width: Int) -> [String] {
        // The spaces at the start stay, because they indent the text.
        let indent = text.prefix { $0 == " " }
        var lines: [String] = []
        var line = String(indent), used = indent.count
        for word in text.dropFirst(indent.count).parts(between: " ") {
            let cells = CellWidth.of(String(word))
            if used + 1 + cells > width, used > indent.count {
                lines.append(line)
                (line, used) = (String(word), cells)
            } else {
                if used > (lines.isEmpty ? indent.count : 0) { (line, used) = (line + " ", used + 1) }
                (line, used) = (line + word, used + cells)
            }
        }
        return lines + [line]
    }

    /// Returns a list of terms with their descriptions in a second column.
    ///
    /// - Parameters:
    ///   - items: the terms and their descriptions.
    ///   - indent: the column at which the descriptions begin.
    ///   - width: the maximum width of a line, in cells.
    /// - Returns: the list, with a line break between two lines.
    package static func list(_ items: [(term: String, text: String)], indent: Int, width: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        return items.flatMap { term, text -> [String] in
            let label = "  " + term
            let wrapped = lines(text, width: width - indent)
            let used = CellWidth.of(label)
            guard used < indent - 1 else { return [label] + wrapped.map { margin + $0 } }
            return [label + margin.dropFirst(used) + wrapped[0]] + wrapped.dropFirst().map { margin + $0 }
        }.joined(separator: "\n")
    }
}

import TextBasics

/// Fits messages to a terminal.
enum FittedText {
    /// The indentation of the further lines of a message, in cells.
    private static let indent = 4

    /// Returns a message whose lines are wrapped, and whose heading is coloured.
    ///
    /// - Parameters:
    ///   - message: the message, which may contain a line of a source with a marker under it, as
    ///     `PropertyLoadError.longDescription` has.
    ///   - terminal: the terminal, or nil for a file or a pipe, for which nothing is changed.
    /// - Returns: the text.
    static func message(_ message: String, on terminal: Terminal?) -> String {
        guard let terminal else { return message }
        let lines = message.parts(between: "\n").map { String($0) }
        var fitted: [String] = [], index = 0
        while index < lines.count {
            if index + 1 < lines.count, let excerpt = Excerpt(lines[index], lines[index + 1]) {
                fitted += excerpt.lines(width: terminal.columns)
                index += 2
            } else {
                fitted += wrapped(lines[index], terminal)
                index += 1
            }
        }
        return fitted.joined(separator: "\n")
    }

    private static func wrapped(_ line: String, _ terminal: Terminal) -> [String] {
        let lines = TextWrap.lines(line, width: terminal.columns)
        let margin = String(repeating: " ", count: indent)
        let others =
            lines.count == 1
            ? [] : TextWrap.lines(lines.dropFirst().joined(separator: " "), width: terminal.columns - indent)
        return [colored(lines[0], terminal)] + others.map { margin + $0 }
    }

    private static func colored(_ line: String, _ terminal: Terminal) -> String {
        for (heading, style) in [("error:", Terminal.Style.red), ("warning:", .yellow)] {
            // The first one, since the text after it may contain the word, too.
            for place in line.utf8.indices where line[place...].utf8.starts(with: heading.utf8) {
                let isWord = place == line.startIndex || line[..<place].utf8.last == UInt8(ascii: " ")
                guard isWord else { continue }
                let rest = line[line.utf8.index(place, offsetBy: heading.utf8.count)...]
                return line[..<place] + terminal.styled(heading, style) + rest
            }
        }
        return line
    }
}

/// A line of a source with a marker under one of its characters.
private struct Excerpt {
    /// What is in front of the text: the number of the line and a bar.
    private let gutter: String
    private let blankGutter: String
    private let characters: [Character]
    /// The index of the marked character.
    private let marked: Int

    /// Creates an excerpt from two lines of a message. Returns nil if they are something else.
    init?(_ line: String, _ marker: String) {
        let bar = " | "
        guard let end = line.end(of: bar), let markerEnd = marker.end(of: bar),
            marker.utf8.last == UInt8(ascii: "^"),
            marker.unicodeScalars.allSatisfy({ [" ", "\t", "|", "^"].contains($0) })
        else { return nil }
        gutter = String(line[..<end])
        blankGutter = String(marker[..<markerEnd])
        let text = line[end...].unicodeScalars
        // The marker is under a scalar; a scalar inside a character marks the character.
        let before = String(text.prefix(marker[markerEnd...].unicodeScalars.count - 1))
        marked = before.count
        characters = Array(String(text).map { $0 == "\t" ? " " : $0 })
    }

    /// Returns both lines with at most `width` cells. If the text is too long, the part around the marker is shown.
    func lines(width: Int) -> [String] {
        let room = max(width - CellWidth.of(gutter), 8)
        var first = 0
        while CellWidth.of(String(characters[first..<min(marked, characters.count)])) > room * 3 / 4 { first += 1 }
        var used = 0
        let shown = characters[first...].prefix { character in
            used += CellWidth.of(character)
            return used <= room
        }
        let gap = CellWidth.of(String(characters[first..<min(marked, characters.count)]))
        return [gutter + String(shown), blankGutter + String(repeating: " ", count: gap) + "^"]
    }
}

extension String {
    /// Returns the index after the first occurrence of a text, or nil if there is none.
    fileprivate func end(of text: String) -> Index? {
        utf8.indices.first { self[$0...].utf8.starts(with: text.utf8) }.map {
            utf8.index($0, offsetBy: text.utf8.count)
        }
    }
}

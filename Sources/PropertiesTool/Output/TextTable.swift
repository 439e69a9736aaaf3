import TextBasics

/// Rows of text in aligned columns.
///
/// On a terminal the table is as wide as the terminal at most: a cell wraps at spaces to up to three lines, and an
/// ellipsis replaces what does not fit. In a file or a pipe nothing is left out.
package struct TextTable {
    /// The maximum width to which columns are aligned in a file, in cells. It is limited because the widest cell
    /// determines the width of its column in all rows; a wider cell moves the others of its row to the right.
    package static let widestColumn = 100
    /// The maximum number of lines of a cell on a terminal.
    private static let linesPerCell = 3

    private struct Row {
        let cells: [String]
        let style: Terminal.Style?
    }

    private var rows: [Row]

    /// Creates a table without rows.
    ///
    /// - Parameter header: a title for each column.
    package init(_ header: String...) {
        rows = [Row(cells: header, style: .bold)]
    }

    /// Adds a row. Cells after the last column are omitted.
    ///
    /// - Parameters:
    ///   - cells: the texts of the row.
    ///   - style: the style of the row on a terminal.
    package mutating func add(_ cells: String..., style: Terminal.Style? = nil) {
        rows.append(Row(cells: cells.map(PrintableText.escaped), style: style))
    }

    /// Returns the header, a rule, and the rows. Two spaces separate the columns, and no line ends with spaces.
    ///
    /// - Parameter terminal: the terminal to fit, or nil for a file or a pipe.
    /// - Returns: the lines, with a line break between two of them.
    package func text(on terminal: Terminal?) -> String {
        let columns = rows[0].cells.indices
        let natural = columns.map { column in rows.map { width($0, column, limit: terminal?.columns) }.max() ?? 0 }
        let widths = terminal.map { Self.fitted(natural, to: $0.columns) } ?? natural
        let rule = Row(cells: widths.map { String(repeating: "─", count: $0) }, style: nil)
        let all = ([rows[0], rule] + rows.dropFirst()).flatMap { row in
            lines(of: row, widths, fits: terminal != nil).map { terminal?.styled($0, row.style) ?? $0 }
        }
        return all.joined(separator: "\n")
    }

    /// The number of bytes for each cell from which on a text is treated as too wide without being measured. No text in
    /// use has that many combining marks.
    private static let bytesPerCell = 16

    /// Returns the width that a row needs in a column. The result is at most `limit`, the width of the terminal.
    private func width(_ row: Row, _ column: Int, limit: Int?) -> Int {
        guard column < row.cells.count else { return 0 }
        let cell = row.cells[column]
        let isLong = cell.utf8.count > (limit ?? Self.widestColumn) * Self.bytesPerCell
        let width = isLong ? .max : CellWidth.of(cell)
        if let limit { return min(width, limit) }
        // In a file, a cell that is too wide does not widen its column.
        return width <= Self.widestColumn ? width : 0
    }

    /// Returns the widths of columns that fit into a number of cells. The widest columns become narrower first.
    private static func fitted(_ natural: [Int], to columns: Int) -> [Int] {
        var widths = natural
        var rest = columns - 2 * (natural.count - 1)
        for (position, column) in natural.indices.sorted(by: { natural[$0] < natural[$1] }).enumerated() {
            widths[column] = max(1, min(natural[column], rest / (natural.count - position)))
            rest -= widths[column]
        }
        return widths
    }

    private func lines(of row: Row, _ widths: [Int], fits: Bool) -> [String] {
        let cells = widths.enumerated().map { column, width -> [String] in
            let cell = column < row.cells.count ? row.cells[column] : ""
            return fits ? Self.wrapped(cell, width) : [cell]
        }
        let height = cells.map(\.count).max() ?? 1
        return (0..<height).map { line in
            Self.joined(cells.map { line < $0.count ? $0[line] : "" }, widths)
        }
    }

    private static func joined(_ cells: [String], _ widths: [Int]) -> String {
        let last = cells.lastIndex { !$0.isEmpty } ?? 0
        var line = ""
        for (column, cell) in cells.prefix(last + 1).enumerated() {
            line += cell
            let gap = widths[column] - (column < last ? CellWidth.of(cell) : 0)
            if column < last { line += String(repeating: " ", count: max(gap, 0) + 2) }
        }
        return line
    }
}

// MARK: - Cells on a terminal

extension TextTable {
    private static func wrapped(_ cell: String, _ width: Int) -> [String] {
        guard cell.utf8.contains(UInt8(ascii: " ")) else { return [clipped(cell, width)] }
        // Only the first lines are shown, so the rest of a very long text is not wrapped.
        let limit = width * (linesPerCell + 1) * bytesPerCell
        let isLong = cell.utf8.count > limit
        let lines = TextWrap.lines(isLong ? String(cell.unicodeScalars.prefix(limit)) : cell, width: width)
        let shown = lines.prefix(linesPerCell).map { clipped($0, width) }
        guard lines.count > linesPerCell || isLong, let last = shown.last else { return shown }
        return shown.dropLast() + [start(of: last, width - 1) + "…"]
    }

    /// Replaces the middle of a text that is wider than `width` cells by an ellipsis. The end stays, because a name
    /// ends with its key, and an origin with its line and column.
    private static func clipped(_ text: String, _ width: Int) -> String {
        let limit = width * bytesPerCell
        let isLong = text.utf8.count > 2 * limit
        if !isLong, CellWidth.of(text) <= width { return text }
        // Without this, a character with megabytes of combining marks would be taken as a whole.
        let scalars = text.unicodeScalars
        let head = isLong ? String(scalars.prefix(limit)) : text, tail = isLong ? String(scalars.suffix(limit)) : text
        let end = end(of: tail, (width - 1) / 2)
        return start(of: head, width - 1 - CellWidth.of(end)) + "…" + end
    }

    /// Returns the longest beginning of a text that is at most `width` cells wide.
    private static func start(of text: String, _ width: Int) -> String {
        var used = 0
        return String(
            text.prefix { character in
                used += CellWidth.of(character)
                return used <= width
            })
    }

    /// Returns the longest end of a text that is at most `width` cells wide.
    private static func end(of text: String, _ width: Int) -> String {
        var used = 0
        let characters = text.reversed().prefix { character in
            used += CellWidth.of(character)
            return used <= width
        }
        return String(text.suffix(characters.count))
    }
}

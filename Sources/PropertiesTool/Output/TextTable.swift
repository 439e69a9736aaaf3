import TextBasics

/// Rows of text in aligned columns.
struct TextTable {
    /// A longer cell does not widen its column, and on a terminal a longer value is cut.
    private static let widestColumn = 60

    private var rows: [(cells: [String], style: Terminal.Style?)]

    /// Creates a table without rows.
    ///
    /// - Parameter header: a title for each column.
    init(_ header: String...) { rows = [(header, .bold)] }

    /// Adds a row.
    ///
    /// - Parameters:
    ///   - cells: the texts of the row, one for each column.
    ///   - style: the style of the row on a terminal.
    mutating func add(_ cells: String..., style: Terminal.Style? = nil) {
        rows.append((cells.map(PrintableText.escaped), style))
    }

    /// Returns the header, a rule, and the rows. Two spaces separate the columns, and no line ends with spaces.
    ///
    /// - Parameter isCut: whether values, the cells of the second column, are cut after 60 characters. Names and origins
    ///   never are.
    /// - Returns: the lines, with a line break between two of them.
    func text(isCut: Bool) -> String {
        let rows = rows.map { row in
            (cells: row.cells.enumerated().map { isCut && $0 == 1 ? PrintableText.clipped($1) : $1 }, style: row.style)
        }
        let widths = rows[0].cells.indices.map { column in
            // The ellipsis of a cut value is one more character.
            rows.map { $0.cells[column].count }.filter { $0 <= Self.widestColumn + 1 }.max() ?? 0
        }
        let rule = Self.line(widths.map { String(repeating: "─", count: $0) }, widths)
        let lines = rows.map { Terminal.output.styled(Self.line($0.cells, widths), $0.style) }
        return ([lines[0], rule] + lines.dropFirst()).joined(separator: "\n")
    }

    private static func line(_ cells: [String], _ widths: [Int]) -> String {
        let padded = zip(cells, widths).map { $0 + String(repeating: " ", count: max(0, $1 - $0.count)) }
        return (padded.dropLast() + cells.suffix(1)).joined(separator: "  ")
    }
}

import TextBasics

/// Rows of text in aligned columns.
struct TextTable {
    /// The maximum width of a column in characters. A longer cell does not widen its column.
    private static let widestColumn = 60

    private var rows: [[String]]

    /// Creates a table without rows.
    ///
    /// - Parameter header: a title for each column.
    init(_ header: String...) { rows = [header] }

    /// Adds a row. Control characters are escaped, and nothing is masked.
    ///
    /// - Parameter cells: the texts of the row, one for each column.
    mutating func add(_ cells: String...) { rows.append(cells.map(PrintableText.controlsEscaped)) }

    /// The header, a rule, and the rows, each on a line. Two spaces separate the columns, and no line ends with spaces.
    var text: String {
        let widths = rows[0].indices.map { column in
            rows.map { $0[column].count }.filter { $0 <= Self.widestColumn }.max() ?? 0
        }
        let rule = Self.line(widths.map { String(repeating: "─", count: $0) }, widths)
        let lines = rows.map { Self.line($0, widths) }
        return ([lines[0], rule] + lines.dropFirst()).joined(separator: "\n")
    }

    private static func line(_ cells: [String], _ widths: [Int]) -> String {
        let padded = zip(cells, widths).map { $0 + String(repeating: " ", count: max(0, $1 - $0.count)) }
        return (padded.dropLast() + cells.suffix(1)).joined(separator: "  ")
    }
}

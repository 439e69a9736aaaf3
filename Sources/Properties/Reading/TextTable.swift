/// Rows of text in aligned columns, for a terminal.
package struct TextTable: CustomStringConvertible {
    private var rows: [[String]]

    /// Begins a table.
    ///
    /// - Parameter header: a title for each column.
    package init(_ header: String...) {
        rows = [header]
    }

    /// Adds a row. Cells beyond the last column are left out.
    package mutating func add(_ cells: String...) {
        rows.append(cells)
    }

    /// The header, a rule, and the rows; two spaces between columns, no spaces at line ends.
    package var description: String {
        let columns = rows[0].indices
        let widths = columns.map { column in rows.map { cell($0, column).count }.max() ?? 0 }
        let rule = widths.map { String(repeating: "─", count: $0) }
        return ([rows[0], rule] + rows.dropFirst()).map { line($0, widths) }.joined(separator: "\n")
    }

    private func line(_ row: [String], _ widths: [Int]) -> String {
        var line = ""
        for (column, width) in widths.enumerated() {
            let text = cell(row, column)
            line += text + String(repeating: " ", count: width - text.count + 2)
        }
        while line.last == " " { line.removeLast() }
        return line
    }

    // A line break in a cell would break the table, and other control characters the terminal.
    private func cell(_ row: [String], _ column: Int) -> String {
        column < row.count ? ValueText.printable(String(row[column].map { $0.isNewline ? " " : $0 })) : ""
    }
}

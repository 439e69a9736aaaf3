import TextBasics

/// Rows of text in aligned columns, for a terminal.
package struct TextTable: CustomStringConvertible {
    /// The maximum width of a cell, in Unicode scalars. It is limited because the widest cell determines the width of
    /// its column in all rows.
    package static let widestCell = 100

    private var rows: [[String]]

    /// Creates a table without rows.
    ///
    /// - Parameter header: a title for each column.
    package init(_ header: String...) {
        rows = [header]
    }

    /// Adds a row. Cells after the last column are omitted. If a cell is too wide, an ellipsis replaces its middle.
    package mutating func add(_ cells: String...) {
        // Clipped before escaping, so that a very long text costs little, and after it, because escapes are longer than
        // the characters that they replace.
        rows.append(cells.map { Self.clipped(PrintableText.escaped(Self.clipped($0))) })
    }

    /// The header, a rule, and the rows. Two spaces separate the columns, and no line ends with spaces.
    package var description: String {
        let columns = rows[0].indices
        let widths = columns.map { column in rows.map { cell($0, column).count }.max() ?? 0 }
        let rule = widths.map { String(repeating: "─", count: $0) }
        return ([rows[0], rule] + rows.dropFirst()).map { line($0, widths) }.joined(separator: "\n")
    }

    private func line(_ row: [String], _ widths: [Int]) -> String {
        let last = row.indices.last { $0 < widths.count && !row[$0].isEmpty } ?? 0
        var line = ""
        for (column, width) in widths.enumerated().prefix(last + 1) {
            let text = cell(row, column)
            line += text
            if column < last { line += String(repeating: " ", count: width - text.count + 2) }
        }
        return line
    }

    private func cell(_ row: [String], _ column: Int) -> String { column < row.count ? row[column] : "" }

    // Removes the middle, because the end is important: a name ends with its key, and an origin with its line and
    // column.
    private static func clipped(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: widestCell, limitedBy: scalars.endIndex),
            end != scalars.endIndex
        else { return text }
        let half = (widestCell - 1) / 2
        return String(scalars.prefix(widestCell - 1 - half)) + "…" + String(scalars.suffix(half))
    }
}

import TextBasics

/// A parser of a whole document.
protocol SyntaxParser: ~Copyable {
    /// Parses the whole source.
    ///
    /// - Returns: the errors in the order of the source, or an empty array if the source is valid.
    mutating func parse() -> [Diagnostic]

    /// Consumes the parser after `parse` and returns the document. The source must be valid.
    ///
    /// - Parameters:
    ///   - name: the name of the source in messages.
    ///   - source: the source, from which lines and columns are computed.
    /// - Returns: the document.
    consuming func finish(_ name: String, _ source: SourceText) -> SyntaxDocument
}

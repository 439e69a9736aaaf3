import TextBasics

/// A parser of a whole document.
protocol SyntaxParser: ~Copyable, SendableMetatype {
    /// The position of the parser. After an error, it is where the parser stopped.
    var cursor: Cursor { get }

    /// Parses the whole source.
    mutating func parse() throws(Diagnostic)

    /// Consumes the parser after `parse` and returns the document.
    ///
    /// - Parameters:
    ///   - name: the name of the source in messages.
    ///   - source: the source, from which lines and columns are computed.
    /// - Returns: the document.
    consuming func finish(_ name: String, _ source: SourceText) -> SyntaxDocument
}

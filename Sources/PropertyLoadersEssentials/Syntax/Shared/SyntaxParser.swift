import Properties

/// The formats that are parsed here.
enum SyntaxFormat {
    case json, toml
}

/// What both parsers are: a cursor that moves on while a document grows.
protocol SyntaxParser: ~Copyable {
    static var format: SyntaxFormat { get }
    var cursor: Cursor { get }
    var limits: SyntaxLimits { get }

    /// Parses the whole source.
    mutating func parse() throws(SyntaxFault)

    /// What it has made of the source.
    consuming func finish() -> SyntaxDocument
}

extension SyntaxTree {
    /// Parses a source.
    ///
    /// - Parameter makeParser: makes the parser that reads it.
    /// - Throws: what is wrong with the source, in words.
    init<Parser: SyntaxParser & ~Copyable>(
        _ content: FileSource.Content, _ makeParser: (Cursor) -> Parser
    ) throws(PropertyLoadError) {
        var parsed: SyntaxDocument?
        var fault: SyntaxFault?
        var limits = SyntaxLimits()
        let bytes = Cursor.read(content.bytes) { cursor in
            var parser = makeParser(cursor)
            do throws(SyntaxFault) { try parser.parse() } catch { fault = error }
            limits = parser.limits
            let end = parser.cursor.textEnd
            parsed = parser.finish()
            return end
        }
        let source = content.source(text: SourceText(bytes: bytes, count: content.bytes.count))
        guard fault == nil, var document = parsed else {
            let fault = fault ?? SyntaxFault(.emptyDocument, at: 0)
            throw FaultText(
                fault: fault, format: Parser.format, source: source, bytes: content.bytes, limits: limits
            ).error
        }
        document.bytes = bytes
        self.init(document: document, source: source)
    }
}

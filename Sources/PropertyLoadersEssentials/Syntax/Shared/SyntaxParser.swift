import Properties

/// The formats that are parsed here.
enum SyntaxFormat {
    case json, toml
}

/// What both parsers are: a cursor that moves on while a document grows.
protocol SyntaxParser {
    static var format: SyntaxFormat { get }
    var cursor: Cursor { get }
    var document: SyntaxDocument { get }
    var limits: SyntaxLimits { get }

    /// Parses the whole source.
    mutating func parse() throws(SyntaxFault)
}

extension SyntaxTree {
    /// Parses a source.
    ///
    /// - Parameter makeParser: makes the parser that reads it.
    /// - Throws: what is wrong with the source, in words.
    init<Parser: SyntaxParser>(
        _ content: FileSource.Content, _ makeParser: (Cursor) -> Parser
    ) throws(PropertyLoadError) {
        var document = SyntaxDocument(count: 0)
        var fault: SyntaxFault?
        var limits = SyntaxLimits()
        let bytes = Cursor.read(content.bytes) { cursor in
            var parser = makeParser(cursor)
            do throws(SyntaxFault) { try parser.parse() } catch { fault = error }
            document = parser.document
            limits = parser.limits
            return parser.cursor.textEnd
        }
        let source = content.source(text: SourceText(bytes: bytes, count: content.bytes.count))
        if let fault {
            let text = FaultText(
                fault: fault, format: Parser.format, source: source, bytes: content.bytes, limits: limits)
            throw text.error
        }
        document.bytes = bytes
        self.init(document: document, source: source)
    }
}

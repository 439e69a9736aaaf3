import Properties

/// The formats that are parsed here.
enum SyntaxFormat {
    case json, toml
}

/// What both parsers are: a cursor that moves on while a document grows.
protocol SyntaxParser: ~Copyable {
    static var format: SyntaxFormat { get }
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
        _ content: FileSource.Content, _ makeParser: (consuming SourceBuffer) -> Parser
    ) throws(PropertyLoadError) {
        let source = content.source(text: SourceText(bytes: content.bytes))
        var parser = makeParser(SourceBuffer(content.bytes))
        do {
            try parser.parse()
        } catch {
            throw FaultText(
                fault: error, format: Parser.format, source: source, bytes: content.bytes, limits: parser.limits
            ).error
        }
        self.init(document: parser.finish(), source: source)
    }
}

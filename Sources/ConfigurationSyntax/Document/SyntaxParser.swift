import TextBasics

/// What both parsers are: a cursor that moves on while a document grows.
protocol SyntaxParser: ~Copyable {
    static var format: SyntaxFormat { get }

    /// Parses the whole source.
    mutating func parse() throws(SyntaxFault)

    /// What it has made of the source.
    ///
    /// - Parameters:
    ///   - name: what messages call the source.
    ///   - source: its text, for lines and columns.
    consuming func finish(_ name: String, _ source: SourceText) -> SyntaxDocument
}

extension SyntaxDocument {
    /// Parses a text.
    ///
    /// - Parameters:
    ///   - name: what messages call it.
    ///   - makeParser: makes the parser of its format.
    /// - Throws: the first error of the text.
    static func parse<Parser: SyntaxParser & ~Copyable>(
        _ bytes: [UInt8], name: String, limits: SyntaxLimits, _ makeParser: (consuming SourceBuffer) -> Parser
    ) throws(SyntaxError) -> SyntaxDocument {
        let source = SourceText(bytes: bytes)
        guard bytes.count <= limits.bytes else {
            throw SyntaxError(tooLarge: source, name: name, limit: limits.bytes)
        }
        var parser = makeParser(SourceBuffer(bytes))
        do {
            try parser.parse()
        } catch {
            throw FaultText(
                fault: error, format: Parser.format, name: name, source: source, bytes: bytes, limits: limits
            ).error
        }
        return parser.finish(name, source)
    }
}

import TextBasics

/// What both parsers are: a cursor that moves on while a document grows.
protocol SyntaxParser: ~Copyable {
    /// Parses the whole source.
    mutating func parse() throws(Diagnostic)

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
        do throws(Diagnostic) {
            guard bytes.count <= limits.bytes else { throw limits.tooLarge(bytes.count) }
            try checkEncoding(bytes)
            var parser = makeParser(SourceBuffer(bytes))
            try parser.parse()
            return parser.finish(name, source)
        } catch {
            throw SyntaxError(error, name: name, source: source)
        }
    }

    // The whole source is checked before it is parsed, so that no grammar rule has to.
    private static func checkEncoding(_ bytes: [UInt8]) throws(Diagnostic) {
        if UTF8Text.isUTF16(bytes) {
            throw Diagnostic("the text is in UTF-16", at: 0, expected: "UTF-8", remedy: "Save the file in UTF-8")
        }
        if let place = UTF8Text.firstInvalidByte(in: bytes) {
            throw Diagnostic(
                "the byte 0x\(Cursor.hexadecimal(bytes[place], digits: 2)) is no UTF-8 here", at: place,
                expected: "text in UTF-8", remedy: "Save the file in UTF-8")
        }
    }
}

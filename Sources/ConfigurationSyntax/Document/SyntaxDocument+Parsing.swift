import TextBasics

extension SyntaxDocument {
    /// Parses a text into a document.
    ///
    /// - Parameters:
    ///   - bytes: the text in UTF-8.
    ///   - name: the name of the text in messages.
    ///   - limits: the maximum depth and size.
    ///   - makeParser: creates the parser of the format.
    /// - Returns: the document.
    /// - Throws: the first error in the text, with the others as `furtherErrors`.
    static func parse<Parser: SyntaxParser & ~Copyable>(
        _ bytes: [UInt8], name: String, limits: SyntaxLimits, _ makeParser: (consuming SourceBuffer) -> Parser
    ) throws(SyntaxError) -> SyntaxDocument {
        let source = SourceText(bytes: bytes)
        do throws(Diagnostic) {
            guard bytes.count <= limits.bytes else { throw limits.tooLarge(bytes.count) }
            try checkEncoding(bytes)
        } catch {
            throw SyntaxError(error, name: name, source: source)
        }
        var parser = makeParser(SourceBuffer(bytes))
        let errors = parser.parse()
        guard let first = errors.first else { return parser.finish(name, source) }
        let further = errors.dropFirst().map { SyntaxError($0, name: name, source: source) }
        throw SyntaxError(first, name: name, source: source, furtherErrors: further)
    }

    // Checks the encoding of the whole text before parsing, so that the parsers can rely on valid UTF-8.
    private static func checkEncoding(_ bytes: [UInt8]) throws(Diagnostic) {
        if UTF8Text.isUTF16(bytes) {
            throw Diagnostic("the text is in UTF-16", at: 0, expected: "UTF-8", remedy: "Save the file as UTF-8")
        }
        if let offset = UTF8Text.firstInvalidByte(in: bytes) {
            throw Diagnostic(
                "the byte 0x\(Cursor.hexadecimal(bytes[offset], digits: 2)) is not valid UTF-8", at: offset,
                expected: "text in UTF-8", remedy: "Save the file as UTF-8")
        }
    }
}

public import TextBasics

/// An error in the text of a document: its place, the problem, the expected text, and the remedy.
public struct SyntaxError: Error, Sendable {
    /// A kind of failure. More may be added, so a `switch` needs a `default`.
    public struct Reason: Hashable, Sendable, CustomStringConvertible {
        /// The name of the kind.
        public let description: String
        private init(_ description: String) { self.description = description }

        /// The text breaks a rule of its grammar.
        public static let syntax = Reason("syntax")
        /// A key or a table is defined twice.
        public static let duplicate = Reason("duplicate")
        /// A number is out of the range of the 64-bit types of the format.
        public static let unsupported = Reason("unsupported")
        /// The text exceeds the limit of its size or of its depth.
        public static let limit = Reason("limit")
    }

    /// The diagnostic of the parser, which also knows which of its texts quote the document.
    package let diagnostic: Diagnostic
    /// The name of the text in messages, such as the path of its file.
    public let name: String
    /// The text, from which lines and columns are computed.
    public let source: SourceText
    /// The errors after this error, in the order of the text: at most 19, and a last error if there may be more.
    ///
    /// After an error in TOML, the parser continues at the next line that begins a statement. JSON has only one error.
    public let furtherErrors: [SyntaxError]

    init(_ diagnostic: Diagnostic, name: String, source: SourceText, furtherErrors: [SyntaxError] = []) {
        self.diagnostic = diagnostic
        self.name = name
        self.source = source
        self.furtherErrors = furtherErrors
    }
}

extension SyntaxError {
    /// The kind of failure.
    public var reason: Reason {
        switch diagnostic.kind {
        case .syntax, .unrecoverable: .syntax
        case .duplicate: .duplicate
        case .unsupported: .unsupported
        case .limit: .limit
        }
    }

    /// The byte offset of the error.
    public var offset: Int { diagnostic.offset ?? 0 }

    /// The problem, as a clause without a full stop.
    public var problem: String { diagnostic.problem.text }

    /// The expected text, as a noun phrase, or nil.
    public var expected: String? { diagnostic.expected?.text }

    /// The remedy, as a sentence without its full stop, or nil.
    public var remedy: String? { diagnostic.remedy?.text }

    /// A note about a second position in the text, such as the first of two duplicate keys; nil if there is none. The
    /// position, a byte offset, follows the text, such as "opened at".
    public var note: (text: String, offset: Int)? { diagnostic.note }

    /// The line, from 1.
    public var line: Int { source.lineAndColumn(at: offset).line }

    /// The column in Unicode scalars, from 1.
    public var column: Int { source.lineAndColumn(at: offset).column }
}

extension SyntaxError: CustomStringConvertible, CustomReflectable {
    /// The error on one line: `config.toml:12:11: problem; expected this. Remedy.`
    public var description: String {
        var text = "\(place(offset)): \(problem)"
        if let expected { text += "; expected \(expected)" }
        if let note { text += " (\(note.text) \(place(note.offset)))" }
        if let remedy { text += ". \(remedy)." }
        return PrintableText.escaped(text)
    }

    /// A mirror that contains only the description, since a dump would print the whole source otherwise.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }

    private func place(_ offset: Int) -> String {
        let (line, column) = source.lineAndColumn(at: offset)
        return "\(name):\(line):\(column)"
    }
}

/// An error that a parser throws: a byte offset and the parts of a message.
///
/// The parser does not know the name of its source. The caller does, and makes a public error of the diagnostic.
// A class, so that a throwing function returns one pointer: parsers recurse, and the depth limits rest on small frames.
package final class Diagnostic: Error, Sendable {
    /// The kinds of errors that public errors distinguish.
    package enum Kind: Sendable { case syntax, duplicate, unsupported, limit }

    /// The kind of error.
    package let kind: Kind
    /// The byte offset, or nil if the error is about the document as a whole.
    package let offset: Int?
    /// What is wrong: a clause without a full stop.
    package let problem: String
    /// What was expected instead, as a noun phrase, or nil.
    package let expected: String?
    /// What to do: a sentence without its full stop, or nil.
    package let remedy: String?
    /// A second place and what is there ("opened at"), or nil.
    package let note: (text: String, offset: Int)?

    /// Creates a diagnostic. It is never inlined, which keeps the parsers' hot loops small.
    @inline(never)
    package init(
        _ problem: String, at offset: Int?, expected: String? = nil, remedy: String? = nil,
        note: (text: String, offset: Int)? = nil, kind: Kind = .syntax
    ) {
        self.problem = problem
        self.offset = offset
        self.expected = expected
        self.remedy = remedy
        self.note = note
        self.kind = kind
    }
}

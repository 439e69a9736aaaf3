/// An error at a place of a text, thrown by a parser that does not know what the text is called.
///
/// The words are written where the error is thrown. Whoever knows the name of the source makes a public error of it.
// A class: a function that can throw one returns a pointer, so the recursion of a parser takes little of the stack.
package final class Diagnostic: Error, Sendable {
    /// The kinds of errors that public errors tell apart.
    package enum Kind: Sendable { case syntax, duplicate, unsupported, limit }

    /// What kind of error it is.
    package let kind: Kind
    /// The byte offset, or nil where the error is about the document as a whole.
    package let offset: Int?
    /// What is wrong: a clause without a full stop.
    package let problem: String
    /// What was expected instead, as a noun phrase, or nil.
    package let expected: String?
    /// What to do: a sentence without its full stop, or nil.
    package let remedy: String?
    /// A second place that the error is about, and what is there, or nil.
    package let note: (text: String, offset: Int)?

    /// Makes an error. Never inlined, so that a parser's hot loops stay small.
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

/// An error that a parser throws: a byte offset and the parts of a message.
///
/// A parser does not know the name of its source. Its caller does, and converts the diagnostic to a public error.
// A class, so that the error is a single pointer. This keeps the stack frames of the recursive parsers small, which
// their depth limits rely on.
package final class Diagnostic: Error, Sendable {
    /// The kinds of diagnostics. Each becomes a reason of a public error.
    package enum Kind: Sendable {
        case syntax, duplicate, unsupported, limit
        /// A syntax error after which it is unknown where the next statement begins, such as text in another format.
        case unrecoverable
    }

    /// The kind of error.
    package let kind: Kind
    /// The byte offset, or nil if the error is about the document as a whole.
    package let offset: Int?
    /// The problem, as a clause without a full stop.
    package let problem: MessageText
    /// The expected text, as a noun phrase, or nil.
    package let expected: MessageText?
    /// The remedy, as a sentence without its full stop, or nil.
    package let remedy: MessageText?
    /// A note about a second position, such as "opened at" and the offset of a bracket; nil if there is none.
    package let note: (text: String, offset: Int)?

    /// Creates a diagnostic. The initializer is never inlined, to keep the hot loops of the parsers small.
    @inline(never)
    package init(
        _ problem: MessageText, at offset: Int?, expected: MessageText? = nil, remedy: MessageText? = nil,
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

extension Diagnostic {
    /// Returns the last error of a text that has more errors than `ListLimit.errors`.
    package static func moreErrors(at offset: Int?) -> Diagnostic {
        Diagnostic(
            "there may be more errors from here on", at: offset,
            remedy: "Correct the errors before this place, and check the text again", kind: .limit)
    }
}

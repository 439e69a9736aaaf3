/// A source that could not be loaded: what happened, where, what was expected, what to do.
///
/// The error of a secret source holds no text of it. What the words cite of a source, they put in quotes (`'`, `"` or a
/// backtick); a number may stand without. Where the source is secret, words that cite something are left out.
public struct PropertyLoadError: Error, Sendable {
    /// What kind of failure it is. More may come, so a `switch` needs a `default`.
    public struct Reason: Hashable, Sendable, CustomStringConvertible {
        /// The failure in a word or two.
        public let description: String
        private init(_ description: String) { self.description = description }

        /// The file is not there.
        public static let notFound = Reason("not found")
        /// The file is there and cannot be read.
        public static let unreadable = Reason("unreadable")
        /// The source cannot be read now, for a reason that may go away by itself; a watcher tries again.
        public static let unavailable = Reason("unavailable")
        /// A secret can be read by more users than need it.
        public static let exposed = Reason("exposed")
        /// The text breaks the rules of its format.
        public static let syntax = Reason("syntax")
        /// The document has a value at its top that is no table.
        public static let notATable = Reason("not a table")
        /// One name is defined twice.
        public static let duplicate = Reason("duplicate")
        /// A name may mean more than one name of the other sources.
        public static let ambiguous = Reason("ambiguous")
        /// A table stands over another source's plain value, or the reverse.
        public static let kindChange = Reason("kind change")
        /// A value has a type, or a size, that a property cannot have.
        public static let unsupported = Reason("unsupported")
        /// The source is larger or deeper than its limit.
        public static let limit = Reason("limit")
        /// A placeholder leads to nothing.
        public static let unresolved = Reason("unresolved")
        /// A Swift value holds itself, or placeholders go in a circle.
        public static let cycle = Reason("cycle")
    }

    /// A second place that the failure is about.
    public struct Note: Sendable {
        /// Where it is.
        public let origin: PropertyOrigin
        /// What is there: "first defined here".
        public let text: String

        /// Makes a note.
        public init(_ text: String, at origin: PropertyOrigin) {
            self.origin = origin
            self.text = text
        }
    }

    /// What kind of failure it is.
    public let reason: Reason
    /// Where it happened.
    public let origin: PropertyOrigin
    /// What happened: a clause with no full stop.
    public let problem: String
    /// What was expected there instead, or nil: "an integer".
    public let expected: String?
    /// What to do: a sentence without its full stop, or nil.
    public let remedy: String?
    /// The other places that it is about.
    public let notes: [Note]

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - reason: what kind of failure it is.
    ///   - problem: what happened, as a clause with no full stop.
    ///   - origin: where it happened.
    ///   - expected: what was expected instead, as a noun.
    ///   - remedy: what to do, as a sentence without its full stop.
    ///   - notes: the other places that it is about.
    public init(
        _ reason: Reason, _ problem: String, at origin: PropertyOrigin, expected: String? = nil, remedy: String? = nil,
        notes: [Note] = []
    ) {
        self.init(
            reason, problem, at: origin, expected: expected, remedy: remedy, notes: notes, citation: .unknown)
    }

    /// Whether the words cite values of the source.
    package enum Citation: Sendable {
        /// Nobody knows; the reason decides.
        case unknown
        /// They may.
        case words
        /// They do not.
        case nothing
    }

    let citation: Citation

    /// Makes an error whose words are known to cite the source, or not to.
    package init(
        _ reason: Reason, _ problem: String, at origin: PropertyOrigin, expected: String? = nil, remedy: String? = nil,
        notes: [Note] = [], citation: Citation
    ) {
        self.reason = reason
        self.origin = origin
        self.citation = citation
        guard origin.source.isSecret, citation == .words || citation == .unknown && reason.isAboutValues else {
            self.problem = problem
            self.expected = expected
            self.remedy = remedy
            self.notes = notes
            return
        }
        let mayCite = { (text: String) in citation == .words || Self.cites(text) }
        self.problem = mayCite(problem) ? "what stands here cannot be read; it is secret" : problem
        self.expected = expected.flatMap { mayCite($0) ? nil : $0 }
        self.remedy = remedy.flatMap { mayCite($0) ? nil : $0 }
        // Where a note leads may be a text of the source too: the path of a file in a placeholder.
        self.notes = citation == .words ? [] : notes.map { Self.cites($0.text) ? Note("see", at: $0.origin) : $0 }
    }

    // The plus sign is that of a code point, U+FEFF.
    private static func cites(_ text: String) -> Bool {
        text.unicodeScalars.contains { "'\"`+".unicodeScalars.contains($0) || $0.properties.numericType != nil }
    }
}

extension PropertyLoadError.Reason {
    /// Whether words about such a failure are likely to cite values; those about the others cite names alone.
    fileprivate var isAboutValues: Bool { [.syntax, .unsupported, .unresolved, .cycle].contains(self) }
}

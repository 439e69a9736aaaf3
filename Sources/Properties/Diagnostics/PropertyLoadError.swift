package import TextBasics

/// An error about a source that could not be loaded: the problem, its place, the expected text and the remedy.
///
/// An error about a secret source contains no text of the source. An error of a loader of your own does not know which
/// of its texts quote the source. So all of them are left out if the reason is about values: `syntax`, `unsupported`,
/// `unresolved` or `cycle`. For the other reasons, texts may quote names only.
public struct PropertyLoadError: Error, Sendable {
    /// The kind of a failure. Later versions may add kinds, so a `switch` needs a `default`.
    public struct Reason: Hashable, Sendable, CustomStringConvertible {
        /// The kind in a few words.
        public let description: String
        private init(_ description: String) { self.description = description }

        /// The file does not exist.
        public static let notFound = Reason("not found")
        /// The file exists and cannot be read, for example because the user may not read it. A watcher tries again.
        public static let unreadable = Reason("unreadable")
        /// The source cannot be read at the moment, for a reason that may be temporary. A watcher tries again.
        public static let unavailable = Reason("unavailable")
        /// A file or a directory that had properties has none at a reload.
        public static let emptied = Reason("emptied")
        /// Every user of the machine can change the file.
        public static let unprotected = Reason("unprotected")
        /// The text breaks the rules of its format.
        public static let syntax = Reason("syntax")
        /// The value at the top of the document is not a table.
        public static let notATable = Reason("not a table")
        /// A name is defined twice.
        public static let duplicate = Reason("duplicate")
        /// A relaxed name, such as the name of an environment variable, matches several names of other sources.
        public static let ambiguous = Reason("ambiguous")
        /// A source has the former name of a setting.
        public static let renamed = Reason("renamed")
        /// Values were left out because they are probably not settings, such as the service links of Kubernetes.
        public static let ignored = Reason("ignored")
        /// A variable or a mounted file has white space at an end of its text, which may not be meant.
        public static let whiteSpace = Reason("white space")
        /// A variable or a mounted file has quotation marks around its text, which may not be meant.
        public static let quotationMarks = Reason("quotation marks")
        /// The value has a type or a size that is not supported.
        public static let unsupported = Reason("unsupported")
        /// The source is larger or deeper than its limit.
        public static let limit = Reason("limit")
        /// A placeholder refers to something that does not exist.
        public static let unresolved = Reason("unresolved")
        /// A Swift value contains itself, or placeholders refer to each other in a cycle.
        public static let cycle = Reason("cycle")
    }

    /// A note about a second place, such as the first of two definitions of a name.
    public struct Note: Sendable {
        /// The place.
        public let origin: PropertyOrigin
        /// The note itself, such as "first defined here".
        public let text: String

        /// Creates a note.
        ///
        /// - Parameters:
        ///   - text: the note itself.
        ///   - origin: the place.
        public init(_ text: String, at origin: PropertyOrigin) {
            (self.origin, self.text) = (origin, text)
        }
    }

    // Stored on the heap to keep the error small: each function that throws it reserves space for one, and copies it.
    private let details: Details

    /// The kind of failure.
    public var reason: Reason { details.parts.reason }
    /// Where it happened.
    public var origin: PropertyOrigin { details.parts.origin }
    /// The problem, as a clause without a full stop.
    public var problem: String { details.parts.problem.text }
    /// The expected text, such as "an integer", or nil.
    public var expected: String? { details.parts.expected?.text }
    /// The remedy, as a sentence without its full stop; nil if there is none.
    public var remedy: String? { details.parts.remedy?.text }
    /// Notes about other places that are part of the failure.
    public var notes: [Note] { details.parts.notes }
    /// The errors after this error in the same text: at most 19, and a last error if there may be more.
    ///
    /// Only TOML and `.env` have further errors. `ConfigurationErrors` reports them, too; the description of this error
    /// does not contain them.
    public var furtherErrors: [PropertyLoadError] { details.parts.furtherErrors }

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - reason: the kind of failure.
    ///   - problem: the problem, as a clause without a full stop.
    ///   - origin: where it happened.
    ///   - expected: the expected text, as a noun.
    ///   - remedy: the remedy, as a sentence without its full stop.
    ///   - notes: notes about other places that are part of the failure.
    public init(
        _ reason: Reason, _ problem: String, at origin: PropertyOrigin, expected: String? = nil, remedy: String? = nil,
        notes: [Note] = []
    ) {
        self.init(
            reason, problem, at: origin, expected: expected, remedy: remedy, notes: notes,
            quotes: reason.isAboutValues)
    }

    /// Creates an error that knows whether its texts and the places of its notes may quote values of the source. If the
    /// source is secret, the error has none of them.
    package init(
        _ reason: Reason, _ problem: String, at origin: PropertyOrigin, expected: String? = nil, remedy: String? = nil,
        notes: [Note] = [], quotes: Bool
    ) {
        self.init(
            Parts(
                reason: reason, origin: origin, problem: MessageText(problem, quotes: quotes),
                expected: expected.map { MessageText($0, quotes: quotes) },
                remedy: remedy.map { MessageText($0, quotes: quotes) }, notes: notes, notesQuote: quotes))
    }

    /// Creates the error of a source from the diagnostic of a parser.
    ///
    /// A source that is not text, such as a binary property list, has no lines. The message contains the byte offset.
    package init(_ diagnostic: Diagnostic, in source: PropertySource) {
        let isText = if case .text = source.places { true } else { false }
        func origin(_ offset: Int?) -> PropertyOrigin {
            guard isText, let offset else { return PropertyOrigin(source: source) }
            return PropertyOrigin(source, at: offset)
        }
        let reasons: [Diagnostic.Kind: Reason] = [.duplicate: .duplicate, .unsupported: .unsupported, .limit: .limit]
        let reason = reasons[diagnostic.kind] ?? .syntax
        func text(_ text: MessageText) -> MessageText {
            MessageText(text.text, quotes: text.quotes && reason.isAboutValues)
        }
        let place = isText ? "" : diagnostic.offset.map { " at byte \($0)" } ?? ""
        let problem = MessageText(diagnostic.problem.text + place, quotes: diagnostic.problem.quotes)
        self.init(
            Parts(
                reason: reason, origin: origin(diagnostic.offset), problem: text(problem),
                expected: diagnostic.expected.map(text), remedy: diagnostic.remedy.map(text),
                notes: diagnostic.note.map { [Note($0.text, at: origin($0.offset))] } ?? []))
    }

    // Every error is created here, so that none quotes a secret source, or text that may be secret: which names are
    // declared as secret is not known while a text is parsed.
    private init(_ parts: Parts) {
        let isHidden = parts.origin.source.isSecret || parts.reason.isAboutSyntax && parts.origin.mayShowSecret
        details = Details(isHidden ? parts.withoutQuotes : parts)
    }

    /// The name of a property that a placeholder refers to and that is missing, or nil.
    var missingName: String? { details.parts.missingName }

    /// Adds the name of the property that is missing.
    func missing(_ name: String?) -> PropertyLoadError { changed { $0.missingName = name } }

    private func changed(_ change: (inout Parts) -> Void) -> PropertyLoadError {
        var parts = details.parts
        change(&parts)
        return PropertyLoadError(parts)
    }

    private struct Parts: Sendable {
        let reason: Reason
        var origin: PropertyOrigin
        var problem: MessageText
        var expected: MessageText?
        var remedy: MessageText?
        var notes: [Note]
        /// Whether the notes may quote the source. Their places may, too, such as the path of a file in a placeholder.
        var notesQuote = false
        var furtherErrors: [PropertyLoadError] = []
        var missingName: String?

        /// The parts without the texts that quote the source.
        var withoutQuotes: Parts {
            var parts = self
            if problem.quotes { parts.problem = "what stands here cannot be read; it is secret" }
            if expected?.quotes == true { parts.expected = nil }
            if remedy?.quotes == true { parts.remedy = nil }
            if notesQuote { parts.notes = [] }
            parts.missingName = nil
            return parts
        }
    }

    private final class Details: Sendable {
        let parts: Parts
        init(_ parts: Parts) { self.parts = parts }
    }
}

extension PropertyLoadError.Reason {
    /// Whether the failure is in the text of a source.
    fileprivate var isAboutSyntax: Bool { self == .syntax || self == .unsupported }

    /// Whether messages about this kind of failure are likely to quote values. Messages about other failures quote only
    /// names.
    fileprivate var isAboutValues: Bool { [.syntax, .unsupported, .unresolved, .cycle].contains(self) }
}

extension PropertyLoadError: DescriptionOnly {
    /// One line: `config.toml:12:11: problem; expected this. Remedy.`
    public var description: String {
        PrintableText.escaped("\(origin): \(message)")
    }

    /// The description for a terminal: the message, then the line with a marker under the place.
    ///
    ///     config.toml:12:12: error: the string that starts here has no end; expected `"` before the end of the line
    ///        12 | base_url = "https://api.example.com
    ///           |            ^
    public var longDescription: String { report(as: "error") }

    /// Returns the long description with another heading than "error", such as "warning".
    package func report(as heading: String) -> String {
        var text = PrintableText.escaped("\(origin): \(heading): \(message)")
        if origin.isInShownLine, let offset = origin.offset,
            case .text(let source) = origin.source.places
        {
            text += "\n\(source.markedLine(at: offset))"
        }
        return text
    }

    private var message: String {
        var text = problem
        if let expected { text += "; expected \(expected)" }
        for note in notes { text += " (\(note.text) \(note.origin))" }
        if let remedy { text += remedy.ends(with: "?") ? ". \(remedy)" : ". \(remedy)." }
        return text
    }
}

extension PropertyOrigin {
    /// Whether the place is in a line of a text that messages may show.
    var isInShownLine: Bool { source.disclosure == .lines && offset != nil && !mayShowSecret }

    /// Whether the line of the place may show a secret.
    var mayShowSecret: Bool {
        guard let offset, case .text(let text) = source.places else { return false }
        return text.mayShowSecret(at: offset)
    }
}

// MARK: - Copies with other origins

extension PropertyLoadError {
    /// Returns the error with its sources marked as secret, and without any text of them.
    package func redacted() -> PropertyLoadError {
        var marker = SecretMarker(outer: origin.source)
        return redacted(by: &marker)
    }

    /// Returns the error with the secret copies of its sources that a marker creates, and without any text of them.
    func redacted(by marker: inout SecretMarker) -> PropertyLoadError { moved { marker.origin($0) } }

    /// Returns the error with the same messages, but without the lines of its sources.
    func withoutLines() -> PropertyLoadError { moved { $0.limited(to: .values) } }

    /// Returns the error with the given source instead of an unknown one. The source of a layer may become known only
    /// after the error is created.
    func known(in source: PropertySource?) -> PropertyLoadError { moved { $0.known(in: source) } }

    private func moved(_ place: (PropertyOrigin) -> PropertyOrigin) -> PropertyLoadError {
        changed { parts in
            parts.origin = place(parts.origin)
            parts.notes = parts.notes.map { Note($0.text, at: place($0.origin)) }
            parts.furtherErrors = parts.furtherErrors.map { $0.moved(place) }
        }
    }
}

// MARK: - Further errors

extension PropertyLoadError {
    /// Returns the error with the errors after it in the same text.
    package func followed(by furtherErrors: [PropertyLoadError]) -> PropertyLoadError {
        changed { $0.furtherErrors = furtherErrors }
    }

    /// The error without its further errors, and the further errors.
    var parts: [PropertyLoadError] { [followed(by: [])] + furtherErrors }
}

// MARK: - Lists

extension BoundedList<PropertyLoadError> {
    /// Returns the warnings and, if some were left out, one more warning with their number.
    ///
    /// - Parameter source: the source of the additional warning; by default the source of the last warning.
    /// - Returns: the warnings.
    package func warnings(about source: PropertySource? = nil) -> [PropertyLoadError] {
        guard rest > 0, let last = elements.last else { return elements }
        let others = rest == 1 ? "there is 1 more warning" : "there are \(rest.grouped) more warnings"
        return elements + [
            PropertyLoadError(
                last.reason, "\(others) of this kind", at: PropertyOrigin(source: source ?? last.origin.source))
        ]
    }
}

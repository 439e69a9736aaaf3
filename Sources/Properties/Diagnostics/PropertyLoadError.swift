package import TextBasics

/// A source that could not be loaded: what happened, where, what was expected, what to do.
///
/// The error of a secret source contains no text of the source. Messages put what they quote of a source in quotes
/// (`'`, `"` or backticks), but for numbers. If the source is secret, messages that quote something are left out.
public struct PropertyLoadError: Error, Sendable {
    /// What kind of failure it is. More may come, so a `switch` needs a `default`.
    public struct Reason: Hashable, Sendable, CustomStringConvertible {
        /// The failure in a word or two.
        public let description: String
        private init(_ description: String) { self.description = description }

        /// The file does not exist.
        public static let notFound = Reason("not found")
        /// The file exists and cannot be read.
        public static let unreadable = Reason("unreadable")
        /// The source cannot be read now, for a reason that may pass; a watcher tries again.
        public static let unavailable = Reason("unavailable")
        /// A secret can be read by more users than need it.
        public static let exposed = Reason("exposed")
        /// The text breaks the rules of its format.
        public static let syntax = Reason("syntax")
        /// The value at the top of the document is not a table.
        public static let notATable = Reason("not a table")
        /// A name is defined twice.
        public static let duplicate = Reason("duplicate")
        /// A name may mean more than one name of the other sources.
        public static let ambiguous = Reason("ambiguous")
        /// A table replaces another source's plain value, or the reverse.
        public static let kindChange = Reason("kind change")
        /// The value has a type or a size that is not supported.
        public static let unsupported = Reason("unsupported")
        /// The source is larger or deeper than its limit.
        public static let limit = Reason("limit")
        /// A placeholder refers to something that does not exist.
        public static let unresolved = Reason("unresolved")
        /// A Swift value contains itself, or placeholders refer to each other in a circle.
        public static let cycle = Reason("cycle")
    }

    /// Another place that the failure is about.
    public struct Note: Sendable {
        /// The place.
        public let origin: PropertyOrigin
        /// What is at the place: "first defined here".
        public let text: String

        /// Makes a note.
        ///
        /// - Parameters:
        ///   - text: what is at the place.
        ///   - origin: the place.
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
    /// The other places that the failure is about.
    public let notes: [Note]

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - reason: what kind of failure it is.
    ///   - problem: what happened, as a clause with no full stop.
    ///   - origin: where it happened.
    ///   - expected: what was expected instead, as a noun.
    ///   - remedy: what to do, as a sentence without its full stop.
    ///   - notes: the other places that the failure is about.
    public init(
        _ reason: Reason, _ problem: String, at origin: PropertyOrigin, expected: String? = nil, remedy: String? = nil,
        notes: [Note] = []
    ) {
        self.init(
            reason, problem, at: origin, expected: expected, remedy: remedy, notes: notes, citation: .unknown)
    }

    /// Whether the messages quote values of the source.
    package enum Citation: Sendable {
        /// Not known: the reason of the failure decides.
        case unknown
        /// They may do so.
        case words
        /// They never do so.
        case nothing
    }

    let citation: Citation

    /// Makes an error of which it is known whether its messages quote the source.
    package init(
        _ reason: Reason, _ problem: String, at origin: PropertyOrigin, expected: String? = nil, remedy: String? = nil,
        notes: [Note] = [], citation: Citation
    ) {
        self.reason = reason
        self.origin = origin
        self.citation = citation
        let isRedacted =
            origin.source.isSecret && (citation == .words || citation == .unknown && reason.isAboutValues)
        let mayCite = { (text: String) in isRedacted && (citation == .words || Self.cites(text)) }
        self.problem = mayCite(problem) ? "what stands here cannot be read; it is secret" : problem
        self.expected = expected.flatMap { mayCite($0) ? nil : $0 }
        self.remedy = remedy.flatMap { mayCite($0) ? nil : $0 }
        // The origin of a note may be text of the source too, such as the path of a file in a placeholder.
        let hidesNotes = isRedacted && citation == .words
        self.notes = hidesNotes ? [] : notes.map { mayCite($0.text) ? Note("see", at: $0.origin) : $0 }
    }

    // The plus sign is part of code points such as U+FEFF.
    private static func cites(_ text: String) -> Bool {
        text.unicodeScalars.contains { "'\"`+".unicodeScalars.contains($0) || $0.properties.numericType != nil }
    }
}

extension PropertyLoadError.Reason {
    /// Whether messages about such a failure are likely to quote values. Those about others quote names alone.
    fileprivate var isAboutValues: Bool { [.syntax, .unsupported, .unresolved, .cycle].contains(self) }
}

extension PropertyLoadError: CustomStringConvertible {
    /// One line: `config.toml:12:11: what happened; expected what. What to do.`
    public var description: String {
        PrintableText.escaped("\(origin): \(message)")
    }

    /// The form for a terminal: the message, then the line with a marker under the place.
    ///
    ///     config.toml:12:12: error: the string that starts here has no end; expected `"` before the end of the line
    ///        12 | base_url = "https://api.example.com
    ///           |            ^
    public var longDescription: String {
        report(as: "error")
    }

    /// The long form with another heading, such as "warning".
    package func report(as heading: String) -> String {
        var text = PrintableText.escaped("\(origin): \(heading): \(message)")
        if origin.source.showsLines, let excerpt = Excerpt(origin) { text += "\n\(excerpt)" }
        return text
    }

    private var message: String {
        var text = problem
        if let expected { text += "; expected \(expected)" }
        for note in notes { text += " (\(note.text) \(note.origin))" }
        if let remedy { text += ". \(remedy)." }
        return text
    }
}

extension PropertyLoadError: CustomReflectable {
    /// The description alone: a dump of the stored properties would show the parts of the messages.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// A line of a source with a marker under one column.
private struct Excerpt: CustomStringConvertible {
    let description: String

    /// How much of a line is shown, in scalars, so that a minified file does not flood the terminal.
    private static let width = 100

    init?(_ origin: PropertyOrigin) {
        guard let line = origin.line, let column = origin.column, let offset = origin.offset,
            case .text(let source) = origin.source.places
        else { return nil }
        let text = source.lineText(around: offset, before: Self.width / 2, width: Self.width)
        let shown = Array(text.unicodeScalars)
        // A tab below a tab keeps the marker under its column. Other control characters could act on the terminal.
        let before = shown.prefix(min(column - 1, Self.width / 2)).map { $0 == "\t" ? "\t" : " " }
        let clean = shown.map { $0 != "\t" && $0.isControl ? "\u{FFFD}" : String($0) }
        let number = String(line)
        let gutter = String(repeating: " ", count: max(0, 5 - number.count))
        let blank = String(repeating: " ", count: max(5, number.count))
        description = "\(gutter)\(number) | \(clean.joined())\n\(blank) | \(before.joined())^"
    }
}

// MARK: - Other origins

extension PropertyLoadError {
    /// The error with secret sources, without any text of them.
    package func redacted() -> PropertyLoadError {
        var marker = SecretMarker(outer: origin.source)
        return redacted(by: &marker)
    }

    /// The error with the secret copies of its sources, without any text of them.
    func redacted(by marker: inout SecretMarker) -> PropertyLoadError { moved { marker.origin($0) } }

    /// The error with the same messages, without the lines of its sources.
    func withoutLines() -> PropertyLoadError { moved { $0.withoutLines } }

    /// The error about a layer that had no source when it was made.
    func known(in source: PropertySource?) -> PropertyLoadError { moved { $0.known(in: source) } }

    private func moved(_ place: (PropertyOrigin) -> PropertyOrigin) -> PropertyLoadError {
        PropertyLoadError(
            reason, problem, at: place(origin), expected: expected, remedy: remedy,
            notes: notes.map { Note($0.text, at: place($0.origin)) }, citation: citation)
    }
}

// MARK: - Lists

extension BoundedList<PropertyLoadError> {
    /// The warnings and, if some were left out, one more with their number.
    ///
    /// - Parameter source: the source of all of them; by default that of the last one.
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

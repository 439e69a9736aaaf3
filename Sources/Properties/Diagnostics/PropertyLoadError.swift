package import TextBasics

/// An error about a source that could not be loaded: what happened, where, what was expected, and what to do.
///
/// An error about a secret source contains no text of the source. Messages show text of a source only inside quotes
/// (`'`, `"` or backticks) or as a number. For a secret source, a message with quotes or numbers is replaced or left
/// out.
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
        /// A loosely spelled name, such as that of an environment variable, matches several names of other sources.
        public static let ambiguous = Reason("ambiguous")
        /// Values were left out because they are probably not settings, such as the service links of Kubernetes.
        public static let ignored = Reason("ignored")
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
        /// What is at the place, such as "first defined here".
        public let text: String

        /// Creates a note.
        ///
        /// - Parameters:
        ///   - text: what is at the place.
        ///   - origin: the place.
        public init(_ text: String, at origin: PropertyOrigin) {
            self.origin = origin
            self.text = text
        }
    }

    // Stored on the heap to keep the error small: each function that throws it reserves space for one, and copies it.
    private let details: Details

    /// The kind of failure.
    public var reason: Reason { details.parts.reason }
    /// Where it happened.
    public var origin: PropertyOrigin { details.parts.origin }
    /// What happened, as a clause without a full stop.
    public var problem: String { details.parts.problem }
    /// What was expected instead, such as "an integer", or nil.
    public var expected: String? { details.parts.expected }
    /// What to do, as a sentence without its full stop; nil if there is no advice.
    public var remedy: String? { details.parts.remedy }
    /// Notes about other places that are part of the failure.
    public var notes: [Note] { details.parts.notes }
    /// The errors after this one in the same text; at most 19, and one more that says that there may be others.
    ///
    /// Only TOML and `.env` have further errors. `ConfigurationErrors` reports them, too; the description of this error
    /// does not contain them.
    public var furtherErrors: [PropertyLoadError] { details.parts.furtherErrors }

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - reason: the kind of failure.
    ///   - problem: what happened, as a clause without a full stop.
    ///   - origin: where it happened.
    ///   - expected: what was expected instead, as a noun.
    ///   - remedy: what to do, as a sentence without its full stop.
    ///   - notes: notes about other places that are part of the failure.
    public init(
        _ reason: Reason, _ problem: String, at origin: PropertyOrigin, expected: String? = nil, remedy: String? = nil,
        notes: [Note] = []
    ) {
        self.init(
            reason, problem, at: origin, expected: expected, remedy: remedy, notes: notes, citation: .unknown)
    }

    /// Whether the messages of an error quote values of the source.
    package enum Citation: Sendable {
        /// Not known. The reason of the failure decides whether messages with quotes are redacted.
        case unknown
        /// The messages may quote values. All of them are redacted if the source is secret.
        case words
        /// The messages never quote values and are not redacted.
        case nothing
    }

    private var citation: Citation { details.parts.citation }

    /// Creates an error and states whether its messages quote values of the source.
    package init(
        _ reason: Reason, _ problem: String, at origin: PropertyOrigin, expected: String? = nil, remedy: String? = nil,
        notes: [Note] = [], citation: Citation
    ) {
        let isRedacted =
            origin.source.isSecret && (citation == .words || citation == .unknown && reason.isAboutValues)
        let mayCite = { (text: String) in isRedacted && (citation == .words || Self.cites(text)) }
        // The place of a note may come from the text of the source too, such as the path of a file in a placeholder.
        let hidesNotes = isRedacted && citation == .words
        details = Details(
            Parts(
                reason: reason, origin: origin,
                problem: mayCite(problem) ? "what stands here cannot be read; it is secret" : problem,
                expected: expected.flatMap { mayCite($0) ? nil : $0 },
                remedy: remedy.flatMap { mayCite($0) ? nil : $0 },
                notes: hidesNotes ? [] : notes.map { mayCite($0.text) ? Note("see", at: $0.origin) : $0 },
                citation: citation))
    }

    private init(_ parts: Parts) { details = Details(parts) }

    /// The name of a property that a placeholder refers to and that is missing, or nil.
    var missingName: String? { details.parts.missingName }

    /// Adds the name of the property that is missing.
    func missing(_ name: String?) -> PropertyLoadError {
        var parts = details.parts
        parts.missingName = name
        return PropertyLoadError(parts)
    }

    private struct Parts: Sendable {
        let reason: Reason
        let origin: PropertyOrigin
        let problem: String
        let expected: String?
        let remedy: String?
        let notes: [Note]
        let citation: Citation
        var furtherErrors: [PropertyLoadError] = []
        var missingName: String?
    }

    private final class Details: Sendable {
        let parts: Parts
        init(_ parts: Parts) { self.parts = parts }
    }

    // Whether a text contains a quote or a number. The plus sign is part of code points such as U+FEFF.
    private static func cites(_ text: String) -> Bool {
        text.unicodeScalars.contains { "'\"`+".unicodeScalars.contains($0) || $0.properties.numericType != nil }
    }
}

extension PropertyLoadError.Reason {
    /// Whether messages about such a failure are likely to quote values. Messages about other failures quote only
    /// names.
    fileprivate var isAboutValues: Bool { [.syntax, .unsupported, .unresolved, .cycle].contains(self) }
}

extension PropertyLoadError: CustomStringConvertible {
    /// One line: `config.toml:12:11: what happened; expected what. What to do.`
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
    /// Contains only the description, because a dump of the stored properties would show text of the source.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// A line of a source with a marker under one column.
private struct Excerpt: CustomStringConvertible {
    let description: String

    /// The maximum number of scalars of a line that are shown, so that a minified file does not flood the terminal.
    private static let width = 100

    init?(_ origin: PropertyOrigin) {
        guard let line = origin.line, let column = origin.column, let offset = origin.offset,
            case .text(let source) = origin.source.places
        else { return nil }
        let text = source.lineText(around: offset, before: Self.width / 2, width: Self.width)
        let shown = Array(text.unicodeScalars)
        // A tab under each tab keeps the marker in its column. Other control characters are replaced, because they
        // could act on the terminal.
        let before = shown.prefix(min(column - 1, Self.width / 2)).map { $0 == "\t" ? "\t" : " " }
        let clean = shown.map { $0 != "\t" && $0.isControl ? "\u{FFFD}" : String($0) }
        let number = String(line)
        let gutter = String(repeating: " ", count: max(0, 5 - number.count))
        let blank = String(repeating: " ", count: max(5, number.count))
        description = "\(gutter)\(number) | \(clean.joined())\n\(blank) | \(before.joined())^"
    }
}

// MARK: - Copies with other origins

extension PropertyLoadError {
    /// Returns the error with its sources marked as secret, and without any text of them.
    package func redacted() -> PropertyLoadError {
        var marker = SecretMarker(outer: origin.source)
        let error = redacted(by: &marker)
        return error.followed(by: furtherErrors.map { $0.redacted() })
    }

    /// Returns the error with the secret copies of its sources that a marker creates, and without any text of them.
    func redacted(by marker: inout SecretMarker) -> PropertyLoadError { moved { marker.origin($0) } }

    /// Returns the error with the same messages, but without the lines of its sources.
    func withoutLines() -> PropertyLoadError { moved { $0.withoutLines } }

    /// Returns the error with the given source instead of an unknown one. The source of a layer may become known only
    /// after the error is created.
    func known(in source: PropertySource?) -> PropertyLoadError { moved { $0.known(in: source) } }

    private func moved(_ place: (PropertyOrigin) -> PropertyOrigin) -> PropertyLoadError {
        PropertyLoadError(
            reason, problem, at: place(origin), expected: expected, remedy: remedy,
            notes: notes.map { Note($0.text, at: place($0.origin)) }, citation: citation
        ).missing(missingName)
    }
}

// MARK: - Further errors

extension PropertyLoadError {
    /// Returns the error with the errors after it in the same text.
    package func followed(by furtherErrors: [PropertyLoadError]) -> PropertyLoadError {
        var parts = details.parts
        parts.furtherErrors = furtherErrors
        return PropertyLoadError(parts)
    }

    /// The error without its further ones, and these.
    var parts: [PropertyLoadError] { [followed(by: [])] + furtherErrors }
}

// MARK: - Lists

extension BoundedList<PropertyLoadError> {
    /// Returns the warnings and, if some were left out, one more warning with the number of those.
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

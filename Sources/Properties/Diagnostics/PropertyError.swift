/// A property that could not be read as what was asked for.
public struct PropertyError: Error, Sendable {
    /// What kind of failure it is. More may come, so a `switch` needs a `default`.
    public struct Reason: Hashable, Sendable, CustomStringConvertible {
        /// The failure in a word or two.
        public let description: String
        private init(_ description: String) { self.description = description }

        /// No source has the name, or a null masks it.
        public static let missing = Reason("missing")
        /// The value is of another type.
        public static let wrongType = Reason("wrong type")
        /// The value is of the type's kind, and the type cannot hold it exactly.
        public static let outOfRange = Reason("out of range")
        /// The value is none of the cases that the type has.
        public static let notACase = Reason("not one of the cases")
        /// The value is text that the type cannot be made of.
        public static let notParsable = Reason("not parsable")
        /// The value is of the type, and the key's check or the type itself refuses it.
        public static let refused = Reason("refused")
        /// The value exceeds a limit, such as that for nesting.
        public static let limit = Reason("limit")
        /// A source has a key that nobody reads.
        public static let unknownKey = Reason("unknown key")
        /// The sources contradict each other since a declaration or a change of the parent: see the error's `cause`.
        public static let conflict = Reason("conflict")
    }

    /// What kind of failure it is.
    public let reason: Reason
    /// The flat name: what was asked for and, inside a table or an array, the path to the value that is wrong, such as
    /// `servers[2].port`. It is empty if the error is about all properties together.
    public let name: String
    /// What was expected, as a noun: "an integer".
    public let expected: String
    /// What to do: a sentence without its full stop, or nil.
    public let remedy: String?
    /// Whether the value is masked in the description.
    public let isSecret: Bool
    /// Why the sources contradict each other, if that is the reason: a placeholder whose property is gone.
    public let cause: PropertyLoadError?

    /// Whether the error is about all properties together.
    let isAboutAll: Bool
    /// The value, or nil if the name is missing.
    let node: PropertyNode?
    private let ownOrigin: PropertyOrigin?
    /// The error of a type's own `init(from:)`, as text.
    private let complaint: String?
    /// For a key that nobody reads, the names that would have been read.
    private let candidates: Candidates?
    private let history: any PropertyHistory

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - reason: what kind of failure it is.
    ///   - name: the flat name, or nil for all properties.
    ///   - origin: the place of the value, or of the table that lacks it.
    ///   - node: the value, or nil if there is none.
    ///   - expected: what was expected, as a noun.
    ///   - remedy: what to do, as a sentence without its full stop.
    ///   - complaint: the error of a type's own `init(from:)`, as text.
    ///   - isSecret: whether the value is masked.
    ///   - cause: why the sources contradict each other.
    ///   - candidates: for a key that nobody reads, the names that would have been read.
    ///   - history: the state in which the property was read.
    init(
        _ reason: Reason, _ name: String?, at origin: PropertyOrigin?, node: PropertyNode? = nil, expected: String,
        remedy: String? = nil, complaint: String? = nil, isSecret: Bool = false, cause: PropertyLoadError? = nil,
        candidates: Candidates? = nil, in history: any PropertyHistory
    ) {
        self.reason = reason
        self.name = name ?? ""
        isAboutAll = name == nil
        ownOrigin = origin
        self.node = node
        self.expected = expected
        self.remedy = remedy
        self.complaint = complaint
        self.isSecret = isSecret
        self.cause = cause
        self.candidates = candidates
        self.history = history
    }
}

/// What an error asks about its property when its text is needed.
///
/// Each answer may take time proportional to the size of the sources. Most errors are caught without being shown, so
/// they keep the state that can answer, and not the answers.
protocol PropertyHistory: Sendable {
    /// The values that the sources have for a name, the latest first.
    func history(of key: PropertyKey) -> [PropertyEntry]
    /// What removed a name that a source had; nil if the name has a value or no source had it.
    func removal(of key: PropertyKey) -> PropertyEntry?
    /// The existing name nearest to one that does not exist, or nil if none is near.
    func nearestName(to name: String) -> String?
    /// The place of the value of an existing name.
    func origin(of key: PropertyKey) -> PropertyOrigin?
}

/// The names from which a suggestion is made when an error is shown: there may be very many errors, of which few are
/// shown.
struct Candidates {
    /// The name that the source has.
    let written: String
    /// The names that may be suggested, shared by all errors of one check.
    let names: [String]

    var nearest: String? { Suggestions.nearest(to: written, among: names) }
}

// MARK: - What is found when asked for

extension PropertyError {
    /// The place of the value, of what replaced it in a later source, or of the table that lacks it; nil where there is
    /// none of these.
    public var origin: PropertyOrigin? { removal?.node.origin ?? ownOrigin }

    /// The nearest existing name, for a name that is missing; for a key that nobody reads, the nearest that is read.
    public var suggestion: String? {
        if let candidates { return candidates.nearest }
        guard reason == .missing, node == nil, removal == nil else { return nil }
        return history.nearestName(to: name)
    }

    /// The values that this value overrode, the latest first.
    public var overrode: [PropertyEntry] {
        // A value that was read by a secret key is secret, and so are the earlier ones, whether or not the store knows.
        history.history(of: PropertyKey(name)).dropFirst().map { isSecret ? $0.masked : $0 }
    }

    /// What removed the value that an earlier source had.
    private var removal: PropertyEntry? {
        guard reason == .missing, node == nil, !isAboutAll else { return nil }
        return history.removal(of: PropertyKey(name))
    }
}

// MARK: - Text

extension PropertyError: CustomStringConvertible, CustomReflectable {
    /// One line: `config.toml:12:11: 'api.timeout' is the string "30"; expected an integer. Remove the quotes.`
    ///
    /// The text of an untyped source, such as the environment, is not shown: such sources hold secrets more often than
    /// not.
    public var description: String { PrintableText.escaped(message) }

    /// The description alone: a dump would show all values of the store.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }

    private var message: String {
        if let cause { return cause.description }
        let place = origin.map { "\($0): " } ?? ""
        let subject = place + (isAboutAll ? "the root" : "'\(name)'")
        if reason == .unknownKey { return "\(subject) is not a key that is read.\(advice)" }
        guard let node else { return "\(subject) is missing\(missing)" }
        var text = "\(subject) is \(text(of: node)); expected \(expected)"
        if let complaint { text += " (\(complaint))" }
        if let overridden { text += " (it overrides \(overridden))" }
        if let remedy { text += ". \(remedy)" }
        return text.ends(with: "?") ? text : text + "."
    }

    private var missing: String {
        guard let removal else { return "; expected \(expected).\(advice)" }
        let was = overridden.map { " (it was \($0))" } ?? ""
        let how = removal.node.isNull ? "null" : "replaced"
        return ", since '\(removal.name)' is \(how) here\(was); expected \(expected). Set it here too."
    }

    private var advice: String {
        guard let suggestion else { return "" }
        let place = reason == .missing ? history.origin(of: PropertyKey(suggestion)) : nil
        return " Did you mean '\(suggestion)'\(place.map { " (\($0))" } ?? "")?"
    }

    private func text(of node: PropertyNode) -> String {
        if isSecret, !node.isNull { return "\(ValueText.noun(of: node.value)) that is secret" }
        if node.isUntyped { return "a text that may be secret" }
        return ValueText.described(node.value)
    }

    private var overridden: String? {
        overrode.first.map { entry in
            "\(entry.node.isUntyped && !entry.isSecret ? "a text" : entry.valueText) at \(entry.node.origin)"
        }
    }
}

// MARK: - Several errors

/// All that is wrong with what was asked for, found at once.
public struct PropertyErrors: Error, Sendable {
    /// The problems, in the order in which they were found; at least one.
    public let problems: [PropertyError]
}

extension PropertyErrors: CustomStringConvertible {
    /// One line for each problem, up to twenty, and how many more there are.
    public var description: String {
        // Only those shown are described: finding the nearest name of one takes a comparison with all names.
        let shown = BoundedList(problems, limit: ListLimit.lines)
        let rest = shown.rest == 0 ? [] : ["There are \(shown.rest.grouped) more problems."]
        return (shown.elements.map(\.description) + rest).joined(separator: "\n")
    }
}

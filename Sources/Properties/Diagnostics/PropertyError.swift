/// An error about a property that could not be read as the requested type.
///
/// A conversion, such as `init(property:)` of a type, throws an error about the value that it does not accept. The
/// store adds the name, the origin and the overridden values.
public struct PropertyError: Error, Sendable {
    /// The kind of a failure. Later versions may add kinds, so a `switch` needs a `default`.
    public struct Reason: Hashable, Sendable, CustomStringConvertible {
        /// The kind in a few words.
        public let description: String
        private init(_ description: String) { self.description = description }

        /// No source has the name, or a null hides it.
        public static let missing = Reason("missing")
        /// The value has another type.
        public static let wrongType = Reason("wrong type")
        /// The value has the right kind, but the type cannot represent it without loss, such as 300 as a `UInt8`.
        public static let outOfRange = Reason("out of range")
        /// The value is not one of the cases of the enum.
        public static let notACase = Reason("not one of the cases")
        /// The value is text that cannot be parsed as the type.
        public static let notParsable = Reason("not parsable")
        /// The value has the right type, but the check of its key or the type's own `init(from:)` rejects it.
        public static let refused = Reason("refused")
        /// Several settings break a rule that they obey together.
        public static let brokenRule = Reason("broken rule")
        /// The value exceeds a limit, such as the limit of nesting.
        public static let limit = Reason("limit")
        /// A source has a key that nobody reads.
        public static let unknownKey = Reason("unknown key")
        /// The sources contradict each other, for example because a placeholder refers to a property that is gone. The
        /// error's `cause` has the details. A declaration or a change of the parent store can cause this.
        public static let conflict = Reason("conflict")
    }

    // Stored on the heap to keep the error small: each function that throws it reserves space for one, and copies it.
    private let details: Details

    /// The kind of failure.
    public var reason: Reason { parts.reason }
    /// The flat name of the value that is wrong. If the value is inside a table or an array that was read, the name
    /// includes the path to it, such as `servers[2].port`. The name is empty if the error is about all properties
    /// together.
    public var name: String { parts.name.joined(path: path) }
    /// The expected value, as a noun such as "an integer".
    public var expected: String { parts.expected }
    /// Whether the value is masked in the description.
    public var isSecret: Bool { parts.isSecret }
    /// How the sources contradict each other if the reason is `conflict`; otherwise nil.
    public var cause: PropertyLoadError? { parts.cause }

    /// Whether the error is about all properties together.
    var isAboutAll: Bool { parts.name == nil && path.isEmpty }
    /// The path from the value that was read to the value that is wrong, such as `[2]` or `.port`.
    var path: String { parts.path }
    /// Whether the wrong value is inside the value that was read.
    package var isInside: Bool { !path.isEmpty }
    /// The value, or nil if the name is missing.
    var node: PropertyNode? { parts.node }
    /// The state that the property was read from, or nil for the error of a conversion.
    var history: (any PropertyHistory)? { parts.history }
    var parts: Parts { details.parts }

    init(_ parts: Parts) { details = Details(parts) }

    struct Parts: Sendable {
        var reason: Reason
        /// The flat name of the value that was read, or nil for all properties.
        var name: String?
        var path = ""
        /// The index of the value in a list in text, or nil.
        var element: Int?
        /// The place of the value, or of the table where it is missing.
        var origin: PropertyOrigin?
        var node: PropertyNode?
        var expected: String
        /// The expectation of the key's check.
        var checkExpectation: String?
        /// Whether the value is missing because its text is empty.
        var isEmptyText = false
        /// The remedy, as a sentence without its full stop; nil for the remedy that the reason implies.
        var remedy: String?
        /// Whether the value may be a variable of another program.
        var mayBeForeign = false
        /// Whether it is certain that the remedy does not quote the value. The remedy of another module's conversion
        /// may.
        var isPlainRemedy = false
        /// The remedy that quotes the value, which a message that must not show the value does not have; nil for the remedy
        /// above.
        var quotedRemedy: String?
        /// The white space or quotation marks around the text, if it is valid without them.
        var flaw: TextFlaw?
        /// The error that a type's own `init(from:)` threw, as text.
        var thrownError: String?
        var isSecret = false
        /// Whether the value belongs to a declared key, whose secrecy is known.
        var isDeclared = false
        var cause: PropertyLoadError?
        var candidates: Candidates?
        /// The settings that break a rule together. Empty for other errors.
        var involved: [InvolvedSetting] = []
        var history: (any PropertyHistory)?
        /// The other errors that `bind` found in the same value.
        var others: [PropertyError] = []
        /// The number of further errors in the same value, which were not kept.
        var rest = 0
    }

    private final class Details: Sendable {
        let parts: Parts
        init(_ parts: Parts) { self.parts = parts }
    }
}

// MARK: - Errors of conversions

extension PropertyError {
    /// Creates the error of a conversion.
    ///
    /// - Parameters:
    ///   - reason: the kind of failure.
    ///   - node: the value.
    ///   - expected: the expected value, as a noun.
    ///   - remedy: the remedy, as a sentence without its full stop. It must not quote the value, which may be secret.
    public init(_ reason: Reason, _ node: PropertyNode, expected: String, remedy: String? = nil) {
        self.init(Parts(reason: reason, origin: node.origin, node: node, expected: expected, remedy: remedy))
    }

    /// Creates the error that a value is missing in a table, or, if `table` is nil, in all sources.
    init(missing expected: String, in table: PropertyNode?) {
        self.init(Parts(reason: .missing, origin: table?.origin, node: table, expected: expected))
    }

    /// Returns this error about the value of a flat name, or about a value inside it.
    func named(_ key: PropertyKey) -> PropertyError { changed { $0.name = key.rawValue } }

    /// This error and the others that `bind` found in the same value, as separate errors. The first has the number of
    /// the errors that were not kept.
    package var all: [PropertyError] { [changed { $0.others = [] }] + parts.others }
    /// The number of further errors in the same value, which were not kept.
    package var rest: Int { parts.rest }

    /// Returns this error with the other errors of the same value, and the number of the errors that were not kept.
    package func with(others: some Sequence<PropertyError>, uncounted: Int? = nil) -> PropertyError {
        changed {
            $0.others = Array(others)
            $0.rest = uncounted ?? $0.rest
        }
    }

    /// Returns this error with a step added at the start of its path: the step from an array or table to the value in
    /// it.
    package func inside(_ step: String) -> PropertyError {
        changed {
            $0.path = step + $0.path
            $0.involved = $0.involved.map { $0.inside(step) }
            $0.others = $0.others.map { $0.inside(step) }
        }
    }

    /// Returns this error about a value in an element of an array, or of a list in text.
    package func inElement(_ index: Int, ofText isText: Bool) -> PropertyError {
        marked(element: isText ? index : nil).inside("[\(index)]")
    }

    /// Returns this error about the element of a list in text that has an index, or about a value inside the element.
    func marked(element index: Int?) -> PropertyError {
        guard let index else { return self }
        return changed {
            // The path leads to a value inside the element.
            if $0.path.isEmpty { $0.element = index }
            $0.others = $0.others.map { $0.marked(element: index) }
        }
    }

    /// Creates the error about a key of a table that its type does not read. One of the other keys may have been meant.
    package static func unknown(_ entry: PropertyTable.Entry, others: [String]) -> PropertyError {
        let node = PropertyNode(entry.node.value, origin: entry.keyOrigin)
        return PropertyError(.unknownKey, node, expected: "a key that is read").changed {
            $0.candidates = Candidates(written: entry.key, names: others.sorted(byName: \.self))
        }
    }

    /// Returns this error with the noun of its key as `expected`. The range of the type that the conversion has added
    /// stays, unless the noun has limits of its own.
    package func expecting(_ noun: String, isLimited: Bool) -> PropertyError {
        // Other types have the same limits of nesting and size.
        if reason == .limit { return self }
        guard reason == .outOfRange, !isLimited else { return changed { $0.expected = noun } }
        let added = [" from ", " that "].compactMap { expected.firstIndex(ofText: $0) }.first
        return changed { $0.expected = noun + (added.map { expected[$0...] } ?? "") }
    }

    /// Returns this error with changed parts.
    func changed(_ change: (inout Parts) -> Void) -> PropertyError {
        var parts = parts
        change(&parts)
        return PropertyError(parts)
    }
}

/// Computes those parts of an error's text that depend on other values in the store.
///
/// Each of them may take time proportional to the size of the sources. Most errors are caught and never shown.
/// Therefore an error keeps its state, and computes these parts on demand.
protocol PropertyHistory: Sendable {
    /// Returns the values that the sources have for a name, the latest first.
    func history(of key: PropertyKey) -> [PropertyEntry]
    /// If a later source removed a name by replacing a table that contained it, returns the new value of that table.
    /// Returns nil if the name has a value or no source had it.
    func removal(of key: PropertyKey) -> PropertyEntry?
    /// Returns the existing name that is most similar to a missing name, or nil if none is similar.
    func nearestName(to name: String) -> String?
    /// Returns the place of the value of an existing name.
    func origin(of key: PropertyKey) -> PropertyOrigin?
    /// Returns how the sources in use can set a property, such as "in config.toml" and "as APP_PORT".
    func waysToSet(_ name: String) -> [String]
    /// Returns how to set the value that an unknown name was probably meant for, or nil.
    func spelling(of name: String) -> String?
    /// Returns the option of the program that an unknown argument was probably meant for, or nil.
    func option(like name: String) -> String?
    /// Returns a name in the spelling of the source that has the unknown name, such as a variable or an argument. Nil
    /// if that source spells names as they are.
    func written(_ name: String, inSourceOf unknown: String) -> String?
}

/// The names from which a suggestion is chosen when an error is shown. The choice is postponed until then, because
/// there may be very many errors and only a few are shown.
struct Candidates: Sendable {
    /// The name as the source has it.
    let written: String
    /// All names that are read.
    let names: [String]
    /// Whether the source has relaxed spellings, so that only the words of names are compared.
    var isRelaxed = false
    /// Whether a name may be suggested. A source may also be meant to override a name that another source has.
    var isFree: @Sendable (String) -> Bool = { _ in true }

    var nearest: String? {
        Suggestions.nearest(to: written, among: names, where: isFree, by: isRelaxed ? Suggestions.words : { $0 })
            ?? Suggestions.only(among: names.lazy.filter(isFree), endingWith: written)
    }
}

// MARK: - Computed on demand

extension PropertyError {
    /// The place of the value. If the value is missing, the place of the later value that removed it, or of the table
    /// where it is missing. Nil if it has neither.
    public var origin: PropertyOrigin? { removal?.node.origin ?? parts.origin }

    /// The name that was probably meant: for a missing name, the most similar existing name; for a key that nobody
    /// reads, the most similar key that is read. Nil if none is similar.
    public var suggestion: String? {
        if let candidates = parts.candidates { return candidates.nearest }
        guard reason == .missing, node == nil, !parts.isEmptyText, removal == nil else { return nil }
        return history?.nearestName(to: name)
    }

    /// The earlier values that this value overrode, the latest first.
    public var overrode: [PropertyEntry] {
        // A value that was read by a secret key is secret, and so are the values that it overrode, even if the key is
        // not declared in the store.
        let history = history?.history(of: PropertyKey(name)) ?? []
        // A source after this value may have the name again.
        let index = history.firstIndex { node != nil && $0.node.origin == parts.origin } ?? 0
        return history.dropFirst(index + 1).map { isSecret ? $0.masked : $0 }
    }

    /// The later value that removed the value of an earlier source.
    var removal: PropertyEntry? {
        guard reason == .missing, node == nil, !isAboutAll else { return nil }
        return history?.removal(of: PropertyKey(name))
    }
}

// MARK: - Text

extension PropertyError: DescriptionOnly {
    /// One line: `config.toml:12:11: 'api.timeout' is the string "30"; expected an integer. Remove the quotes.`
    ///
    /// The text of an untyped source, such as the environment, is shown only if it is the value of a declared key,
    /// because such sources often contain secrets.
    public var description: String { PrintableText.escaped(message) }

    private var message: String {
        // The value in the error of a conversion may be secret, which only the store knows.
        guard history != nil else { return "expected \(expected)" }
        if let cause { return cause.description }
        if !parts.involved.isEmpty { return ruleMessage }
        let place = origin.map { "\($0): " } ?? ""
        let text = "\(place)\(subject) \(problem)" + (remedy.map { ". \($0)" } ?? "")
        return (text.ends(with: "?") ? text : text + ".") + (note.map { " \($0)" } ?? "")
    }

    /// A sentence that a report of several problems has once, or nil.
    var note: String? {
        guard parts.mayBeForeign else { return nil }
        return
            "If the variable is another program's, as REDIS_PORT=tcp://… of Kubernetes, load only the variables of this "
            + "one, by a prefix."
    }

    /// This error without its note.
    var withoutNote: PropertyError { note == nil ? self : changed { $0.mayBeForeign = false } }

    private var subject: String {
        if isAboutAll { return "the root" }
        // People count the elements of a list in text from 1.
        guard let element = parts.element else { return "'\(name)'" }
        return
            "element \(element + 1) of '\(String(decoding: name.utf8.dropLast("[\(element)]".utf8.count), as: UTF8.self))'"
    }

    /// The problem and the expected value.
    private var problem: String {
        if reason == .unknownKey {
            return expected == Self.declaredOrRead ? "is neither declared nor read by a service" : "is not \(expected)"
        }
        guard let node else {
            let cause = parts.isEmptyText ? ", since its text is empty" : removed
            let before = parts.isEmptyText ? overridden.map { " (it overrides \($0))" } ?? "" : ""
            return "is missing\(cause); expected \(expected)\(before)"
        }
        if reason != .refused, node.flag != nil { return "has no value; expected \(expected)" }
        var text = "is \(text(of: node))\(parts.flaw.map { ", with \($0.description)" } ?? ""); expected \(expected)"
        if let thrownError = parts.thrownError { text += " (\(thrownError))" }
        if let overridden { text += " (it overrides \(overridden))" }
        return text
    }

    private var removed: String {
        guard let removal else { return "" }
        let was = overridden.map { " (it was \($0))" } ?? ""
        return ", since '\(removal.name)' is \(removal.node.isNull ? "null" : "replaced") here\(was)"
    }

    private func text(of node: PropertyNode) -> String {
        switch node.value {
        case .text(""),
            .string("") where isSecret:
            return "empty"
        case let value where isSecret && value.isBlank: return "nothing but white space"
        case .data(let bytes) where isSecret: return "data that is secret\(ValueText.flaw(of: bytes))"
        case .null: break
        case let value where isSecret: return "\(ValueText.noun(of: value)) that is secret"
        default: break
        }
        let described = ValueText.described(node.value)
        switch node.value {
        // The description has only the number of values inside.
        case .array, .table: return described
        default:
            let isShown = node.disclosure(isDeclared: parts.isDeclared) >= .values
            return isShown || node.isNull ? described : "a text that may be secret"
        }
    }

    private var overridden: String? {
        overrode.first.map { entry in
            let isHidden = entry.node.disclosure(isDeclared: parts.isDeclared) == .places
            return "\(isHidden ? ValueText.noun(of: entry.node.value) : entry.valueText) at \(entry.node.origin)"
        }
    }
}

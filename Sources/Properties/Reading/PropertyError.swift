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
        /// The value is past a limit: values too deep inside each other.
        public static let limit = Reason("limit")
        /// A source has a key that nobody reads.
        public static let unknownKey = Reason("unknown key")
        /// The sources do not go together any more, by a declaration or by a change of the parent: see the error's `cause`.
        public static let conflict = Reason("conflict")
    }

    /// What kind of failure it is.
    public let reason: Reason
    /// The flat name: what was asked for and, inside a table or an array, the path to the value that is wrong, such as
    /// `servers[2].port`. It is empty where the error is about all properties together.
    public let name: String
    /// The place of the value, of what replaced it in a later source, or of the table that lacks it; nil where there is
    /// none of these.
    public var origin: PropertyOrigin? { removal?.node.origin ?? ownOrigin }
    let ownOrigin: PropertyOrigin?
    /// What was expected, as a noun: "an integer".
    public let expected: String
    /// What to do: a sentence without its full stop, or nil.
    public let remedy: String?
    /// Whether the value is masked in the description.
    public let isSecret: Bool
    /// What the sources say together that they must not, where that is the reason: a placeholder whose property is gone.
    public let cause: PropertyLoadError?
    // For the parts of the message that take time to find, and that a caller who catches the error never asks for.
    let snapshot: PropertySnapshot
    /// Whether the error is about all properties together.
    let isAboutAll: Bool
    let node: PropertyNode?
    let complaint: String?
    /// For a key that nobody reads, the names that would have been.
    let candidates: Candidates?

    /// A value that is not what was asked for.
    ///
    /// - Parameter name: the flat name of what was read, or nil for all properties.
    init(_ mismatch: PropertyMismatch, at name: String?, _ snapshot: PropertySnapshot, isSecret: Bool = false) {
        self.name = name.joined(path: mismatch.path)
        isAboutAll = name == nil && mismatch.path.isEmpty
        cause = mismatch.node.isNull ? snapshot.cause(of: PropertyKey(self.name)) : nil
        reason = cause == nil ? mismatch.reason : .conflict
        // An array's elements have no source of their own where a loader made them of literals.
        let hasOrigin = mismatch.node.origin.source !== PropertySource.unknown
        let outer = name.flatMap { snapshot.find(PropertyKey($0)) }.map { snapshot.tree.elements[$0].node.origin }
        ownOrigin = hasOrigin ? mismatch.node.origin : outer
        node = mismatch.reason == .missing ? nil : mismatch.node
        let known = isAboutAll ? nil : self.name
        let holdsSecret = snapshot.holdsSecret(known, mismatch.node)
        let isSealed = mismatch.node.isTable && hasOrigin ? holdsSecret : snapshot.isSecret(known, ownOrigin)
        self.isSecret = isSecret || isSealed
        expected = mismatch.expected
        // Advice may quote the value, and so may what the type says.
        let mayQuote = !self.isSecret && !holdsSecret
        remedy = mayQuote ? mismatch.remedy : nil
        complaint = mayQuote ? mismatch.complaint : nil
        candidates = nil
        self.snapshot = snapshot
    }

    /// A name that no source has, or that a null masks.
    init(missing name: String, expected: String, _ snapshot: PropertySnapshot, isSecret: Bool = false) {
        reason = .missing
        self.name = name
        isAboutAll = false
        node = snapshot.node(PropertyKey(name))
        ownOrigin = node?.origin
        // A null is no secret, but what it masks may be.
        self.isSecret = isSecret || snapshot.isSecret(name, ownOrigin)
        self.expected = expected
        (remedy, complaint, candidates, cause) = (nil, nil, nil, nil)
        self.snapshot = snapshot
    }

    /// A key that nobody reads.
    init(unknown name: String, at origin: PropertyOrigin, _ candidates: Candidates, _ snapshot: PropertySnapshot) {
        reason = .unknownKey
        isAboutAll = false
        self.name = name
        ownOrigin = origin
        isSecret = false
        expected = "a key that is read"
        self.candidates = candidates
        (remedy, complaint, node, cause) = (nil, nil, nil, nil)
        self.snapshot = snapshot
    }

    /// Sources that do not go together.
    ///
    /// - Parameter name: the property that has no value for it, or nil where the error is not about one alone.
    init(_ cause: PropertyLoadError, at name: String?, expected: String, _ snapshot: PropertySnapshot) {
        reason = .conflict
        self.name = name ?? ""
        isAboutAll = name == nil
        self.cause = cause
        ownOrigin = cause.origin
        isSecret = snapshot.isSecret(name, cause.origin)
        self.expected = expected
        (remedy, complaint, candidates, node) = (cause.remedy, nil, nil, nil)
        self.snapshot = snapshot
    }
}

/// The names among which the nearest to a name is looked for when somebody wants to know it: there may be very many
/// errors, of which a few are shown.
struct Candidates {
    /// What was written.
    let written: String
    /// The names that nothing else has taken, shared by all errors of one kind.
    let names: [String]

    var nearest: String? { Suggestions.nearest(to: written, among: names) }
}

extension String? {
    /// A name and a path below it: `servers` and `[2].port`. Nil stands for all properties, whose path has no dot at its
    /// start.
    func joined(path: String) -> String {
        if let self { return self + path }
        return path.begins(with: ".") ? String(Substring(path.utf8.dropFirst())) : path
    }
}

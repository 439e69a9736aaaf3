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
    }

    /// What kind of failure it is.
    public let reason: Reason
    /// The flat name that was asked for.
    public let name: String
    /// Where in the property's value it happened: `[2]`, `.port`, or nothing for the value itself.
    public let path: String
    /// Where the value stands; nil where there is none.
    public let origin: PropertyOrigin?
    /// What was expected, as a noun: "an integer".
    public let expected: String
    /// What to do: a sentence without its full stop, or nil.
    public let remedy: String?
    // For the parts of the message that take time to find, and that a caller who catches the error never asks for.
    let snapshot: PropertySnapshot
    let node: PropertyNode?

    init(_ mismatch: PropertyMismatch, _ key: PropertyKey, _ snapshot: PropertySnapshot) {
        reason = mismatch.reason
        name = key.rawValue
        path = mismatch.path
        // An array's elements have no source of their own where a loader made them of literals.
        let outer = snapshot.node(key)?.origin
        origin = mismatch.node.origin.source === PropertySource.unknown ? outer : mismatch.node.origin
        expected = mismatch.expected
        remedy = mismatch.remedy
        node = mismatch.node
        self.snapshot = snapshot
    }

    init(missing key: PropertyKey, expected: String, _ snapshot: PropertySnapshot) {
        reason = .missing
        name = key.rawValue
        path = ""
        node = snapshot.node(key)
        origin = node?.origin
        self.expected = expected
        remedy = nil
        self.snapshot = snapshot
    }
}

/// A value that is not what a conversion takes.
public struct PropertyMismatch: Error, Sendable {
    /// What kind of failure it is.
    public let reason: PropertyError.Reason
    /// The value: the element where the value is an array or a table.
    public let node: PropertyNode
    /// Where it is inside the value that was to be converted: `[2]`, `.port`, or nothing.
    public package(set) var path: String
    /// What was expected, as a noun: "an integer".
    public private(set) var expected: String
    /// What to do: a sentence without its full stop, or nil.
    public let remedy: String?
    /// What a type's own `init(from:)` says, which may quote the value.
    var complaint: String?

    /// Makes a mismatch.
    ///
    /// - Parameters:
    ///   - reason: what kind of failure it is.
    ///   - node: the value.
    ///   - expected: what was expected, as a noun.
    ///   - remedy: what to do, as a sentence without its full stop.
    public init(_ reason: PropertyError.Reason, _ node: PropertyNode, expected: String, remedy: String? = nil) {
        self.reason = reason
        self.node = node
        self.path = ""
        self.expected = expected
        self.remedy = remedy
    }

    /// The same, seen from the array or table that holds the value.
    func inside(_ step: String) -> PropertyMismatch {
        var copy = self
        copy.path = step + path
        return copy
    }

    /// The same with another name for what was expected.
    func expecting(_ noun: String) -> PropertyMismatch {
        var copy = self
        copy.expected = noun
        return copy
    }
}

extension PropertyMismatch: CustomStringConvertible, CustomReflectable {
    /// What was expected. The value is not in it, since nothing here says whether that is secret.
    public var description: String { "expected \(expected)" }

    /// The description alone.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

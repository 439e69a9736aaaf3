/// An error about a value that a conversion does not accept.
public struct PropertyMismatch: Error, Sendable {
    // Stored on the heap to keep the error small: each nested conversion reserves stack for an error.
    private let details: Details

    /// Creates a mismatch.
    ///
    /// - Parameters:
    ///   - reason: the kind of failure.
    ///   - node: the value.
    ///   - expected: what was expected, as a noun.
    ///   - remedy: what to do, as a sentence without its full stop. It must not quote the value, which may be secret.
    public init(_ reason: PropertyError.Reason, _ node: PropertyNode, expected: String, remedy: String? = nil) {
        details = Details(Parts(reason: reason, node: node, expected: expected, remedy: remedy))
    }

    /// The kind of failure.
    public var reason: PropertyError.Reason { details.parts.reason }
    /// The value that was not accepted. This is the inner value if it is in an array or a table.
    public var node: PropertyNode { details.parts.node }
    /// The path from the value that was to be converted to `node`, such as `[2]` or `.port`. Empty if they are the
    /// same.
    public var path: String { details.parts.path }
    /// What was expected, as a noun such as "an integer".
    public var expected: String { details.parts.expected }
    /// What to do, as a sentence without its full stop; nil if there is no advice.
    public var remedy: String? { details.parts.remedy }
    /// The error that a type's own `init(from:)` threw, as text. It may quote the value.
    var complaint: String? { details.parts.complaint }

    /// This mismatch and the others that `bind` found in the same value, as separate errors.
    var all: [PropertyMismatch] {
        let others = details.parts.others
        return others.isEmpty ? [self] : [changed { $0.others = [] }] + others
    }

    /// Returns this mismatch with the other mismatches of the same value.
    func with(others: some Sequence<PropertyMismatch>) -> PropertyMismatch {
        changed { $0.others = Array(others) }
    }

    /// Returns this mismatch with a step added at the start of its path: the step from an array or table to the value
    /// in it.
    func inside(_ step: String) -> PropertyMismatch {
        changed {
            $0.path = step + $0.path
            for index in $0.others.indices { $0.others[index] = $0.others[index].inside(step) }
        }
    }

    /// Returns this mismatch with another noun for what was expected.
    func expecting(_ noun: String) -> PropertyMismatch {
        changed { $0.expected = noun }
    }

    /// Returns this mismatch with the error that a type's own `init(from:)` threw.
    func complaining(_ complaint: String) -> PropertyMismatch {
        changed { $0.complaint = complaint }
    }

    private func changed(_ change: (inout Parts) -> Void) -> PropertyMismatch {
        var parts = details.parts
        change(&parts)
        return PropertyMismatch(details: Details(parts))
    }

    private init(details: Details) { self.details = details }

    private struct Parts: Sendable {
        let reason: PropertyError.Reason
        let node: PropertyNode
        var path = ""
        var expected: String
        let remedy: String?
        var complaint: String?
        var others: [PropertyMismatch] = []
    }

    private final class Details: Sendable {
        let parts: Parts
        init(_ parts: Parts) { self.parts = parts }
    }
}

extension PropertyMismatch: CustomStringConvertible, CustomReflectable {
    /// What was expected. It does not show the value, which may be secret.
    public var description: String { "expected \(expected)" }

    /// Contains only the description.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

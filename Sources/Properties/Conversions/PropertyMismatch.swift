/// A value that a conversion does not accept.
public struct PropertyMismatch: Error, Sendable {
    // On the heap: each nested conversion reserves stack for an error.
    private let details: Details

    /// Makes a mismatch.
    ///
    /// - Parameters:
    ///   - reason: what kind of failure it is.
    ///   - node: the value.
    ///   - expected: what was expected, as a noun.
    ///   - remedy: what to do, as a sentence without its full stop. It must not quote the value, which may be secret.
    public init(_ reason: PropertyError.Reason, _ node: PropertyNode, expected: String, remedy: String? = nil) {
        details = Details(Parts(reason: reason, node: node, expected: expected, remedy: remedy))
    }

    /// What kind of failure it is.
    public var reason: PropertyError.Reason { details.parts.reason }
    /// The value that is wrong: the element, if it is in an array or a table.
    public var node: PropertyNode { details.parts.node }
    /// Its path inside the value that was to be converted, such as `[2]` or `.port`, or empty.
    public var path: String { details.parts.path }
    /// What was expected, as a noun: "an integer".
    public var expected: String { details.parts.expected }
    /// What to do: a sentence without its full stop, or nil.
    public var remedy: String? { details.parts.remedy }
    /// The error of a type's own `init(from:)`, which may quote the value.
    var complaint: String? { details.parts.complaint }

    /// The mismatch, and the others that `bind` found in the same value, each on its own.
    var all: [PropertyMismatch] {
        let others = details.parts.others
        return others.isEmpty ? [self] : [changed { $0.others = [] }] + others
    }

    /// The same with other mismatches of the value.
    func with(others: some Sequence<PropertyMismatch>) -> PropertyMismatch {
        changed { $0.others = Array(others) }
    }

    /// The same, as a mismatch of the array or table that contains the value.
    func inside(_ step: String) -> PropertyMismatch {
        changed {
            $0.path = step + $0.path
            for index in $0.others.indices { $0.others[index] = $0.others[index].inside(step) }
        }
    }

    /// The same with another noun for what was expected.
    func expecting(_ noun: String) -> PropertyMismatch {
        changed { $0.expected = noun }
    }

    /// The same with the error of a type's own `init(from:)`.
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

    /// The description alone.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

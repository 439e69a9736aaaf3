import PropertyLoadersEssentials

// A short notation of values for tests: `{a: 1, b: [true, "x"], c: 1.0, d: 2026-11-21}`.
extension PropertyValue {
    var notation: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .unsigned(let value): "\(value)u"
        case .bigInteger(let value): "\(value)big"
        case .double(let value): "\(value)"
        case .string(let value): "\"\(value)\""
        case .dateTime(let value): "\(value.kind.rawValue) \(value)"
        case .array(let items): "[\(items.map(\.value.notation).joined(separator: ", "))]"
        case .table(let table): table.notation
        default: "something else"
        }
    }
}

extension PropertyTable {
    var notation: String {
        "{\(map { "\($0.key): \($0.node.value.notation)" }.joined(separator: ", "))}"
    }
}

/// Thrown by a test if a value does not have the expected shape.
struct Unexpected: Error {}

extension ConfigurationErrors {
    /// The problems with properties.
    var found: [PropertyError] { problems.compactMap { $0.error as? PropertyError } }
    /// One line for each problem.
    var lines: String { problems.map(\.description).joined(separator: "\n") }
}

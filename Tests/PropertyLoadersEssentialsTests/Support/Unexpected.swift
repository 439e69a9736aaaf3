import PropertyLoadersEssentials

/// Thrown by a test if a value does not have the expected shape.
struct Unexpected: Error {}

extension ConfigurationErrors {
    /// The problems with properties.
    var found: [PropertyError] { problems.compactMap { $0.error as? PropertyError } }
    /// One line for each problem.
    var lines: String { problems.map(\.description).joined(separator: "\n") }
}

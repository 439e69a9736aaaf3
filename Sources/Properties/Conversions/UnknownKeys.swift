/// What happens to keys in a source that nobody reads.
public enum UnknownKeys: Sendable {
    /// Unknown keys are ignored.
    case ignored
    /// Each unknown key is passed to a function, such as one that logs it.
    case reported(@Sendable (PropertyError) -> Void)
    /// Each unknown key is an error.
    case refused

    /// Whether unknown keys do not matter.
    var areIgnored: Bool { if case .ignored = self { true } else { false } }

    /// Whether each unknown key is an error.
    var areRefused: Bool { if case .refused = self { true } else { false } }

    /// Ignores or reports unknown keys, or returns them as errors.
    ///
    /// - Parameter unknown: the errors about unknown keys, computed only if they are needed.
    /// - Returns: the errors that the caller must throw.
    func handle(_ unknown: @autoclosure () -> [PropertyError]) -> [PropertyError] {
        switch self {
        case .ignored: return []
        case .refused: return unknown()
        case .reported(let report):
            for problem in unknown() { report(problem) }
            return []
        }
    }
}

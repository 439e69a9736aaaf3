/// What becomes of keys that a source has and that nobody reads.
public enum UnknownKeys: Sendable {
    /// They are of no interest.
    case ignored
    /// Each is handed to a function, such as one that logs it.
    case reported(@Sendable (PropertyError) -> Void)
    /// Each is an error among the others.
    case refused

    /// Deals with them.
    ///
    /// - Returns: those that are errors.
    func take(_ unknown: @autoclosure () -> [PropertyError]) -> [PropertyError] {
        switch self {
        case .ignored: return []
        case .refused: return unknown()
        case .reported(let report):
            for problem in unknown() { report(problem) }
            return []
        }
    }
}

/// What happens to keys in a source that are neither declared nor read.
public enum UnknownKeys: Sendable {
    /// Unknown keys are ignored.
    case ignored
    /// Each unknown key is an error.
    case refused
}

/// What happens to keys in a source that are neither declared nor read.
///
/// Where it is nil, which is the default everywhere, the declarations decide: the keys are refused if any key is declared,
/// and ignored otherwise, because then no key is known.
public enum UnknownKeys: Sendable {
    /// Unknown keys are ignored.
    case ignored
    /// Each unknown key is an error.
    case refused
}

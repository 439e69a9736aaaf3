/// How the names of a source are to be taken.
public enum NameSpelling: Sendable, Hashable {
    /// As they are written.
    case exact
    /// As names from a place that cannot spell all of them, such as the environment.
    ///
    /// When sources are merged, each name becomes the one of the other sources that differs from it by case, `_` and
    /// `-` alone: `api.base_url` becomes `api.baseURL`. A name that is there as it is written stays; one that fits
    /// several others is an error.
    case loose
}

/// How a source's tables meet the tables that earlier sources left.
public enum MergeRule: Sendable, Hashable {
    /// A first-level value replaces the earlier one whole, and what that held is gone.
    case firstLevel
    /// Tables are merged key by key, at every depth; everything else is replaced.
    case deep
}

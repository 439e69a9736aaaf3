/// The maximum depth and size of a property list, and of what it contains.
///
/// Foundation takes quadratic time to fill a dictionary whose keys it cannot tell apart by their hashes, and to compare
/// keys with long runs of combining characters. `entries`, `entriesSquared` and `keyBytes` bound that time: with the
/// defaults, to about three seconds.
public struct PlistLimits: Sendable, Hashable {
    /// The maximum depth of nested arrays and dictionaries, 1 to 256.
    public let depth: Int
    /// The maximum size of the file in bytes, 0 to 1 GiB. In a binary property list it also limits the total size of
    /// all strings and data.
    public let bytes: Int
    /// The maximum number of values, 1 to 2^30. A value that a binary property list uses several times is counted each
    /// time.
    public let values: Int
    /// The maximum number of entries of a dictionary, 1 to 2^30.
    public let entries: Int
    /// The maximum of the sum, over all dictionaries, of the squared number of entries, 1 to 2^30.
    public let entriesSquared: Int
    /// The maximum size of a key in bytes of UTF-8, 1 to 2^30.
    public let keyBytes: Int

    // Foundation reads at most 512 levels. In a debug build, 128 levels need a stack of 512 KiB.
    private static let greatestDepth = 256
    // The offsets of values are 32-bit.
    private static let greatestSize = 1 << 30

    /// Creates limits. A number that is out of range is clamped.
    ///
    /// - Parameters:
    ///   - depth: the maximum depth of nested arrays and dictionaries, 1 to 256.
    ///   - bytes: the maximum size of the file, and of all strings and data in a binary file, in bytes, 0 to 1 GiB.
    ///   - values: the maximum number of values, 1 to 2^30.
    ///   - entries: the maximum number of entries of a dictionary, 1 to 2^30.
    ///   - entriesSquared: the maximum of the sum, over all dictionaries, of the squared number of entries, 1 to 2^30.
    ///   - keyBytes: the maximum size of a key in bytes of UTF-8, 1 to 2^30.
    public init(
        depth: Int = 128, bytes: Int = 64 << 20, values: Int = 1_000_000, entries: Int = 5_000,
        entriesSquared: Int = 50_000_000, keyBytes: Int = 1 << 10
    ) {
        self.depth = min(max(depth, 1), Self.greatestDepth)
        self.bytes = min(max(bytes, 0), Self.greatestSize)
        self.values = min(max(values, 1), Self.greatestSize)
        self.entries = min(max(entries, 1), Self.greatestSize)
        self.entriesSquared = min(max(entriesSquared, 1), Self.greatestSize)
        self.keyBytes = min(max(keyBytes, 1), Self.greatestSize)
    }
}

/// How much a Swift value may ask of its loader.
public struct ReflectionLimits: Sendable, Hashable {
    /// How many tables may stand inside each other, 1 to 512; each takes some 4 KiB of stack.
    public let depth: Int
    /// The greatest number of values, array elements included. An instance in two places counts twice.
    public let values: Int

    // What a stack of 2 MiB has room for: Linux gives a thread 8.
    private static let greatestDepth = 512

    /// Makes limits. A number out of its range counts as the nearest one in it.
    ///
    /// - Parameters:
    ///   - depth: how many tables may stand inside each other, 1 to 512; each takes some 4 KiB of stack.
    ///   - values: the greatest number of values, array elements included.
    public init(depth: Int = 64, values: Int = 1_000_000) {
        self.depth = min(max(depth, 1), Self.greatestDepth)
        self.values = max(values, 0)
    }
}

internal import Properties

/// How much a property list may ask for.
public struct PlistLimits: Sendable, Hashable {
    /// How many arrays and dictionaries may stand inside each other, 1 to 512.
    public let depth: Int
    /// The greatest size of the file, and of all strings and data that a binary one makes of it, in bytes, 0 to 1 GiB.
    public let bytes: Int
    /// The greatest number of values, 1 to 2^30. In a binary property list a value counts wherever it is used.
    public let values: Int

    // What a release build follows down and frees again on a stack of 512 KiB.
    private static let greatestDepth = 512
    // Offsets have 32 bits.
    private static let greatestSize = 1 << 30

    /// Makes limits. A number out of its range counts as the nearest one in it.
    ///
    /// - Parameters:
    ///   - depth: how many arrays and dictionaries may stand inside each other, 1 to 512.
    ///   - bytes: the greatest size of the file, and of what a binary one makes of it, in bytes, 0 to 1 GiB.
    ///   - values: the greatest number of values, 1 to 2^30.
    public init(depth: Int = 128, bytes: Int = 64 << 20, values: Int = 1_000_000) {
        self.depth = min(max(depth, 1), Self.greatestDepth)
        self.bytes = min(max(bytes, 0), Self.greatestSize)
        self.values = min(max(values, 1), Self.greatestSize)
    }

    /// The error of an array or a dictionary that stands deeper than `depth`.
    func tooDeep(at offset: Int) -> Diagnostic {
        Diagnostic(
            "more than \(depth) arrays and dictionaries stand inside each other", at: offset,
            remedy: "Flatten it, or raise `depth` in the loader's limits", kind: .limit)
    }

    /// The error of a document with more values than `values`.
    func tooManyValues(at offset: Int) -> Diagnostic {
        Diagnostic(
            "there are more than \(values) values", at: offset,
            remedy: "Check that this is the right file, or raise `values` in the loader's limits", kind: .limit)
    }

    /// The error of strings and data with more bytes than `bytes`.
    func tooManyBytes(at offset: Int) -> Diagnostic {
        Diagnostic(
            "the strings and data make more than \(bytes) bytes", at: offset,
            remedy: "Check that this is the right file, or raise `bytes` in the loader's limits", kind: .limit)
    }
}

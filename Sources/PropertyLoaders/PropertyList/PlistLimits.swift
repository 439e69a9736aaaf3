internal import Properties

/// The maximum depth, size and number of values of a property list.
public struct PlistLimits: Sendable, Hashable {
    /// The maximum depth of nested arrays and dictionaries, 1 to 512.
    public let depth: Int
    /// The maximum size of the file in bytes, 0 to 1 GiB. In a binary property list it also limits the total size of
    /// all strings and data.
    public let bytes: Int
    /// The maximum number of values, 1 to 2^30. A value that a binary property list uses several times is counted each
    /// time.
    public let values: Int

    // A release build can parse and free 512 levels on a stack of 512 KiB.
    private static let greatestDepth = 512
    // The offsets of values are 32-bit.
    private static let greatestSize = 1 << 30

    /// Creates limits. A number that is out of range is clamped.
    ///
    /// - Parameters:
    ///   - depth: the maximum depth of nested arrays and dictionaries, 1 to 512.
    ///   - bytes: the maximum size of the file, and of all strings and data in a binary file, in bytes, 0 to 1 GiB.
    ///   - values: the maximum number of values, 1 to 2^30.
    public init(depth: Int = 128, bytes: Int = 64 << 20, values: Int = 1_000_000) {
        self.depth = min(max(depth, 1), Self.greatestDepth)
        self.bytes = min(max(bytes, 0), Self.greatestSize)
        self.values = min(max(values, 1), Self.greatestSize)
    }

    /// Returns the error for an array or a dictionary that is nested deeper than `depth`.
    func tooDeep(at offset: Int) -> Diagnostic {
        Diagnostic(
            "more than \(depth) arrays and dictionaries are nested", at: offset,
            remedy: "Flatten it, or raise `depth` in the loader's limits", kind: .limit)
    }

    /// Returns the error for a document with more values than `values`.
    func tooManyValues(at offset: Int) -> Diagnostic {
        Diagnostic(
            "there are more than \(values) values", at: offset,
            remedy: "Check that this is the right file, or raise `values` in the loader's limits", kind: .limit)
    }

    /// Returns the error for strings and data with more bytes in total than `bytes`.
    func tooManyBytes(at offset: Int) -> Diagnostic {
        Diagnostic(
            "the strings and data have more than \(bytes) bytes", at: offset,
            remedy: "Check that this is the right file, or raise `bytes` in the loader's limits", kind: .limit)
    }
}

internal import Properties

/// The greatest depth, size and number of values of a property list.
public struct PlistLimits: Sendable, Hashable {
    /// The greatest depth of nested arrays and dictionaries, 1 to 512.
    public let depth: Int
    /// The greatest size of the file in bytes, 0 to 1 GiB. In a binary property list it limits the strings and data as
    /// well.
    public let bytes: Int
    /// The greatest number of values, 1 to 2^30. In a binary property list a shared value counts each time it is used.
    public let values: Int

    // A release build parses and frees 512 levels on a stack of 512 KiB.
    private static let greatestDepth = 512
    // Offsets have 32 bits.
    private static let greatestSize = 1 << 30

    /// Creates limits. A number out of its range counts as the nearest one inside.
    ///
    /// - Parameters:
    ///   - depth: the greatest depth of nested arrays and dictionaries, 1 to 512.
    ///   - bytes: the greatest size of the file in bytes, and of the strings and data in a binary one, 0 to 1 GiB.
    ///   - values: the greatest number of values, 1 to 2^30.
    public init(depth: Int = 128, bytes: Int = 64 << 20, values: Int = 1_000_000) {
        self.depth = min(max(depth, 1), Self.greatestDepth)
        self.bytes = min(max(bytes, 0), Self.greatestSize)
        self.values = min(max(values, 1), Self.greatestSize)
    }

    /// Returns the error of an array or a dictionary that is nested deeper than `depth`.
    func tooDeep(at offset: Int) -> Diagnostic {
        Diagnostic(
            "more than \(depth) arrays and dictionaries are nested", at: offset,
            remedy: "Flatten it, or raise `depth` in the loader's limits", kind: .limit)
    }

    /// Returns the error of a document with more values than `values`.
    func tooManyValues(at offset: Int) -> Diagnostic {
        Diagnostic(
            "there are more than \(values) values", at: offset,
            remedy: "Check that this is the right file, or raise `values` in the loader's limits", kind: .limit)
    }

    /// Returns the error of strings and data with more bytes than `bytes`.
    func tooManyBytes(at offset: Int) -> Diagnostic {
        Diagnostic(
            "the strings and data have more than \(bytes) bytes", at: offset,
            remedy: "Check that this is the right file, or raise `bytes` in the loader's limits", kind: .limit)
    }
}

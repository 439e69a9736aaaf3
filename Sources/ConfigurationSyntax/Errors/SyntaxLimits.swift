import TextBasics

/// The maximum depth and size of a document.
public struct SyntaxLimits: Sendable, Hashable {
    /// The maximum depth of nested arrays and tables, 1 to 512.
    ///
    /// In TOML, each part of the name of a table is a level, and so is each array of tables in its path. Each level
    /// needs space on the stack: 512 KB are enough for 512 levels in a release build, and for about 180 in a debug
    /// build.
    public let depth: Int
    /// The maximum size of the text in bytes, 0 to 1 GiB.
    public let bytes: Int

    // Parsing and freeing 512 levels takes 300 KB of stack in a release build.
    static let greatestDepth = 512
    // Offsets are 32-bit. Unescaped text is stored behind the source in the same buffer and needs offsets too, so the
    // source may use only a part of their range.
    static let greatestSize = 1 << 30

    /// Creates limits. A number that is out of range is clamped.
    ///
    /// - Parameters:
    ///   - depth: the maximum depth of nested arrays and tables, 1 to 512.
    ///   - bytes: the maximum size of the text in bytes, 0 to 1 GiB.
    public init(depth: Int = 128, bytes: Int = 64 << 20) {
        self.depth = min(max(depth, 1), Self.greatestDepth)
        self.bytes = min(max(bytes, 0), Self.greatestSize)
    }

    /// Returns the error for a value that is nested deeper than `depth`.
    @inline(never)
    func tooDeep(at offset: Int) -> Diagnostic {
        Diagnostic(
            "more than \(depth) arrays and tables are nested", at: offset,
            remedy: "Make the document flatter, or let the program accept a deeper one", kind: .limit)
    }

    /// Returns the error for a text that is larger than `bytes`.
    func tooLarge(_ count: Int) -> Diagnostic {
        Diagnostic(
            "\(count) bytes are more than the limit of \(bytes)", at: 0,
            remedy: "Check that this is the right file, or let the program accept a larger one", kind: .limit)
    }
}

import TextBasics

/// How much a text source may ask for.
public struct SyntaxLimits: Sendable, Hashable {
    /// How many arrays and tables may stand inside each other, 1 to 512.
    ///
    /// A TOML table counts one for each part of its name, and one for each array of tables on its path. Each level takes
    /// room on the stack: 512 KB hold all 512 of a release build and some 180 of a debug build.
    public let depth: Int
    /// The greatest size of the text, in bytes, 0 to 1 GiB.
    public let bytes: Int

    /// A release build follows so many levels down, and frees them again, in 300 KB of stack; a debug build follows 180 in 512.
    static let greatestDepth = 512
    /// Offsets have 32 bits, and unescaped text stands behind the source in the same numbering.
    static let greatestSize = 1 << 30

    /// Makes limits.
    ///
    /// - Parameters:
    ///   - depth: how many arrays and tables may stand inside each other, 1 to 512.
    ///   - bytes: the greatest size of the text, in bytes, 0 to 1 GiB.
    ///
    /// A number out of its range counts as the nearest one in it.
    public init(depth: Int = 128, bytes: Int = 64 << 20) {
        self.depth = min(max(depth, 1), Self.greatestDepth)
        self.bytes = min(max(bytes, 0), Self.greatestSize)
    }

    /// The error of a value that stands deeper than `depth`.
    @inline(never)
    func tooDeep(at place: Int) -> Diagnostic {
        Diagnostic(
            "more than \(depth) arrays and tables stand inside each other", at: place,
            remedy: "Make the document flatter, or raise the depth in the loader's limits", kind: .limit)
    }

    /// The error of a text that has more bytes than `bytes`.
    func tooLarge(_ count: Int) -> Diagnostic {
        Diagnostic(
            "\(count) bytes are more than the limit of \(bytes)", at: 0,
            remedy: "Check that this is the right file, or raise the limit", kind: .limit)
    }
}

/// Counts the contents of a property list, and throws an error at the first limit that is exceeded.
///
/// Foundation has no limits, so a file is counted before Foundation reads it. It takes quadratic time to fill a
/// dictionary whose keys it cannot tell apart by their hashes, and to compare keys with long runs of combining
/// characters. The limits of entries and of the size of a key bound that time, with the defaults to about three seconds.
struct PlistBudget {
    private let depth: Int, size: Int, entries: Int
    private var values = 0
    private var bytes = 0
    private var squares: Int64 = 0
    // The numbers of entries of the open arrays and dictionaries.
    private var open: [Int] = []

    // Foundation reads at most 512 levels. In a debug build, 128 levels need a stack of 512 KiB.
    private static let greatestDepth = 256
    /// The maximum size of a key in bytes of UTF-8.
    private static let keySize = 1 << 10

    init(_ limits: SyntaxLimits, entries: Int) {
        (depth, size) = (min(limits.depth, Self.greatestDepth), limits.bytes)
        self.entries = min(max(entries, 1), 1 << 30)
    }

    /// Counts a value of a binary property list, where a small file can use one value many times.
    mutating func addValue(at offset: Int, inFileOf size: Int) throws(Diagnostic) {
        values += 1
        let limit = 10_000 + size
        try require(values <= limit, "there are more than \(limit) values", "convert it to XML", offset)
    }

    /// Counts the bytes of a string or of data in a binary property list.
    mutating func addBytes(_ count: Int, at offset: Int) throws(Diagnostic) {
        bytes += count
        try require(
            bytes <= size, "the strings and data have more than \(size) bytes", "let the program accept a larger one",
            offset)
    }

    /// Counts an array or a dictionary as a level until `close`.
    mutating func open(at offset: Int) throws(Diagnostic) {
        open.append(0)
        try require(
            open.count <= depth, "more than \(depth) arrays and dictionaries are nested",
            "let the program accept a deeper one", offset)
    }

    /// Counts a key of the innermost dictionary, and its bytes.
    mutating func addKey(_ size: Int, at offset: Int) throws(Diagnostic) {
        try require(size <= Self.keySize, "a key has more than \(Self.keySize) bytes", "use shorter keys", offset)
        guard let innermost = open.indices.last else { return }
        open[innermost] += 1
        // The sum of the first odd numbers is a square. So the work for all dictionaries together is at most the work
        // for two dictionaries of the greatest size.
        squares += 2 * Int64(open[innermost]) - 1
        let isWithin = open[innermost] <= entries && squares <= 2 * Int64(entries) * Int64(entries)
        try require(
            isWithin, "a dictionary has more than \(entries) entries, or the file has too many as large as this one",
            "let the program accept more", offset)
    }

    /// Ends the innermost array or dictionary.
    mutating func close() { _ = open.popLast() }

    private func require(
        _ isWithin: Bool, _ problem: @autoclosure () -> MessageText, _ remedy: MessageText, _ offset: Int
    ) throws(Diagnostic) {
        if isWithin { return }
        let remedy: MessageText = "Check that this is the right file, or \(remedy)"
        throw Diagnostic(problem(), at: offset, remedy: remedy, kind: .limit)
    }
}

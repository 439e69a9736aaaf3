internal import Properties

/// A count of what a property list contains, which ends in an error at the first limit that is exceeded.
///
/// Foundation has no limits, so a file is counted before Foundation reads it.
struct PlistBudget {
    private let limits: PlistLimits
    private let valueLimit: Int
    private var values = 0
    private var bytes = 0
    private var squares: Int64 = 0
    // The numbers of entries of the open arrays and dictionaries.
    private var open: [Int] = []

    /// Creates a budget of the limits and, for binary property lists, of at most `values` values.
    init(limits: PlistLimits, values: Int = .max) {
        (self.limits, valueLimit) = (limits, min(limits.values, values))
    }

    /// Counts a value.
    mutating func addValue(at offset: Int) throws(Diagnostic) {
        values += 1
        try require(values <= valueLimit, "there are more than \(valueLimit) values", "values", offset)
    }

    /// Counts the bytes of a string or of data.
    mutating func addBytes(_ count: Int, at offset: Int) throws(Diagnostic) {
        bytes += count
        try require(bytes <= limits.bytes, "the strings and data have more than \(limits.bytes) bytes", "bytes", offset)
    }

    /// Counts an array or a dictionary as a level until `close`.
    mutating func open(at offset: Int) throws(Diagnostic) {
        open.append(0)
        let problem = "more than \(limits.depth) arrays and dictionaries are nested"
        try require(open.count <= limits.depth, problem, "depth", offset)
    }

    /// Counts a key of the innermost dictionary, and its bytes.
    mutating func addKey(_ size: Int, at offset: Int) throws(Diagnostic) {
        try require(size <= limits.keyBytes, "a key has more than \(limits.keyBytes) bytes", "keyBytes", offset)
        guard let innermost = open.indices.last else { return }
        open[innermost] += 1
        let problem = "a dictionary has more than \(limits.entries) entries"
        try require(open[innermost] <= limits.entries, problem, "entries", offset)
    }

    /// Ends the innermost array or dictionary.
    mutating func close(at offset: Int) throws(Diagnostic) {
        let count = Int64(open.popLast() ?? 0)
        squares += count * count
        let problem = "the squared sizes of the dictionaries add up to more than \(limits.entriesSquared)"
        try require(squares <= limits.entriesSquared, problem, "entriesSquared", offset)
    }

    private func require(
        _ isWithin: Bool, _ problem: @autoclosure () -> String, _ limit: String, _ offset: Int
    ) throws(Diagnostic) {
        if isWithin { return }
        let remedy = "Check that this is the right file, or raise `\(limit)` in the loader's limits"
        throw Diagnostic(problem(), at: offset, remedy: remedy, kind: .limit)
    }
}

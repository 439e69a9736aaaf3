/// The position of a conversion inside the value that is read, and its limits.
struct ConversionContext {
    /// Records the keys that types look up; nil outside `bind`.
    let keyUsage: KeyUsage?
    /// The greatest size of a key of a dictionary, in bytes.
    let keyLimit: Int
    /// The path from the bound value, such as `.servers[2]`. It is recorded within `bind` only.
    private(set) var path = ""
    /// How many keys and indices deep the current value is.
    private(set) var depth = 0

    /// How many keys and indices deep a value may be inside the value that is read.
    ///
    /// Each level needs stack for the conversion and for the type's own `init(from:)`. In a debug build the conversion
    /// takes 5 KB, which leaves 10 KB a level for the type on a stack of 512 KB.
    static let depthLimit = 32

    /// The default for `keyLimit`.
    ///
    /// Hashing a string takes quadratic time in a run of combining characters: measured 1 ms for 4 KB, 14 s for 400 KB.
    static let defaultKeyLimit = 4096

    /// The context of a read that stops at the first problem.
    static var reading: ConversionContext { .reading(keyLimit: defaultKeyLimit) }

    /// The same with another limit for the keys of dictionaries.
    static func reading(keyLimit: Int) -> ConversionContext { ConversionContext(keyUsage: nil, keyLimit: keyLimit) }

    /// Whether the conversion of an array or table continues with its other elements after one has failed.
    var collectsMismatches: Bool { keyUsage != nil }

    /// The context of a value inside the current one. The step is the path to it, such as `[2]` or `.port`, with
    /// `levels` keys and indices.
    func inside(_ step: @autoclosure () -> String, levels: Int = 1) -> ConversionContext {
        var inner = self
        if keyUsage != nil { inner.path += step() }
        inner.depth += levels
        return inner
    }

    /// Throws if a value is too deep to be converted on a small stack.
    func checkDepth(of node: PropertyNode) throws(PropertyMismatch) {
        guard depth > Self.depthLimit else { return }
        throw PropertyMismatch(
            .limit, node, expected: "a value at most \(Self.depthLimit) levels deep", remedy: "Make the values flatter")
    }

    /// Throws if a table has a key that is too long for a dictionary.
    func checkKeys(of table: PropertyTable, in node: PropertyNode) throws(PropertyMismatch) {
        guard let entry = table.entries.first(where: { $0.key.utf8.count > keyLimit }) else { return }
        // With the place of the key instead of its text, which would fill the message.
        throw PropertyMismatch(
            .limit, PropertyNode(node.value, origin: entry.keyOrigin),
            expected: "keys of at most \(keyLimit.grouped) bytes",
            remedy: "Shorten the key, or raise the limit with limitDictionaryKeys(to:)")
    }
}

/// Collects the mismatches among the elements of an array or a table.
struct MismatchCollector {
    /// How many mismatches are collected before the conversion stops. A source of one megabyte can have a million.
    static let limit = 1000

    private let stopsAtFirst: Bool
    private var mismatches: [PropertyMismatch] = []

    init(_ context: ConversionContext) { stopsAtFirst = !context.collectsMismatches }

    /// Converts an element, and records its mismatch.
    ///
    /// - Returns: the value, or nil if there is a mismatch.
    /// - Throws: the mismatch if the context collects none, or all of them if there are too many.
    mutating func collect<T>(
        _ convert: () throws(PropertyMismatch) -> T
    ) throws(PropertyMismatch) -> T? {
        do throws(PropertyMismatch) {
            return try convert()
        } catch {
            if stopsAtFirst { throw error }
            mismatches += error.all
            if mismatches.count >= Self.limit { try throwCollected() }
            return nil
        }
    }

    /// Throws the collected mismatches as one.
    func throwCollected() throws(PropertyMismatch) {
        guard let first = mismatches.first else { return }
        throw first.with(others: mismatches.dropFirst().prefix(Self.limit - 1))
    }
}

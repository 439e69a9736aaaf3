/// Where a conversion is inside the value that was asked for, and what is done about problems.
struct ConversionContext {
    /// Records the keys that types look up; nil outside `bind`.
    let keyUsage: KeyUsage?
    /// How many bytes a key of a dictionary may have.
    let keyLimit: Int
    /// The path from the bound value, such as `.servers[2]`; empty outside `bind`, which needs none.
    private(set) var path = ""
    /// How many keys and indices deep the present value is.
    private(set) var depth = 0

    /// How many keys and indices deep inside the value that was asked for a value may be.
    ///
    /// Each level costs stack: the frames of the conversion and those of the type's `init(from:)`. In a debug build the former
    /// take 5 KB, so that a type may take 10 KB more where the stack has 512 KB.
    static let depthLimit = 32

    /// How many bytes a key of a dictionary may have by default.
    ///
    /// To hash a string takes time quadratic in a run of combining characters: 1 ms for 4 KB, 14 s for 400 KB.
    static let defaultKeyLimit = 4096

    /// The context of a read that stops at the first problem.
    static var reading: ConversionContext { .reading(keyLimit: defaultKeyLimit) }

    /// The same with a limit of its own for the keys of dictionaries.
    static func reading(keyLimit: Int) -> ConversionContext { ConversionContext(keyUsage: nil, keyLimit: keyLimit) }

    /// Whether the conversion of an array or table continues with its other elements after one has failed.
    var collectsMismatches: Bool { keyUsage != nil }

    /// The context of a value inside the present one.
    ///
    /// - Parameters:
    ///   - step: the path from the present value: `[2]`, `.port`.
    ///   - levels: how many keys and indices the step has.
    func inside(_ step: @autoclosure () -> String, levels: Int = 1) -> ConversionContext {
        var inner = self
        if keyUsage != nil { inner.path += step() }
        inner.depth += levels
        return inner
    }

    /// Refuses a value that is too deep to be converted on a small stack.
    func checkDepth(of node: PropertyNode) throws(PropertyMismatch) {
        guard depth > Self.depthLimit else { return }
        throw PropertyMismatch(
            .limit, node, expected: "a value at most \(Self.depthLimit) levels deep", remedy: "Make the values flatter")
    }

    /// Refuses a table with a key that is too long for a dictionary.
    func checkKeys(of table: PropertyTable, in node: PropertyNode) throws(PropertyMismatch) {
        guard let entry = table.entries.first(where: { $0.key.utf8.count > keyLimit }) else { return }
        // At the place of the key, whose text would fill the message.
        throw PropertyMismatch(
            .limit, PropertyNode(node.value, origin: entry.keyOrigin),
            expected: "keys of at most \(keyLimit.grouped) bytes",
            remedy: "Shorten the key, or raise the limit with limitDictionaryKeys(to:)")
    }
}

/// Collects the mismatches among the elements of an array or a table.
struct MismatchCollector {
    /// How many mismatches are collected before the conversion stops. A source of a megabyte can have a million.
    static let limit = 1000

    private let stopsAtFirst: Bool
    private var mismatches: [PropertyMismatch] = []

    init(_ context: ConversionContext) { stopsAtFirst = !context.collectsMismatches }

    /// Converts an element, and keeps its mismatch.
    ///
    /// - Returns: the value, or nil where there is a mismatch.
    /// - Throws: the mismatch where the context collects none, or all where there are too many.
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

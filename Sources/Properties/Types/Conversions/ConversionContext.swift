/// The position of a value inside the value that is read, and the limits of the conversion.
struct ConversionContext {
    /// The number of keys and indices on the path from the outermost value of the conversion to the current one.
    private(set) var depth = 0
    /// The type around the value that is being decoded, if it is not a settings type; otherwise nil.
    private(set) var plain: Any.Type?
    /// Whether the current value is an element of a list in text. Its own text is not split into a list again.
    var isInsideText = false

    /// The maximum `depth` of a value.
    ///
    /// Each level needs stack for the conversion and for the type's own `init(from:)`. In a debug build, the conversion
    /// takes 5 KB. On a stack of 512 KB, that leaves more than 10 KB per level for the type.
    static let depthLimit = 32

    /// The maximum size of a key of a dictionary, in bytes.
    ///
    /// Hashing a string with a long run of combining characters takes quadratic time: 1 ms for 4 KB and 14 s for 400 KB
    /// were measured.
    static let keyLimit = 4096

    /// The context of the current value, one level deeper.
    var nested: ConversionContext { changed { $0.depth += 1 } }

    /// Returns the context of a value inside a type that is not a settings type.
    func inside(_ type: Any.Type) -> ConversionContext { changed { $0.plain = type } }

    /// The same position, in a list in text.
    var insideText: ConversionContext { changed { $0.isInsideText = true } }

    @inline(__always)
    private func changed(_ change: (inout ConversionContext) -> Void) -> ConversionContext {
        var context = self
        change(&context)
        return context
    }

    /// Returns the error about a value in place of a table.
    func noTable(_ node: PropertyNode) -> PropertyError {
        let isElement = if isInsideText, case .text = node.value { true } else { false }
        return [String: Any].mismatch(
            .wrongType, node, remedy: isElement ? "Write the list as JSON: [{\"key\": \"value\"}]" : nil)
    }

    /// Whether values may be nested one level deeper.
    var hasRoom: Bool { depth < Self.depthLimit }

    /// Throws if the current value is nested too deeply to be converted on a small stack.
    @inline(__always)
    func checkDepth(of node: PropertyNode) throws(PropertyError) {
        if depth <= Self.depthLimit { return }
        throw PropertyError(
            .limit, node, expected: "a value at most \(Self.depthLimit) levels deep", remedy: "Make the values flatter")
    }

    /// Throws if a table has a key that is too long for a dictionary.
    func checkKeys(of table: PropertyTable, in node: PropertyNode) throws(PropertyError) {
        guard let entry = table.entries.first(where: { $0.key.utf8.count > Self.keyLimit }) else { return }
        // The message contains the place of the key. The text of the key is too long for a message.
        throw PropertyError(
            .limit, PropertyNode(node.value, origin: entry.keyOrigin),
            expected: "keys of at most \(Self.keyLimit.grouped) bytes",
            remedy: "Shorten the key")
    }
}

/// Collects the mismatches of the elements of an array or a table.
struct MismatchCollector {
    /// The maximum number of mismatches that are kept, since a source of one megabyte could cause a million. The others
    /// are counted.
    static let limit = 1000

    private var mismatches: [PropertyError] = []
    private var rest = 0

    /// Converts an element, and records the mismatch if that fails.
    ///
    /// - Returns: the value, or nil if there is a mismatch.
    mutating func collect<T>(_ convert: () throws(PropertyError) -> T) -> T? {
        do throws(PropertyError) {
            return try convert()
        } catch {
            let all = error.all, room = Self.limit - mismatches.count
            mismatches += all.prefix(room)
            rest += all.dropFirst(room).reduce(0) { $0 + 1 + $1.rest }
            return nil
        }
    }

    /// Throws the collected mismatches as a single error, if there are any.
    func throwCollected() throws(PropertyError) {
        guard let first = mismatches.first else { return }
        throw first.with(others: mismatches.dropFirst(), uncounted: first.rest + rest)
    }
}

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

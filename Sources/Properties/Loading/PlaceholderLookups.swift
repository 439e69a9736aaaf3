/// The results of the lookups in a layer's placeholders. All lookups run when the layer is loaded.
///
/// Merging therefore runs no lookup, and a state can be rebuilt at any time.
struct PlaceholderLookups: Sendable {
    /// The error that the lookups of a source returned more bytes than allowed.
    struct Exceeded: Error {}

    let rules: PropertyPlaceholders
    /// The number of bytes that all lookups returned.
    private(set) var size = 0
    // The results, by the text between the braces. The keys are compared by bytes, as file names are, because Swift
    // treats strings as equal if they differ only in Unicode normalisation.
    private var found: [PropertyKey: Result<PropertyPlaceholders.LookupResult?, any Error>] = [:]
    /// The paths of the files that were looked up, whether or not they exist.
    private var watched: Set<PropertyKey> = []

    /// Runs the lookups in all texts of a table.
    init(_ rules: PropertyPlaceholders, for table: PropertyTable) {
        self.rules = rules
        for reference in PlaceholderTemplate.references(in: .table(table), rules) { fetch(reference) }
    }

    /// Whether a reference is a lookup instead of the name of a property.
    func isLookup(_ reference: PlaceholderTemplate.Reference) -> Bool {
        reference.lookup.map { rules.lookups.value(of: $0.scheme) != nil } ?? false
    }

    /// Returns the result of a reference's lookup, or nil if the lookup found nothing.
    func callAsFunction(_ reference: PlaceholderTemplate.Reference) throws -> PropertyPlaceholders.LookupResult? {
        try found[PropertyKey(reference.name)]?.get()
    }

    /// The paths of the files that the lookups read or did not find, sorted.
    var files: [String] {
        let read = found.values.flatMap { (try? $0.get()?.files) ?? [] }
        return watched.union(read.map { PropertyKey($0) }).map(\.rawValue).sorted(byName: \.self)
    }

    private mutating func fetch(_ reference: PlaceholderTemplate.Reference) {
        guard found[PropertyKey(reference.name)] == nil, let (scheme, argument) = reference.lookup,
            let lookup = rules.lookups.value(of: scheme)
        else { return }
        watched.formUnion((rules.watched.value(of: scheme)?(argument) ?? []).map { PropertyKey($0) })
        // The limit covers all results, because all of them stay in memory, whether they are used or not.
        let result = Result {
            guard size <= rules.sizeLimit else { throw Exceeded() }
            return try lookup(argument)
        }
        if case .success(let given?) = result { size += given.text.utf8.count }
        found[PropertyKey(reference.name)] = result
    }
}

extension Dictionary where Key == String {
    /// Returns the value of a scheme, which is compared by bytes. A linear search suffices, since there are only a few
    /// schemes.
    fileprivate func value(of scheme: String) -> Value? { first { $0.key.isSame(as: scheme) }?.value }
}

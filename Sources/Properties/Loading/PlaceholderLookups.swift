/// The results of the lookups in a layer's placeholders, fetched when the layer is loaded.
///
/// Merging runs no lookup, so a state can be rebuilt at any time.
struct PlaceholderLookups: Sendable {
    /// The lookups of a source returned more bytes than their limit.
    struct Exceeded: Error {}

    let rules: PropertyPlaceholders
    /// How many bytes all lookups returned.
    private(set) var size = 0
    // By bytes, as file names are: strings that differ only in Unicode normalisation are equal in Swift.
    private var found: [PropertyKey: Result<PropertyPlaceholders.LookupResult?, any Error>] = [:]
    /// The paths of the files that were looked up, whether or not they exist.
    private var watched: Set<PropertyKey> = []

    /// Runs the lookups of all texts of a table.
    init(_ rules: PropertyPlaceholders, for table: PropertyTable) {
        self.rules = rules
        for step in PlaceholderTemplate.steps(in: .table(table), rules) { fetch(step.reference) }
    }

    /// Whether a reference is a lookup instead of the name of a property.
    func isLookup(_ reference: PlaceholderTemplate.Reference) -> Bool {
        reference.lookup.map { rules.lookups.value(of: $0.scheme) != nil } ?? false
    }

    /// The result of a reference's lookup, or nil if there is none.
    func callAsFunction(_ reference: PlaceholderTemplate.Reference) throws -> PropertyPlaceholders.LookupResult? {
        try found[PropertyKey(reference.name)]?.get()
    }

    /// The files that were read or found missing, sorted.
    var files: [String] {
        let read = found.values.flatMap { (try? $0.get()?.files) ?? [] }
        return watched.union(read.map { PropertyKey($0) }).map(\.rawValue).sorted { $0.precedes($1) }
    }

    private mutating func fetch(_ reference: PlaceholderTemplate.Reference) {
        guard found[PropertyKey(reference.name)] == nil, let (scheme, argument) = reference.lookup,
            let lookup = rules.lookups.value(of: scheme)
        else { return }
        watched.formUnion((rules.watched.value(of: scheme)?(argument) ?? []).map { PropertyKey($0) })
        // All results stay in memory, whether they are used or not.
        let result = Result {
            guard size <= rules.sizeLimit else { throw Exceeded() }
            return try lookup(argument)
        }
        if case .success(let given?) = result { size += given.text.utf8.count }
        found[PropertyKey(reference.name)] = result
    }
}

extension Dictionary where Key == String {
    /// The value of a scheme, compared by bytes. There are only a few.
    fileprivate func value(of scheme: String) -> Value? { first { $0.key.isSame(as: scheme) }?.value }
}

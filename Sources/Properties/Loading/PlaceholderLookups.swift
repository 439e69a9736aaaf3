/// The results of the lookups in a layer's placeholders. All lookups run when the layer is loaded.
///
/// Merging therefore runs no lookup, and a state can be rebuilt at any time.
struct PlaceholderLookups: Sendable {
    let rules: PropertyPlaceholders
    /// The number of bytes that all lookups returned.
    private(set) var size = 0
    // The results, by the text between the braces. The keys are compared by bytes, as file names are, because Swift
    // treats strings as equal if they differ only in Unicode normalisation.
    private var found: [PropertyKey: Result<PropertyPlaceholders.LookupResult?, any Error>] = [:]

    /// Runs the lookups in all texts of a table, until their results exceed the size limit.
    init(_ rules: PropertyPlaceholders, for table: PropertyTable) {
        self.rules = rules
        for reference in PlaceholderTemplate.references(in: .table(table), depthLimit: rules.depthLimit) {
            let key = PropertyKey(reference.name)
            guard found[key] == nil, size <= rules.sizeLimit, let lookup = lookup(of: reference) else { continue }
            let result = Result { try lookup(reference.lookup?.argument ?? "") }
            if case .success(let given?) = result { size += given.text?.utf8.count ?? 0 }
            found[key] = result
        }
    }

    /// Whether a reference is a lookup instead of the name of a property.
    func isLookup(_ reference: PlaceholderTemplate.Reference) -> Bool { lookup(of: reference) != nil }

    /// Returns the result of a reference's lookup, or nil if the lookup found nothing.
    func callAsFunction(_ reference: PlaceholderTemplate.Reference) throws -> PropertyPlaceholders.LookupResult? {
        try found[PropertyKey(reference.name)]?.get()
    }

    /// The paths of the files that the lookups read or did not find, sorted.
    var files: [String] {
        let files = found.values.flatMap { (try? $0.get()?.files) ?? [] }
        return Set(files.map { PropertyKey($0) }).map(\.rawValue).sorted(byName: \.self)
    }

    // The scheme is compared by bytes. A linear search suffices, since there are only a few schemes.
    private func lookup(
        of reference: PlaceholderTemplate.Reference
    ) -> (@Sendable (String) throws -> PropertyPlaceholders.LookupResult?)? {
        reference.lookup.flatMap { lookup in rules.lookups.first { $0.key.isSame(as: lookup.scheme) }?.value }
    }
}

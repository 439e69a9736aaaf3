/// What a layer's placeholders lead to outside the store, fetched when the layer was loaded.
///
/// So merging calls no lookup, and a state can be made again at any time.
struct PlaceholderLookups: Sendable {
    /// The lookups of a source gave more than they may.
    struct Exceeded: Error {}

    let rules: PropertyPlaceholders
    /// How many bytes all lookups gave.
    private(set) var size = 0
    // By bytes, as files are named: strings are equal where they differ by Unicode normalisation alone.
    private var found: [PropertyKey: Result<PropertyPlaceholders.Found?, any Error>] = [:]
    /// The paths of the files that were asked for, there or not.
    private var watched: Set<PropertyKey> = []

    /// Fetches everything that the texts of a table ask for.
    init(_ rules: PropertyPlaceholders, for table: PropertyTable) {
        self.rules = rules
        fetch(for: .table(table))
    }

    /// Whether a reference leads to a lookup and not to a property.
    func isLookup(_ reference: PlaceholderTemplate.Reference) -> Bool {
        reference.lookup.map { rules.lookups.value(of: $0.scheme) != nil } ?? false
    }

    /// What a reference leads to, or nil where there is nothing.
    func callAsFunction(_ reference: PlaceholderTemplate.Reference) throws -> PropertyPlaceholders.Found? {
        try found[PropertyKey(reference.name)]?.get()
    }

    /// The files that were read, or looked for in vain, sorted.
    var files: [String] {
        let read = found.values.flatMap { (try? $0.get()?.files) ?? [] }
        return watched.union(read.map { PropertyKey($0) }).map(\.rawValue).sorted { $0.precedes($1) }
    }

    private mutating func fetch(for value: PropertyValue) {
        switch value {
        case .string(let text), .text(let text):
            // A text that cannot be taken apart is an error when it is replaced, if it still counts then.
            guard let template = try? PlaceholderTemplate(text, depthLimit: rules.depthLimit) else { return }
            for step in template.steps where found[PropertyKey(step.reference.name)] == nil { fetch(step.reference) }
        case .array(let nodes): for node in nodes { fetch(for: node.value) }
        case .table(let table): for entry in table { fetch(for: entry.node.value) }
        default: break
        }
    }

    private mutating func fetch(_ reference: PlaceholderTemplate.Reference) {
        guard let (scheme, argument) = reference.lookup, let lookup = rules.lookups.value(of: scheme) else { return }
        watched.formUnion((rules.watched.value(of: scheme)?(argument) ?? []).map { PropertyKey($0) })
        // All that was given stays in memory, whether it is used or not.
        let result = Result {
            guard size <= rules.sizeLimit else { throw Exceeded() }
            return try lookup(argument)
        }
        if case .success(let given?) = result { size += given.text.utf8.count }
        found[PropertyKey(reference.name)] = result
    }
}

extension Dictionary where Key == String {
    /// The value of a scheme that a source names, found by bytes. There are a few.
    fileprivate func value(of scheme: String) -> Value? { first { $0.key.isSame(as: scheme) }?.value }
}

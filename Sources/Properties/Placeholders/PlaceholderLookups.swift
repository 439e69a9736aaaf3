import TextBasics

/// The results of the lookups in a layer's placeholders. All lookups run when the layer is loaded.
///
/// Merging therefore runs no lookup, and a state can be rebuilt at any time.
struct PlaceholderLookups: Sendable {
    let rules: PropertyPlaceholders
    /// The number of bytes that all lookups returned.
    private(set) var size = 0
    // The results, by the text between the braces. The keys are compared by bytes, as file names are, because Swift
    // treats strings as equal if they differ only in Unicode normalisation.
    /// The names before a colon that are variables and not lookups: `http_proxy` in `${http_proxy:none}`.
    private var variables: Set<PropertyKey> = []
    private var found: [PropertyKey: Result<PropertyPlaceholders.LookupResult, any Error>] = [:]

    /// Runs the lookups in all texts of a table, until their results exceed the size limit.
    init(_ rules: PropertyPlaceholders, for table: PropertyTable) {
        self.rules = rules
        for reference in PlaceholderTemplate.references(in: .table(table), depthLimit: rules.depthLimit) {
            let key = PropertyKey(reference.name)
            guard found[key] == nil, size <= rules.sizeLimit, let (scheme, argument) = reference.lookup else {
                continue
            }
            // The scheme is compared by bytes. A linear search suffices, since there are only a few schemes.
            guard let lookup = rules.lookups.first(where: { $0.key.isSame(as: scheme) })?.value else {
                if (try? rules.lookups["env"]?(scheme))?.text != nil { variables.insert(PropertyKey(scheme)) }
                continue
            }
            let result = Result { try lookup(argument) }
            if case .success(let given) = result { size += given.text?.utf8.count ?? 0 }
            found[key] = result
        }
    }

    /// Returns the result of a reference's lookup, or nil if the reference is the name of a property.
    subscript(reference: PlaceholderTemplate.Reference) -> Result<PropertyPlaceholders.LookupResult, any Error>? {
        found[PropertyKey(reference.name)]
    }

    /// Whether the part of a reference before its colon is a variable that is set, and not a lookup.
    func isVariable(_ reference: PlaceholderTemplate.Reference) -> Bool {
        reference.lookup.map { variables.contains(PropertyKey($0.scheme)) } ?? false
    }

    /// The warnings of the lookups, sorted.
    var warnings: [PropertyLoadError] {
        found.values.compactMap { try? $0.get().warning }.sorted(byName: \.description)
    }

    /// The files that the lookups read, and whether the text of each is blank.
    var texts: [PropertyKey: Bool] {
        let found = found.values.compactMap { try? $0.get() }.compactMap { found -> (PropertyKey, Bool)? in
            guard let text = found.text, let file = found.files.first else { return nil }
            return (PropertyKey(file), PropertyValue.text(text).isBlank)
        }
        return Dictionary(found) { $1 }
    }

    /// The paths of the files that the lookups read or did not find, sorted.
    var files: [String] {
        let files = found.values.flatMap { (try? $0.get().files) ?? [] }
        return Set(files.map { PropertyKey($0) }).map(\.rawValue).sorted(byName: \.self)
    }
}

extension PlaceholderTemplate {
    /// The references in all texts of a value, each followed by the references in its default.
    ///
    /// A text with invalid syntax has no references. It causes an error when its placeholders are replaced, unless a
    /// later source has replaced the text by then.
    fileprivate static func references(in value: PropertyValue, depthLimit: Int) -> [Reference] {
        switch value {
        case .string(let text), .text(let text):
            (try? PlaceholderTemplate(text, of: "", depthLimit: depthLimit))?.references ?? []
        case .array(let nodes): nodes.flatMap { references(in: $0.value, depthLimit: depthLimit) }
        case .table(let table): table.flatMap { references(in: $0.node.value, depthLimit: depthLimit) }
        default: []
        }
    }
}

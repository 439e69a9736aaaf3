import PropertyLoaders

/// Finds the names in the sources that a schema does not have.
struct UnknownNames {
    /// The number of names for which a similar one is searched. Each search compares all names of the schema.
    private static let searchLimit = 100

    private let store: PropertyStore
    private let schema: Schema
    /// The sources of the names that are set.
    private let sources: [PropertyKey: PropertySource]
    /// The identities of the sources that also have names of other programs.
    private let shared: Set<PropertyKey>
    /// An error for each unknown name.
    private(set) var errors: [PropertyError] = []
    /// A warning for each name of a shared source that is similar to a known one.
    private(set) var warnings: [PropertyLoadError] = []

    /// Searches the properties of a store.
    ///
    /// - Parameters:
    ///   - store: the store.
    ///   - schema: the known names.
    ///   - shared: the identities of the sources whose unknown names are not errors, such as the identity of all variables of
    ///     the environment.
    init(in store: PropertyStore, _ schema: Schema, shared: Set<PropertyKey>) {
        (self.store, self.schema, self.shared) = (store, schema, shared)
        sources = Dictionary(store.entries.map { (PropertyKey($0.name), $0.node.origin.source) }) { $1 }
        search(store.root, schema.root, in: nil)
    }

    private mutating func search(_ table: PropertyTable, _ node: SchemaNode, in path: String?) {
        for entry in table {
            let name = path.map { "\($0).\(entry.key)" } ?? entry.key
            if let member = node.member(entry.key), !member.isFormer {
                search(entry.node, member, at: name)
            } else {
                add(entry, name, among: { node.listedNames.filter { table[$0] == nil } })
            }
        }
    }

    private mutating func search(
        _ value: PropertyNode, _ node: SchemaNode, at name: String, isElement: Bool = false
    ) {
        // Text in place of an array is a list, as in a variable. Text that begins with a brace is a table.
        let value = node.isArray ? value.list : isElement ? value : value.textTable
        switch value.value {
        case .table(let table): search(table, node, in: name)
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                search(element, node.element, at: "\(name)[\(index)]", isElement: true)
            }
        default: break
        }
    }

    /// Adds the error about an unknown key, or an error for each value if it is a table.
    ///
    /// - Parameters:
    ///   - entry: the key.
    ///   - name: its flat name.
    ///   - others: returns the names that its table may have, too.
    private mutating func add(_ entry: PropertyTable.Entry, _ name: String, among others: () -> [String] = { [] }) {
        if case .table(let inner) = entry.node.value, !inner.isEmpty {
            for entry in inner { add(entry, "\(name).\(entry.key)") }
            return
        }
        let source = entry.keyOrigin.source
        let isShared = isShared(source)
        var written = name, similar: String?
        if errors.count < Self.searchLimit {
            similar = Suggestions.nearest(to: name, among: schema.names.lazy.filter { $0.current == nil }.map(\.name)) {
                // A name that the same source already sets is not suggested.
                sources[PropertyKey($0)]?.name.isSame(as: source.name) != true
            }
            if similar == nil {
                written = entry.key
                similar = Suggestions.nearest(to: written, among: others())
            }
        }
        let error = store.unknownName(
            name, at: entry.keyOrigin, written: written, among: [similar].compactMap(\.self))
        // A name of another source is an error, whichever source has its last value.
        if !isShared || store.history(of: name).contains(where: { !self.isShared($0.node.origin.source) }) {
            errors.append(error)
        } else if let warning = error.warningAboutSpelling {
            warnings.append(warning)
        }
    }

    private func isShared(_ source: PropertySource) -> Bool {
        source.identity.map { shared.contains(PropertyKey($0)) } ?? false
    }
}

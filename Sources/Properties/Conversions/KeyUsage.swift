/// Records which keys the types in a bound value look up, so that all others can be reported as unknown.
final class KeyUsage {
    /// The usage of the value that `bind` reads.
    let root: ValueUsage
    // The usages of the tables in which types look up keys, in the order in which they began.
    private var tables: [ValueUsage] = []

    /// Whether the keys in all tables are recorded, and not only those in the outermost one.
    private let isDeep: Bool

    /// Starts to record the keys that are looked up in a value and, if their usage is needed, in the tables inside it.
    init(_ root: PropertyNode, isDeep: Bool) {
        self.root = ValueUsage(root)
        self.isDeep = isDeep
    }

    /// Returns the usage of a value inside another one, or nil if its keys are not recorded.
    func part(_ node: PropertyNode, at index: Int, of outer: ValueUsage?) -> ValueUsage? {
        isDeep ? outer?.part(at: index, node) : nil
    }

    /// A key that no type looked up.
    struct UnknownKey {
        /// The path from the value that `bind` reads.
        let path: String
        /// The place of the key.
        let origin: PropertyOrigin
        /// The keys that a type looked up in the same table and did not find. One of them may have been meant.
        let candidates: Candidates
    }

    /// The number of tables recorded so far, to be passed to `forget(since:)`.
    var mark: Int { tables.count }

    /// Records that a type looks up keys in a table.
    func enter(_ table: ValueUsage) {
        if table.number != nil { return }
        table.begin(tables.count)
        tables.append(table)
    }

    /// Removes the tables that were recorded since a mark.
    ///
    /// This is called when a type fails. The type may have stopped before it looked up all its keys, and another type
    /// that catches the error may look up other keys.
    func forget(since mark: Int) {
        for table in tables[mark...] { table.number = nil }
        tables.removeLast(tables.count - mark)
    }

    /// The keys that no type looked up, in the order of the source.
    var unknownKeys: [UnknownKey] { root.unknownKeys(at: "") }
}

/// The usage of a table or an array in a bound value. It contains the usages of the tables and arrays inside it.
final class ValueUsage {
    /// The number of tables that had been recorded before this one, or nil if this one is not recorded.
    fileprivate(set) var number: Int?
    private let node: PropertyNode
    /// For each entry of the table, whether a type looked up its key. Empty until a type looks up keys.
    private var isLookedUp: [Bool] = []
    /// The keys that a type looked up and did not find.
    private var absentKeys: Set<PropertyKey> = []
    /// The usages of the tables and arrays in this one, by the index of the entry or element. Empty until there is one.
    private var inner: [ValueUsage?] = []

    fileprivate init(_ node: PropertyNode) { self.node = node }

    fileprivate func begin(_ number: Int) {
        self.number = number
        isLookedUp = Array(repeating: false, count: count)
        absentKeys = []
    }

    /// Returns the usage of the value of an entry or of an element, or nil if that is not a table or an array.
    func part(at index: Int, _ node: PropertyNode) -> ValueUsage? {
        guard node.isTable || node.isArray else { return nil }
        if inner.isEmpty { inner = Array(repeating: nil, count: count) }
        if let usage = inner[index] { return usage }
        let usage = ValueUsage(node)
        inner[index] = usage
        return usage
    }

    /// Records that a type looked up the key of an entry.
    func lookUp(_ index: Int) { isLookedUp[index] = true }

    /// Records that a type looked up a key that the table does not have.
    func lookUp(absent key: String) { absentKeys.insert(PropertyKey(key)) }

    /// All keys that a type looked up, or nil if no type looked up keys.
    var keys: [PropertyKey]? { number == nil ? nil : presentKeys + absentKeys }

    private var presentKeys: [PropertyKey] {
        guard case .table(let table) = node.value else { return [] }
        return isLookedUp.indices.filter { isLookedUp[$0] }.map { PropertyKey(table.entries[$0].key) }
    }

    private var count: Int {
        switch node.value {
        case .table(let table): table.count
        case .array(let nodes): nodes.count
        default: 0
        }
    }

    /// Returns the keys that no type looked up in this table and in the tables inside it.
    fileprivate func unknownKeys(at path: String) -> [KeyUsage.UnknownKey] {
        let own = number == nil ? [] : ownUnknownKeys(at: path)
        return own + inner.enumerated().flatMap { $1?.unknownKeys(at: path + step($0)) ?? [] }
    }

    private func ownUnknownKeys(at path: String) -> [KeyUsage.UnknownKey] {
        guard case .table(let table) = node.value else { return [] }
        // A key that occurs twice is used even though only its last entry is looked up.
        let used = Set(presentKeys)
        let absent = absentKeys.map(\.rawValue).sorted(byName: \.self)
        return table.filter { !used.contains(PropertyKey($0.key)) }.map { entry in
            KeyUsage.UnknownKey(
                path: "\(path).\(entry.key)", origin: entry.keyOrigin,
                candidates: Candidates(written: entry.key, names: absent))
        }
    }

    // The step to a part, as messages write it: `.port` or `[2]`.
    private func step(_ index: Int) -> String {
        if case .table(let table) = node.value { ".\(table.entries[index].key)" } else { "[\(index)]" }
    }
}
